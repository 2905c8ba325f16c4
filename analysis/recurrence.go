// This file decides which terms recur.

package analysis

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
)

// The reference implementation's limits on recurrence.
const (
	DefaultMinSessions = 2
	DefaultMaxRatio    = 0.8
)

// RecurrenceConfig says when a term recurs.
type RecurrenceConfig struct {
	// MinSessions is the smallest number of sessions with the term; 0 means
	// DefaultMinSessions, a negative number 1.
	MinSessions int
	// MaxRatio is the greatest share of sessions with the term: what occurs almost
	// everywhere is habit. Zero, negative numbers and NaN mean DefaultMaxRatio; 1
	// sets no limit.
	MaxRatio float64
	// Blocklist holds terms that never recur, in any case, of one word or several.
	// It is only read.
	Blocklist []string
}

// Recurring returns the terms that occur in enough of the sessions and not in too
// many, by recurrence descending, then by text. Each session is a map as
// SessionCounts returns it; only its keys count.
//
// A term of several tokens that recurs takes its single tokens out of the
// result; the pairs of tokens inside of three stay. A blocked term takes nothing
// out.
//
// With the default limits nothing recurs in less than three sessions: a term in
// two of two is in all of them.
func Recurring(sessions []map[string]int, cfg RecurrenceConfig) []Term {
	frequency := make(map[string]int)
	for _, session := range sessions {
		for term := range session {
			frequency[term]++
		}
	}
	return cfg.choose(maps.All(frequency), len(sessions))
}

// choose returns the terms that recur, of all terms with the number of sessions
// they occur in, which may come in any order.
func (cfg RecurrenceConfig) choose(frequency iter.Seq2[string, int], sessions int) (terms []Term) {
	least, most := cfg.limits()
	blocked := make(map[string]bool, len(cfg.Blocklist))
	for _, term := range cfg.Blocklist {
		blocked[strings.Join(strings.Fields(strings.ToLower(term)), " ")] = true
	}
	for term, n := range frequency {
		if ratio := float64(n) / float64(sessions); n >= least && ratio <= most && !blocked[term] {
			terms = append(terms, Term{Text: term, SessionFrequency: n, Recurrence: ratio})
		}
	}
	slices.SortFunc(terms, func(a, b Term) int {
		return cmp.Or(cmp.Compare(b.SessionFrequency, a.SessionFrequency), strings.Compare(a.Text, b.Text))
	})
	return withoutParts(terms)
}

func (cfg RecurrenceConfig) limits() (least int, most float64) {
	least, most = cfg.MinSessions, cfg.MaxRatio
	if least == 0 {
		least = DefaultMinSessions
	}
	if !(most > 0) {
		most = DefaultMaxRatio
	}
	return max(least, 1), most
}

// withoutParts removes the terms that are a single token of another term.
func withoutParts(terms []Term) []Term {
	parts := make(map[string]bool)
	for _, term := range terms {
		for _, token := range constituents(term.Text) {
			parts[token] = true
		}
	}
	return slices.DeleteFunc(terms, func(term Term) bool { return parts[term.Text] })
}
