// Scrub, and the Scrubber with its settings.

package scrub

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is one secret that was replaced. It holds no part of the secret.
type Finding struct {
	Label      string // what stands in the text now: [REDACTED:<Label>]
	Rule       string // the rule that found it, finer than the label
	Start, End int    // byte span of the secret in the input
}

// Scrub replaces the secrets in text by all built-in rules; see
// [Scrubber.Scrub].
func Scrub(text string) (string, []Finding) {
	return new(Scrubber).Scrub(text)
}

// Options are the settings of a Scrubber. The zero value applies all built-in
// rules and nothing else.
type Options struct {
	// Disabled makes the Scrubber return what it is given.
	Disabled bool
	// Custom rules apply after the built-in ones, in their order.
	Custom []Rule
	// Off lists rules that don't apply, by name or by label.
	Off []string
	// Allow lists values that are never redacted, exactly as they would be: without
	// quotes, and for bearer tokens with or without the keyword.
	Allow []string
	// AllowFunc, when set, reports values that a rule must leave as they are. It
	// must always give the same answer for the same rule and value, and may be called
	// from several goroutines.
	AllowFunc func(rule, secret string) bool
}

// Scrubber finds and replaces secrets. The zero value applies all built-in
// rules; New makes one with settings. It may be used concurrently.
type Scrubber struct {
	disabled bool
	rules    *ruleSet // nil: the standard ones
	allowed  map[string]bool
	allow    func(rule, secret string) bool
}

// New returns a Scrubber with settings. Errors match ErrRule.
func New(o Options) (*Scrubber, error) {
	s := &Scrubber{disabled: o.Disabled, allow: o.AllowFunc}
	if len(o.Allow) > 0 {
		s.allowed = map[string]bool{}
		for _, v := range o.Allow {
			s.allowed[v] = true
		}
	}
	if len(o.Custom) == 0 && len(o.Off) == 0 {
		return s, nil
	}
	names := map[string]bool{}
	for _, r := range builtinRules() {
		names[r.Name] = true
	}
	var custom []customRule
	for i := range o.Custom {
		c, err := o.Custom[i].compile()
		if err != nil {
			return nil, err
		}
		if names[c.Name] {
			return nil, fmt.Errorf("%w: two rules are called %s", ErrRule, c.Name)
		}
		names[c.Name] = true
		custom = append(custom, c)
	}
	off, err := switchedOff(o.Off, custom)
	if err != nil {
		return nil, err
	}
	s.rules = newRuleSet(slices.DeleteFunc(slices.Clone(builtinRules()), func(r rule) bool { return off(r.Info) }), nil, nil)
	var kept []customRule
	var rules []Rule
	for i, c := range custom {
		if !off(c.Info) {
			kept, rules = append(kept, c), append(rules, o.Custom[i])
		}
	}
	if len(kept) > 0 {
		s.rules = newRuleSet(s.rules.rules[:s.rules.first], kept, rules)
	}
	return s, nil
}

// switchedOff returns what Options.Off means.
func switchedOff(names []string, custom []customRule) (func(Info) bool, error) {
	off := func(i Info) bool { return slices.Contains(names, i.Name) || slices.Contains(names, i.Label) }
	for _, n := range names {
		named := func(i Info) bool { return i.Name == n || i.Label == n }
		if !slices.ContainsFunc(builtinRules(), func(r rule) bool { return named(r.Info) }) &&
			!slices.ContainsFunc(custom, func(c customRule) bool { return named(c.Info) }) {
			return nil, fmt.Errorf("%w: no rule is called %q", ErrRule, n)
		}
	}
	return off, nil
}

// Rules returns the rules that apply, in their order: of two that match at one
// place the first wins.
func (s *Scrubber) Rules() []Info {
	if s.disabled {
		return nil
	}
	set := s.set()
	var out []Info
	for _, r := range set.rules[:set.first] {
		out = append(out, r.Info)
	}
	for _, c := range set.custom {
		out = append(out, c.Info)
	}
	return out
}

