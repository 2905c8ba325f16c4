package contextforge

// This file decides which texts of entries are embedded together, their longest
// sentences among them, and what these count for.

import (
	"context"
	"math"

	"github.com/contextforge-go/contextforge/analysis"
)

// sentenceShare is what longest sentences count for when Config.SentenceVectors is set
// and Config.Ranking isn't.
const sentenceShare = 0.5

// hasSentence reports whether a content has a sentence that is embedded by itself.
func (m *Memory) hasSentence(content string) bool {
	return analysis.LongestSentence(content, 0) != "" && m.sentence(content) != ""
}

// sentence returns the sentence of a content that is embedded by itself, without
// secrets, as long as one window of the embedder will hold; "" for none.
func (m *Memory) sentence(content string) string {
	if !m.cfg.SentenceVectors {
		return ""
	}
	most := 0
	if tokens := m.cfg.Embedder.MaxTokens(); tokens > 0 && tokens <= math.MaxInt/bytesPerToken {
		most = tokens * bytesPerToken
	}
	return analysis.LongestSentence(m.shown(content), most)
}

// wanted collects the texts of some entries that are to be embedded.
type wanted struct {
	texts []string
	of    []piece
}

// piece says what a text is.
type piece struct {
	entry    int
	sentence bool // not a window
}

// made is the vectors of an entry's texts.
type made struct {
	vectors  [][]float32 // of windows, up to the first that failed
	sentence []float32
	broken   bool // a window failed
}

// windows adds those of an entry, as many as are embedded at once, and reports
// whether there are more.
func (w *wanted) windows(entry int, windows []string) (more bool) {
	for _, text := range windows[:min(len(windows), windowsInCall)] {
		w.texts, w.of = append(w.texts, text), append(w.of, piece{entry: entry})
	}
	return len(windows) > windowsInCall
}

// sentence adds an entry's, "" being none.
func (w *wanted) sentence(entry int, text string) {
	if text != "" {
		w.texts, w.of = append(w.texts, text), append(w.of, piece{entry, true})
	}
}

// embed returns what became of the texts of n entries, and why not of all.
func (w *wanted) embed(ctx context.Context, e Embedder, n int) ([]made, []error) {
	out, failures := make([]made, n), make([]error, n)
	vectors, errs := embedTexts(ctx, e, w.texts)
	for i, p := range w.of {
		o := &out[p.entry]
		switch {
		case errs[i] != nil:
			o.broken = o.broken || !p.sentence
			if failures[p.entry] == nil {
				failures[p.entry] = errs[i]
			}
		case o.broken:
		case p.sentence:
			o.sentence = vectors[i]
		default:
			o.vectors = append(o.vectors, vectors[i])
		}
	}
	return out, failures
}

// hear looks up the cosines of candidates' longest sentences.
func (q *query) hear(ctx context.Context, src source, all []*candidate, nums []uint64) error {
	if q.vector == nil || q.ranking.SentenceShare == 0 {
		return nil
	}
	cosines, known, err := src.sentences(ctx, q.vector, nums)
	if err != nil {
		return err
	}
	for i, c := range all {
		c.sentence, c.spoken = float64(cosines[i]), known[i]
	}
	return nil
}

// meant is what a candidate's cosine and that of its longest sentence count for
// together.
func (q *query) meant(c *candidate) float64 {
	own := c.legs[semanticLeg]
	if !c.spoken || !own.Known || c.assumed {
		return q.alike(c)
	}
	share := q.ranking.SentenceShare
	return q.calibration.Cosine(float64((1-share)*own.Score) + float64(share*c.sentence))
}
