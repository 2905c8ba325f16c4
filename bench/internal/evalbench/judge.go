package evalbench

// This file decides which figures an answer gets, and how they are summed up.

import (
	"fmt"
	"math"
	"slices"
)

// figure is one number that an answer gets.
type figure struct {
	key, label string
	of         func(a *answer) float64
}

// answer is what a memory said to a question, beside what it should have said.
type answer struct {
	ranked   []string // the first ids
	deeper   []found
	rendered map[int][]found // what is in a block of so many tokens
	sessions []string        // of deeper, in the order in which they appear
	wanted   []string        // ids, or sessions where those are judged
	// wantedSessions are those of the wanted documents.
	wantedSessions []string
}

// figures lists the figures of a set, in the order in which they are printed.
func (s *Set) figures() (list []figure) {
	if !s.BySession {
		list = append(list, figure{"ndcg10", "nDCG@10", func(a *answer) float64 { return NDCG(a.ranked, a.wanted, 10) }})
		for _, k := range []int{1, 5, 10, 50} {
			list = append(list, figure{fmt.Sprint("recall", k), fmt.Sprint("R@", k), func(a *answer) float64 { return Recall(a.ranked, a.wanted, k) }})
		}
		list = append(list, figure{"mrr", "MRR", func(a *answer) float64 { return ReciprocalRank(a.ranked, a.wanted, shallow) }})
	}
	for _, tokens := range budgets() {
		list = append(list, figure{fmt.Sprint("budget", tokens), fmt.Sprint("B", tokens), func(a *answer) float64 { return a.within(tokens, s.BySession) }})
	}
	for _, tokens := range budgets() {
		list = append(list, figure{fmt.Sprint("rendered_budget", tokens), fmt.Sprint("rB", tokens), func(a *answer) float64 { return a.inBlock(tokens, s.BySession) }})
	}
	if !slices.ContainsFunc(s.Documents, func(d Document) bool { return d.Session != "" }) {
		return list
	}
	for _, k := range []int{1, 3, 5, 10} {
		list = append(list, figure{fmt.Sprint("session_recall", k), fmt.Sprint("sR@", k), func(a *answer) float64 { return Recall(a.sessions, a.wantedSessions, k) }})
	}
	return append(list, figure{"session_ndcg10", "snDCG@10", func(a *answer) float64 { return NDCG(a.sessions, a.wantedSessions, 10) }})
}

// budgets are the numbers of tokens that the evidence has to fit into.
func budgets() []int { return []int{512, 1024, 2048, 4096} }

// within returns the part of what is wanted that fits a token budget by its texts alone.
func (a *answer) within(tokens int, bySession bool) float64 {
	costs := make([]int, len(a.deeper))
	for i, d := range a.deeper {
		costs[i] = d.tokens
	}
	var taken []found
	for _, i := range Within(costs, tokens) {
		taken = append(taken, a.deeper[i])
	}
	return a.recall(taken, bySession)
}

// inBlock returns the part of what is wanted that is in the block of a token budget.
func (a *answer) inBlock(tokens int, bySession bool) float64 {
	return a.recall(a.rendered[tokens], bySession)
}

func (a *answer) recall(taken []found, bySession bool) float64 {
	names := make([]string, len(taken))
	for i, d := range taken {
		names[i] = d.id
		if bySession {
			names[i] = d.session
		}
	}
	return RecallInSet(names, a.wanted)
}

// newAnswer puts an answer beside what is wanted.
func (s *Set) newAnswer(q *Query, sessions map[string]string, first, deeper []found, rendered map[int][]found) *answer {
	a := &answer{deeper: deeper, rendered: rendered, wanted: q.Relevant, wantedSessions: q.Relevant}
	for _, d := range first {
		a.ranked = append(a.ranked, d.id)
	}
	for _, d := range deeper {
		if d.session != "" {
			a.sessions = append(a.sessions, d.session)
		}
	}
	if !s.BySession {
		a.wantedSessions = nil
		for _, id := range q.Relevant {
			if session := sessions[id]; session != "" {
				a.wantedSessions = append(a.wantedSessions, session)
			}
		}
	}
	return a
}

// Figures are means over questions by key; "queries" has their number.
type Figures map[string]float64

// group is a part of the questions that gets means of its own.
type group struct {
	name string
	has  func(q *Query) bool
}

// summarize returns the means over the questions of a group, nil when it has none.
func summarize(figures []figure, queries []*Query, scores [][]float64, g group) Figures {
	out := Figures{}
	n := 0
	columns := make([][]float64, len(figures))
	for i, q := range queries {
		if !g.has(q) {
			continue
		}
		n++
		for k, v := range scores[i] {
			columns[k] = append(columns[k], v)
		}
	}
	if n == 0 {
		return nil
	}
	for k, f := range figures {
		if mean := Mean(columns[k]); !math.IsNaN(mean) {
			out[f.key] = mean
		}
	}
	out["queries"] = float64(n)
	return out
}