func (s *Scrubber) set() *ruleSet {
	if s.rules != nil {
		return s.rules
	}
	return standard()
}

// Scrub returns text with every secret replaced by "[REDACTED:<label>]", and
// the findings by ascending position. When there is none it returns text itself
// and nil.
func (s *Scrubber) Scrub(text string) (string, []Finding) {
	found := s.find(text)
	if len(found) == 0 {
		return text, nil
	}
	return redact(text, found), found
}

// Has reports whether Scrub would find anything in text.
func (s *Scrubber) Has(text string) bool { return len(s.find(text)) > 0 }

// find returns the findings.
func (s *Scrubber) find(text string) []Finding {
	return s.findings(s.matches(text))
}

func (s *Scrubber) findings(found []match) (out []Finding) {
	for _, m := range found {
		if !m.allowed {
			info := s.set().info(m.rule)
			out = append(out, Finding{info.Label, info.Name, m.start, m.end})
		}
	}
	return out
}

// matches returns what the rules find, values included that are allowed. What
// replaces a secret may make the text around it look like another one, so it is
// looked at again until nothing new is found: once more as a rule.
func (s *Scrubber) matches(text string) []match {
	if s.disabled {
		return nil
	}
	set := s.set()
	var allow func(int, string) bool
	if s.allowed != nil || s.allow != nil {
		allow = func(rule int, secret string) bool { return s.leaves(set.info(rule).Name, secret) }
	}
	found := set.find(text, allow)
	more := found
	for range maxPasses {
		redacted := s.findings(found)
		if len(more) == 0 || len(redacted) == 0 {
			break
		}
		if more = set.find(redact(text, redacted), allow); allow != nil {
			more = slices.DeleteFunc(more, func(m match) bool { return m.allowed })
		}
		found = join(found, redacted, more)
	}
	return found
}

// maxPasses keeps the time linear. The built-in rules need two passes, rarely
// three; a custom rule can be made to find the next match in every one, such as
// (?m)^x in a line of xs.
const maxPasses = 64

// leaves reports whether a secret is allowed.
func (s *Scrubber) leaves(rule, secret string) bool {
	bare := secret[strings.LastIndexFunc(secret, isBlank)+1:]
	return s.allowed[secret] || s.allowed[bare] || s.allow != nil && s.allow(rule, secret)
}

// join adds matches in the redacted text to those in the text itself. They lie
// beside each other: no rule looks into a placeholder.
func join(found []match, redacted []Finding, more []match) []match {
	if len(more) == 0 {
		return found
	}
	shift, k := 0, 0 // of the redacted text, before the finding at k
	for _, m := range more {
		for k < len(redacted) && redacted[k].Start+shift < m.start {
			shift += len(placeholderHead) + len(redacted[k].Label) + 1 - (redacted[k].End - redacted[k].Start)
			k++
		}
		m.start, m.end = m.start-shift, m.end-shift
		m.from = min(m.from-shift, m.start)
		// What was allowed before can't be allowed within something larger.
		found = slices.DeleteFunc(found, func(f match) bool { return f.allowed && f.start < m.end && m.start < f.end })
		found = append(found, m)
	}
	slices.SortFunc(found, func(a, b match) int { return cmp.Compare(a.start, b.start) })
	return found
}

// redact writes text with the findings replaced.
func redact(text string, found []Finding) string {
	var b strings.Builder
	b.Grow(len(text))
	pos := 0
	for _, f := range found {
		b.WriteString(text[pos:f.Start])
		writePlaceholder(&b, f.Label)
		pos = f.End
	}
	b.WriteString(text[pos:])
	return b.String()
}

func writePlaceholder(b *strings.Builder, label string) {
	b.WriteString(placeholderHead)
	b.WriteString(label)
	b.WriteByte(']')
}
