package contextforge

// This file decides what the lexicon adds to a score.

import (
	"context"
	"sync"

	"github.com/contextforge-go/contextforge/lexicon"
)

// importance asks a lexicon, and remembers what it said where that depends on
// the entry's text alone.
type importance struct {
	scorer lexicon.Scorer // nil when nothing has to be asked, nor read for it
	memo   *boostMemo     // nil when every query has to ask again
}

// newImportance returns the importance by the scorer and, unless it says
// otherwise, the English lexicon; remember says that a record's number stands
// for the same text as long as the memory is open.
func newImportance(scorer lexicon.Scorer, remember bool) *importance {
	if scorer == lexicon.None {
		return &importance{}
	}
	if lexicon.UsesDefaults(scorer) {
		scorer = lexicon.Composite(lexicon.English(), scorer)
	}
	i := &importance{scorer: scorer}
	if remember && lexicon.Static(scorer) {
		i.memo = &boostMemo{}
	}
	return i
}

// weigh multiplies by what the lexicon says of each candidate.
func (i *importance) weigh(ctx context.Context, q *query, src source, ranked []*candidate) error {
	if i.scorer == nil {
		for _, c := range ranked {
			c.explain.Multiplier = 1
		}
		return nil
	}
	known := i.memo.recall(ranked)
	for n, c := range ranked {
		if !known[n] {
			if err := c.read(ctx, src); err != nil {
				return err
			}
			c.explain.Boost = i.scorer.Score(itemOf(c.entry), q.text)
		}
		c.explain.Multiplier = q.ranking.Multiplier(c.explain.Boost, c.tokens)
		c.score *= c.explain.Multiplier
	}
	i.memo.learn(ranked, known)
	return nil
}

// explain says what made a hit's boost.
func (i *importance) explain(q *query, c *candidate) []lexicon.Match {
	explainer, ok := i.scorer.(lexicon.Explainer)
	if !ok || c.explain.Boost == 0 {
		return nil
	}
	return explainer.Explain(itemOf(c.entry), q.text)
}

func itemOf(e *Entry) lexicon.Item {
	return lexicon.Item{
		ID: e.ID, Content: e.Content, Kind: e.Kind, Scope: e.Scope, SessionID: e.SessionID,
		Timestamp: e.Timestamp, Metadata: e.Metadata,
	}
}

// memoHalf is half of the boosts that are remembered, some 20 bytes each.
const memoHalf = 32 << 10

// boostMemo remembers boosts by record number. When the young half is full it
// becomes the old one, and what that held is forgotten unless it was asked for
// meanwhile. A nil memo knows nothing.
type boostMemo struct {
	mu         sync.Mutex
	young, old map[uint64]float64
}

// recall fills in the boosts that it knows and says of which candidates.
func (m *boostMemo) recall(ranked []*candidate) (known []bool) {
	known = make([]bool, len(ranked))
	if m == nil {
		return known
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for n, c := range ranked {
		boost, ok := m.young[c.num]
		if !ok {
			if boost, ok = m.old[c.num]; ok {
				m.put(c.num, boost)
			}
		}
		c.explain.Boost, known[n] = boost, ok
	}
	return known
}

// learn remembers the boosts of candidates that it did not know.
func (m *boostMemo) learn(ranked []*candidate, known []bool) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for n, c := range ranked {
		if !known[n] {
			m.put(c.num, c.explain.Boost)
		}
	}
}

func (m *boostMemo) put(num uint64, boost float64) {
	if len(m.young) >= memoHalf {
		m.old, m.young = m.young, nil
	}
	if m.young == nil {
		m.young = map[uint64]float64{}
	}
	m.young[num] = boost
}
