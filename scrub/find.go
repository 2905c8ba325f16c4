// Finding: candidates from the prefilter, then the rules in their groups, on a
// text in which what is found becomes a hole.

package scrub

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// group says when a rule applies: each group sees what the earlier ones
// redacted as holes.
type group int

const (
	placeholders group = iota // of earlier scrubbing: holes, no findings
	blocks                    // multi-line keys
	formats                   // tokens that are known by their form
	contexts                  // values that are known by what stands before them
	customs                   // rules of the user
)

// matcher finds the secrets of one rule around one anchor, and records them by
// scan.hit. It looks at no more than MaxSecret bytes after the anchor, and
// before the anchor at nothing beyond a blank. number is that of the anchor among
// the rule's.
type matcher interface {
	match(s *scan, at int, anchor string, number int)
}

// rule is one kind of secret.
type rule struct {
	Info
	group   group
	anchors []string
	fold    bool // anchors match in any ASCII case
	before  *set // what stands before the anchors, if that is one set
	next    *set // what follows them
	matcher
}

// ruleSet is the compiled form of rules.
type ruleSet struct {
	rules  []rule // the built-in ones in their order, then hints
	first  int    // how many are built-in
	custom []customRule
	filter *prefilter
	pool   sync.Pool // of *scan
}

// newRuleSet compiles rules; sources are what the custom ones were made of.
func newRuleSet(rules []rule, custom []customRule, sources []Rule) *ruleSet {
	set := &ruleSet{rules: slices.Clone(rules), first: len(rules), custom: custom}
	labels := map[string]bool{}
	for _, r := range builtinRules() {
		labels[r.Label] = true
	}
	for i := range custom {
		labels[custom[i].Label] = true
		set.rules = append(set.rules, rule{group: customs, anchors: folded(&sources[i]), fold: sources[i].Fold, matcher: literal{}})
	}
	set.rules = append(set.rules, rule{group: placeholders, anchors: []string{placeholderHead}, matcher: placeholder{labels}})
	var refs []anchorRef
	for i := range set.rules {
		r := &set.rules[i]
		for k, a := range r.anchors {
			refs = append(refs, anchorRef{rule: i, number: k, text: a, fold: r.fold, before: r.before, next: r.next})
		}
	}
	set.filter = newPrefilter(refs)
	set.pool.New = func() any { return newScan() }
	return set
}

// folded returns the literals of a custom rule as the prefilter wants them.
func folded(r *Rule) []string {
	out := slices.Clone(r.Literals)
	for i := range out {
		if r.Fold {
			out[i] = strings.ToLower(out[i])
		}
	}
	return out
}

// info describes rule i of the matches.
func (set *ruleSet) info(i int) Info {
	if i >= set.first {
		return set.custom[i-set.first].Info
	}
	return set.rules[i].Info
}

// candidate is a place where a rule matches the text as it was given.
type candidate struct {
	group  group
	rule   int
	start  int // of the match
	at     int // of the anchor
	anchor string
	number int
}

// match is a finding before it is reported.
type match struct {
	span
	from    int // where the rule began to look: its anchor, or start
	rule    int
	allowed bool // found, but to be left as it is
}

// find returns the matches by ascending position.
func (set *ruleSet) find(text string, allow func(rule int, secret string) bool) []match {
	s := set.pool.Get().(*scan)
	defer set.release(s)
	s.reset(text)
	return set.examine(s, allow)
}

func (set *ruleSet) release(s *scan) {
	s.reset("") // keep no text alive
	set.pool.Put(s)
}

func (set *ruleSet) examine(s *scan, allow func(rule int, secret string) bool) []match {
	candidates := set.candidates(s)
	if len(candidates) == 0 && len(set.custom) == 0 {
		return nil
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.start, b.start), cmp.Compare(a.rule, b.rule))
	})
	var found []match
	var hinted []bool
	for len(candidates) > 0 {
		n := 1
		for n < len(candidates) && candidates[n].group == candidates[0].group {
			n++
		}
		if candidates[0].group == customs {
			hinted = make([]bool, len(set.custom))
			for _, c := range candidates[:n] {
				hinted[c.rule-set.first] = true
			}
		} else {
			found = set.apply(s, found, candidates[:n], allow)
		}
		candidates = candidates[n:]
	}
	found = set.applyCustom(s, found, hinted, allow)
	return slices.DeleteFunc(found, func(m match) bool { return m.rule < 0 })
}

// candidates returns where rules match when no other rule is considered.
func (set *ruleSet) candidates(s *scan) (out []candidate) {
	var last struct{ rule, start, end int }
	set.filter.sweep(s.text, func(a *anchorRef, start int) {
		if a.rule == last.rule && start > last.start && start < last.end {
			return // inside what this very rule has found
		}
		r := &set.rules[a.rule]
		anchor := s.text[start : start+len(a.text)]
		s.hits = s.hits[:0]
		r.match(s, start, anchor, a.number)
		if len(s.hits) == 0 {
			return
		}
		last.rule, last.start, last.end = a.rule, s.hits[0].start, s.hits[len(s.hits)-1].end
		out = append(out, candidate{r.group, a.rule, s.hits[0].start, start, anchor, a.number})
	})
	return out
}

// apply adds the matches of one group, whose candidates ascend, in what the
// groups before it left.
func (set *ruleSet) apply(s *scan, found []match, candidates []candidate, allow func(int, string) bool) []match {
	var fresh []match
	s.done = 0
	for _, c := range candidates {
		if c.at < s.done || s.inHole(c.at) {
			continue
		}
		s.hits = s.hits[:0]
		set.rules[c.rule].match(s, c.at, c.anchor, c.number)
		for _, h := range s.hits {
			if h.start < s.done || h.end <= h.start {
				continue
			}
			m := match{span: h, from: min(c.at, h.start), rule: c.rule}
			switch {
			case c.group == placeholders:
				m.rule = -1
			case allow != nil:
				m.allowed = allow(c.rule, s.text[h.start:h.end])
			}
			fresh = append(fresh, m)
			s.done = h.end
		}
	}
	s.done = 0
	return set.merge(s, found, fresh)
}

// merge adds matches to those of earlier groups, and makes them holes. They
// don't overlap, for a rule never looks into a hole.
func (set *ruleSet) merge(s *scan, found, fresh []match) []match {
	if len(fresh) == 0 {
		return found
	}
	found = append(found, fresh...)
	slices.SortFunc(found, func(a, b match) int { return cmp.Compare(a.start, b.start) })
	s.holes = s.holes[:0]
	for _, m := range found {
		s.holes = append(s.holes, m.span)
	}
	return found
}
