// Scrub: candidates from the prefilter, then the rules in their order.

package scrub

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Finding is one secret that was replaced. It holds no part of the secret.
type Finding struct {
	Label      string // what stands in the text now: [REDACTED:<Label>]
	Start, End int    // byte span of the secret in the input
	Rule       string // the rule that found it, finer than the label
}

// Scrubber finds and replaces secrets. The zero value applies all rules. A
// Scrubber may be used concurrently as long as its fields don't change.
type Scrubber struct {
	// Disabled makes Scrub return its input.
	Disabled bool
}

// Scrub replaces the secrets in text by all rules; see [Scrubber.Scrub].
func Scrub(text string) (string, []Finding) {
	return new(Scrubber).Scrub(text)
}

// Scrub returns text with every secret replaced by "[REDACTED:<label>]", and
// the findings by ascending position. When there is none it returns text itself
// and nil.
func (s *Scrubber) Scrub(text string) (string, []Finding) {
	if s.Disabled {
		return text, nil
	}
	set := compiled()
	found := set.find(text)
	if len(found) == 0 {
		return text, nil
	}
	return redact(text, found), found
}

// redact writes text with the findings replaced.
func redact(text string, found []Finding) string {
	var b strings.Builder
	pos := 0
	for _, f := range found {
		b.WriteString(text[pos:f.Start])
		b.WriteString("[REDACTED:")
		b.WriteString(f.Label)
		b.WriteByte(']')
		pos = f.End
	}
	b.WriteString(text[pos:])
	return b.String()
}

// ruleSet is the compiled form of the rules.
type ruleSet struct {
	rules    []rule
	filter   *prefilter
	matchers sync.Pool // of []matcher, one per rule
}

var compiled = sync.OnceValue(func() *ruleSet { return newRuleSet(builtin()) })

func newRuleSet(rules []rule) *ruleSet {
	s := &ruleSet{rules: rules, filter: newPrefilter(rules)}
	s.matchers.New = func() any {
		m := make([]matcher, len(rules))
		for i := range m {
			m[i] = newMatcher(&rules[i])
		}
		return &m
	}
	return s
}

// candidate is a place where a rule matches the text as it was given.
type candidate struct{ rule, start, anchor int }

// find returns the findings by ascending position.
func (s *ruleSet) find(text string) []Finding {
	candidates := s.candidates(text)
	if len(candidates) == 0 {
		return nil
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.start, b.start))
	})
	v := &view{text: text}
	var found []Finding
	for len(candidates) > 0 {
		n := 1
		for n < len(candidates) && candidates[n].rule == candidates[0].rule {
			n++
		}
		found = s.apply(v, found, candidates[:n])
		candidates = candidates[n:]
	}
	return found
}

// candidates returns where rules match when no other rule is considered. An
// earlier rule's redaction can only take a match away, never make one: what it
// replaces begins and ends at word borders, and so does the replacement.
func (s *ruleSet) candidates(text string) []candidate {
	var (
		out    []candidate
		pooled *[]matcher
		v      = view{text: text}
		hot    = &s.filter.hot
	)
	for i := range len(text) {
		if !hot[text[i]] {
			continue
		}
		refs := s.filter.refs[text[i]]
		for k := range refs {
			a := &refs[k]
			start := i - a.offset
			if !a.mayBegin(text, start) || !a.at(text, start) {
				continue
			}
			if pooled == nil {
				pooled = s.matchers.Get().(*[]matcher)
			}
			if (*pooled)[a.rule].match(&v, start, len(a.text)) >= 0 {
				out = append(out, candidate{a.rule, start, len(a.text)})
			}
		}
	}
	if pooled != nil {
		s.release(pooled)
	}
	return out
}

// release makes matchers fit for another text and keeps them.
func (s *ruleSet) release(pooled *[]matcher) {
	for i := range *pooled {
		(*pooled)[i].forget()
	}
	s.matchers.Put(pooled)
}

// apply redacts the matches of one rule, whose candidates ascend, in what the
// rules before it left.
func (s *ruleSet) apply(v *view, found []Finding, candidates []candidate) []Finding {
	r := &s.rules[candidates[0].rule]
	m := newMatcher(r)
	pos := 0
	var matches []span
	for _, c := range candidates {
		if c.start < pos || v.floor(c.start+1) > c.start {
			continue // inside this rule's last match or an earlier finding
		}
		if end := m.match(v, c.start, c.anchor); end >= 0 {
			matches = append(matches, span{c.start, end})
			pos = end
		}
	}
	found = merge(found, matches, r)
	v.holes = v.holes[:0]
	for _, f := range found {
		v.holes = append(v.holes, span{f.Start, f.End})
	}
	return found
}

// merge adds the matches of rule r to the findings, both ascending. A match
// replaces the findings it encloses; they never overlap otherwise.
func merge(found []Finding, matches []span, r *rule) []Finding {
	if len(matches) == 0 {
		return found
	}
	out := make([]Finding, 0, len(found)+len(matches))
	for _, x := range matches {
		for len(found) > 0 && found[0].Start < x.start {
			out = append(out, found[0])
			found = found[1:]
		}
		for len(found) > 0 && found[0].Start < x.end {
			found = found[1:]
		}
		out = append(out, Finding{Label: r.label, Start: x.start, End: x.end, Rule: r.name})
	}
	return append(out, found...)
}
