// This file decides how important a passage is.

package analysis

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge/internal/fmath"
)

// DefaultHalfLife is the time in which a passage loses half of its importance.
const DefaultHalfLife = 7 * 24 * time.Hour

// ScoreConfig weighs the categories and age. A weight of 0, NaN or infinity means
// the default, a negative one 0.
type ScoreConfig struct {
	Corrective    float64 // 0 means 1.5
	Decisive      float64 // 0 means 1.3
	Stateful      float64 // 0 means 1.2
	Reinforcing   float64 // 0 means 1.0
	Uncategorised float64 // of passages without a category; 0 means 0.5
	// HalfLife is the time in which importance halves; 0 and less mean
	// DefaultHalfLife.
	HalfLife time.Duration
}

// resolved returns the configuration with the defaults written out.
func (c ScoreConfig) resolved() ScoreConfig {
	for _, w := range []struct {
		weight   *float64
		standard float64
	}{{&c.Corrective, 1.5}, {&c.Decisive, 1.3}, {&c.Stateful, 1.2}, {&c.Reinforcing, 1.0}, {&c.Uncategorised, 0.5}} {
		if *w.weight == 0 || math.IsNaN(*w.weight) || math.IsInf(*w.weight, 0) {
			*w.weight = w.standard
		}
	}
	if c.HalfLife <= 0 {
		c.HalfLife = DefaultHalfLife
	}
	return c
}

// weight returns the greatest weight of the categories.
func (c *ScoreConfig) weight(categories []Category) float64 {
	if len(categories) == 0 {
		return max(c.Uncategorised, 0)
	}
	greatest := 0.0
	for _, category := range categories {
		switch category {
		case Corrective:
			greatest = max(greatest, c.Corrective)
		case Decisive:
			greatest = max(greatest, c.Decisive)
		case Stateful:
			greatest = max(greatest, c.Stateful)
		case Reinforcing:
			greatest = max(greatest, c.Reinforcing)
		}
	}
	return greatest
}

// Score returns the passages as segments, the most important first; of equally
// important ones the newer first, then by text, then by entry id, then in the
// order given. importance = recurrence · weight · 0.5^(age/half-life):
//
//   - recurrence is the greatest Recurrence of the passage's terms, 0 if none is
//     among terms;
//   - weight is the greatest of the categories that nothing supersedes. A passage
//     all of whose categories are superseded is left out; one without categories
//     has the weight Uncategorised;
//   - age is the time from the passage to now, 0 for one that is later.
func Score(passages []Classified, terms []Term, now time.Time, cfg ScoreConfig) []Segment {
	// Without an end to the context there is no error.
	segments, _ := score(context.Background(), 1, passages, terms, now, cfg)
	return segments
}

// score is Score by several workers. The only error is that of ctx.
func score(ctx context.Context, workers int, passages []Classified, terms []Term, now time.Time, cfg ScoreConfig) ([]Segment, error) {
	cfg = cfg.resolved()
	known := make(map[string]Term, len(terms))
	for _, t := range terms {
		before := known[t.Text]
		t.Recurrence = max(t.Recurrence, before.Recurrence)
		t.SessionFrequency = max(t.SessionFrequency, before.SessionFrequency)
		known[t.Text] = t
	}
	all := make([]Segment, len(passages))
	stands := make([]bool, len(passages))
	err := inParallel(ctx, workers, len(passages), func() func(int) {
		return func(i int) { all[i], stands[i] = segment(&passages[i], known, now, &cfg) }
	})
	if err != nil {
		return nil, err
	}
	segments := make([]Segment, 0, len(all))
	for i := range all {
		if stands[i] {
			segments = append(segments, all[i])
		}
	}
	slices.SortStableFunc(segments, func(a, b Segment) int {
		return cmp.Or(
			cmp.Compare(b.Importance, a.Importance),
			b.Timestamp.Compare(a.Timestamp),
			strings.Compare(a.Text, b.Text),
			strings.Compare(a.EntryID, b.EntryID),
		)
	})
	return segments, ctx.Err()
}

// segment returns a passage with its importance, ok being false if it is
// superseded.
func segment(p *Classified, known map[string]Term, now time.Time, cfg *ScoreConfig) (s Segment, ok bool) {
	s = Segment{
		Text: p.Text, Categories: p.standing(), Terms: p.Terms, EntryID: p.EntryID, SessionID: p.SessionID,
		Timestamp: p.Timestamp, Tokens: estimateTokens(p.Text),
	}
	if len(s.Categories) == 0 && len(p.Categories) > 0 {
		return s, false
	}
	for _, term := range p.Terms {
		t := known[term]
		s.Recurrence = max(s.Recurrence, t.Recurrence)
		s.SessionFrequency = max(s.SessionFrequency, t.SessionFrequency)
	}
	s.CategoryWeight = cfg.weight(s.Categories)
	s.Recency = recency(p.Timestamp, now, cfg.HalfLife)
	s.Importance = float64(float64(s.Recurrence*s.CategoryWeight) * s.Recency)
	return s, true
}

// estimateTokens estimates the tokens of a text, one for every 4 bytes begun.
func estimateTokens(text string) int { return len(text)/4 + min(len(text)%4, 1) }

// recency returns 0.5^(age/halfLife). Whole half-lives are counted in integers, so
// that the powers of two are exact.
func recency(then, now time.Time, halfLife time.Duration) float64 {
	// Round drops the monotonic clock, which doesn't outlive the process.
	age := max(now.Round(0).Sub(then.Round(0)), 0)
	const vanished = 1100 // half-lives that leave nothing of a float64
	whole, rest := age/halfLife, age%halfLife
	if whole > vanished {
		return 0
	}
	return math.Ldexp(fmath.Exp2(-float64(rest)/float64(halfLife)), -int(whole))
}
