// Distilling by rules: which sentences become facts and which the summary.

package distill

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/analysis"
)

const (
	// DefaultExtractedFacts is how many facts [NewExtractive] picks at most.
	DefaultExtractedFacts = 24
	// DefaultSummaryWords is how many words its summary has at most.
	DefaultSummaryWords = 120
)

// ExtractiveOptions are the settings of [NewExtractive]. The zero value serves.
type ExtractiveOptions struct {
	// MaxFacts is the greatest number of facts; 0 is DefaultExtractedFacts, more
	// than the cap MaxFacts is that, a negative number is none.
	MaxFacts int
	// SummaryWords is the greatest number of words in the summary; 0 is
	// DefaultSummaryWords, more than 149 is 149, a negative number is no summary.
	// Six chars of a text without spaces count as four words.
	SummaryWords int
	// Strip, unless nil, is applied to the transcript before anything else, to take
	// out recalled memory of forms that aren't known here.
	Strip func(transcript string) string
	// Classify are the settings for classifying sentences.
	Classify analysis.ClassifyConfig
}

// NewExtractive returns a distiller that needs no model and no network. It picks
// sentences of the transcript and leaves them as they are.
//
// Facts are sentences that a cue or [analysis.Classify] makes one: corrections
// ("No, it's …" unless it answers a question, "I meant"), decisions ("we decided",
// a choice with a reason), preferences ("I prefer", "please always"), states ("is
// now", "I moved to", "we retired …"). The assistant's own preferences and
// corrections don't count, nor do questions, mere possibilities, and states that a
// later sentence of the transcript replaces. A fact begins with who said it ("Ana:
// I moved to Berlin."); a sentence that points back ("It is now 81.") takes along
// the one before, a short correction the one behind. When there are more than
// MaxFacts, those with the greatest weight are kept: kinds count in the order
// above, users more than assistants, sentences with frequent words more than
// others. Facts stand in the order of the transcript.
//
// The summary is made of the most central sentences: those whose words occur in
// the most turns, each word counting half once a chosen sentence has it, and an
// assistant's half from the start.
//
// Code, tool output, system prompts, recalled memory, log lines and sentences with
// redacted secrets are left out. Cues are there for English, and fewer for German,
// French, Spanish, Portuguese, Russian, Chinese, Japanese and Korean.
//
// It is a fallback for when there is no model: what it gives is rarely wrong, but
// in transcripts that its cues weren't written for it found three facts in ten.
// What it can't do: turn "I" into a name, resolve "yesterday", see irony, find
// facts that no cue announces, or join what several sentences say.
func NewExtractive(o ExtractiveOptions) Distiller {
	o.MaxFacts = min(cmp.Or(o.MaxFacts, DefaultExtractedFacts), MaxFacts)
	o.SummaryWords = min(cmp.Or(o.SummaryWords, DefaultSummaryWords), 149)
	return &extractive{o}
}

type extractive struct{ o ExtractiveOptions }

// sentence is one of the transcript that may be picked.
type sentence struct {
	text    string
	turn    int
	speaks  role
	name    string
	before  int // index of the sentence before in the transcript, -1
	words   []string
	length  int // in words
	central float64
	class   analysis.Classified
}

// Distill implements Distiller. The only error is that of ctx.
func (e *extractive) Distill(ctx context.Context, transcript string) (DistilledMemory, error) {
	if e.o.Strip != nil {
		transcript = e.o.Strip(transcript)
	}
	sentences, err := e.sentences(ctx, turnsOf(transcript))
	if err != nil {
		return DistilledMemory{}, err
	}
	weigh(sentences)
	e.classify(sentences)
	m := DistilledMemory{Summary: e.summary(sentences), Facts: e.facts(sentences)}
	return Merge(m), ctx.Err()
}

// sentences returns the sentences of the turns that may be picked.
func (e *extractive) sentences(ctx context.Context, turns []turn) ([]sentence, error) {
	var out []sentence
	for t, turn := range turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		talk := analysis.Prefilter(turn.text, analysis.PrefilterConfig{KeepMarkers: true, KeepPaths: true})
		for _, text := range analysis.Sentences(talk) {
			text = oneLine(unmarked(text))
			if !talks(text) {
				continue
			}
			out = append(out, sentence{
				text: text, turn: t, speaks: turn.role, name: turn.name, before: len(out) - 1,
				words: contentWords(text), length: wordCount(text),
			})
		}
	}
	return out, nil
}

// unmarked takes the marks of lists, headings and emphasis from a line.
func unmarked(line string) string {
	line = strings.TrimLeft(line, " \t>#*-+•")
	if item := strings.TrimLeft(line, "0123456789"); len(item) < len(line) && (strings.HasPrefix(item, ". ") || strings.HasPrefix(item, ") ")) {
		line = item[2:]
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "**", ""), "__", "")
}

// longestSentence is the length, in bytes, above which a sentence isn't one.
const longestSentence = 600

// talks reports whether a sentence is language rather than code or a log, and
// holds no redacted secret.
func talks(text string) bool {
	if len(text) > longestSentence || strings.Contains(text, "[REDACTED:") || !utf8.ValidString(text) {
		return false
	}
	plain, all := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune(` ,.!?'’"，。！？、`, r) {
			plain++
		}
		all++
	}
	if 20*plain < 17*all || all < 4 || strings.ContainsAny(text[len(text)-1:], ";{}") {
		return false
	}
	for _, level := range []string{" ERROR ", " INFO ", " WARN ", " DEBUG ", "Traceback ", "panic: ", "<<<TRANSCRIPT", "TRANSCRIPT>>>", "Recalled memory, quoted"} {
		if strings.Contains(" "+text, level) {
			return false
		}
	}
	return true
}

