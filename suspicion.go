package contextforge

// This file decides what becomes of hits that read like an attack on a model.

import (
	"context"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/injection"
)

// Suspicion says what a query does with entries in which injection.Detect finds
// something: text that speaks to a model rather than to a reader.
type Suspicion string

// The ways to treat suspicious entries. Whatever is chosen, a hit says in
// Suspicious what was found, and nothing is removed from the memory.
const (
	SuspiciousKeep     Suspicion = ""          // as any other entry
	SuspiciousDownRank Suspicion = "down-rank" // at half of its score
	SuspiciousExclude  Suspicion = "exclude"   // not in the answer
)

// suspicionWeight is the weight of what SuspiciousDownRank ranks down.
const suspicionWeight = 0.5

func (s Suspicion) check() error {
	switch s {
	case SuspiciousKeep, SuspiciousDownRank, SuspiciousExclude:
		return nil
	}
	return fmt.Errorf("%w: Suspicious is %q, want %q, %q or none", ErrInvalidFilter, s, SuspiciousDownRank, SuspiciousExclude)
}

// judge looks at entries that were not looked at yet, and reports whether one
// of them loses score or its place for what it is.
func (q *query) judge(chosen []*candidate) (changed bool) {
	for _, c := range chosen {
		if c.judged {
			continue
		}
		c.judged = true
		c.reasons = reasonsOf(c.entry.Content)
		if len(c.reasons) == 0 || q.suspicious == SuspiciousKeep {
			continue
		}
		changed = true
		if q.suspicious == SuspiciousExclude {
			c.excluded = true
			q.crowded = true // others could take its place
			continue
		}
		c.explain.Suspicion = suspicionWeight
		c.score *= suspicionWeight
	}
	return changed
}

// judgeAhead judges candidates that aren't chosen yet, twice as many in every
// round, where what is excluded is replaced by the next ones: a thousand like it go
// in a few rounds.
func (q *query) judgeAhead(ctx context.Context, src source, ranked []*candidate, round int) error {
	if q.suspicious != SuspiciousExclude {
		return nil
	}
	left := 16 << min(round, 16)
	for _, c := range ranked {
		if c.judged {
			continue
		}
		if left--; left < 0 {
			break
		}
		if err := c.read(ctx, src); err != nil {
			return err
		}
		q.judge([]*candidate{c})
	}
	return nil
}

// settle orders the candidates anew after a judgement.
func (q *query) settle(ranked []*candidate) []*candidate {
	ranked = slices.DeleteFunc(slices.Clone(ranked), func(c *candidate) bool { return c.excluded })
	for _, c := range ranked {
		c.repeats, c.explain.Reserved = false, false
	}
	slices.SortFunc(ranked, compareCandidates)
	return q.aboveMinimum(ranked)
}

// reasonsOf returns what is suspicious in a text, each reason once.
func reasonsOf(text string) (reasons []injection.Reason) {
	for _, s := range injection.Detect(text) {
		if !slices.Contains(reasons, s.Reason) {
			reasons = append(reasons, s.Reason)
		}
	}
	return reasons
}