// asks reports whether a sentence is a question.
func asks(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"'”’») `))
	return last == '?' || last == '？' || last == '؟'
}

// wordCount counts words, two for three chars of scripts without spaces.
func wordCount(text string) int {
	wide := 0
	for _, r := range text {
		if unspaced(r) && !unicode.Is(unicode.Hangul, r) {
			wide++
		}
	}
	return len(strings.Fields(text)) + 2*wide/3
}

// weigh sets how central sentences are: the mean of their words' frequencies, a
// frequency being the number of turns with the word, less one.
func weigh(sentences []sentence) {
	frequency := map[string]int{}
	counted := map[string]int{} // the last turn that was, plus one
	for _, s := range sentences {
		for _, word := range s.words {
			if counted[word] != s.turn+1 {
				counted[word] = s.turn + 1
				frequency[word]++
			}
		}
	}
	for i := range sentences {
		s := &sentences[i]
		sum := 0
		for _, word := range s.words {
			sum += frequency[word] - 1
		}
		s.central = float64(sum) / float64(len(s.words)+3) // short sentences aren't preferred
	}
}

// facts returns the best facts in the order of the transcript.
func (e *extractive) facts(sentences []sentence) []Fact {
	type candidate struct {
		index  int
		fact   Fact
		weight float64
	}
	var candidates []candidate
	for i, s := range sentences {
		if asks(s.text) || s.length < 3 || len(s.words) == 0 && !pointsBack(s.text) {
			continue
		}
		if kind, ok := kindOf(s.class, s.speaks, s.before >= 0 && asks(sentences[s.before].text)); ok {
			candidates = append(candidates, candidate{i, Fact{kind, alone(sentences, i, kind)}, kindWeight(kind, s)})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	candidates = candidates[:min(len(candidates), max(e.o.MaxFacts, 0))]
	slices.SortFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.index, b.index) })
	facts := make([]Fact, len(candidates))
	for i, c := range candidates {
		facts[i] = c.fact
	}
	return facts
}

// classify has package analysis classify the sentences, each being newer than
// the one before.
func (e *extractive) classify(sentences []sentence) {
	passages := make([]analysis.Passage, len(sentences))
	for i, s := range sentences {
		passages[i] = analysis.Passage{Text: s.text, Terms: slices.Sorted(slices.Values(s.words)), Timestamp: time.Unix(int64(i), 0)}
	}
	for i, c := range analysis.Classify(passages, e.o.Classify) {
		sentences[i].class = c
	}
}

func kindWeight(kind Kind, s sentence) float64 {
	weight := 1.0
	switch kind {
	case Correction:
		weight = 1.5
	case Decision:
		weight = 1.4
	case Preference:
		weight = 1.3
	case State:
		weight = 1.2
	}
	if s.speaks == assistant {
		weight = float64(weight * 0.6)
	}
	return float64(weight * (1 + s.central))
}

// pointing are first words that mean something said before.
var pointing = map[string]bool{
	"it": true, "its": true, "it's": true, "that": true, "thats": true, "that's": true, "this": true, "these": true, "those": true, "they": true,
	"he": true, "she": true, "him": true, "her": true, "them": true, "there": true, "both": true, "neither": true,
	"das": true, "es": true, "sie": true, "er": true, "ça": true, "c'est": true, "il": true, "elle": true, "eso": true, "isso": true, "это": true,
}

// pointsBack reports whether a sentence begins with one of them, perhaps behind
// an interjection.
func pointsBack(text string) bool {
	words := strings.Fields(strings.ReplaceAll(fold(text), "’", "'"))
	if len(words) > 1 && (strings.HasSuffix(words[0], ",") || words[0] == "actually" || words[0] == "no") {
		words = words[1:]
	}
	return len(words) > 0 && pointing[strings.TrimRight(words[0], ",.:")]
}

// shortCorrection is the number of words up to which a correction says only that
// something is wrong.
const shortCorrection = 5

// alone returns a sentence as it can stand alone: with its speaker, with the
// sentence before if it points back, and with the one behind if it is a
// correction that can hardly hold what is right.
func alone(sentences []sentence, i int, kind Kind) string {
	s := sentences[i]
	if next := i + 1; kind == Correction && s.length <= shortCorrection && next < len(sentences) && sentences[next].turn == s.turn {
		s.text += " " + sentences[next].text
	}
	if s.before < 0 || !pointsBack(s.text) {
		return attributed(s, s.text)
	}
	before := sentences[s.before]
	switch before.turn {
	case s.turn:
		return attributed(s, before.text+" "+s.text)
	case s.turn - 1:
		return attributed(before, before.text) + " " + attributed(s, s.text)
	}
	return attributed(s, s.text)
}

// attributed puts the speaker in front.
func attributed(s sentence, text string) string {
	if s.speaks == nobody || s.name == "" {
		return text
	}
	first, size := utf8.DecodeRuneInString(s.name)
	return string(unicode.ToUpper(first)) + s.name[size:] + ": " + text
}
