// Rules of the user: a regular expression, and literals that tell from afar
// whether it can match.

package scrub

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// ErrRule reports a custom rule that can't be used, in Go or in TOML.
var ErrRule = errors.New("scrub: unusable rule")

// Rule is a custom rule. Text that the pattern matches is redacted.
type Rule struct {
	// Name identifies the rule and Label is what it writes into the text: small
	// letters, digits and hyphens, at most 64 bytes. Without a label the name is
	// written. The name must differ from those of all other rules.
	Name  string `toml:"name"`
	Label string `toml:"label"`
	// Description says what the rule finds, for Rules.
	Description string `toml:"description"`
	// Pattern is a regular expression in Go's syntax (RE2, linear time). It must not
	// match the empty text, nor depend on where the text begins or ends: (?m)^ and
	// (?m)$ are allowed, \A and \z aren't; for them what is redacted ends a line.
	// Matches longer than MaxSecret are left.
	Pattern string `toml:"pattern"`
	// Group is the number of the group in Pattern that is the secret, 0 for the
	// whole match.
	Group int `toml:"group"`
	// Literals are texts of at least three bytes of which any match holds one; with
	// Fold, in any ASCII case. Without literals the pattern is tried on every text,
	// which costs many times as much as all other rules together.
	Literals []string `toml:"literals"`
	Fold     bool     `toml:"fold"`
}

// customRule is a compiled Rule.
type customRule struct {
	Info
	pattern *regexp.Regexp
	group   int
	always  bool // no literals
}

// literal marks that a custom rule may match the text.
type literal struct{}

func (literal) match(s *scan, at int, anchor string, _ int) { s.hit(at, at+len(anchor)) }

func (r *Rule) compile() (c customRule, err error) {
	c.Info = Info{r.Name, r.Label, r.Description}
	if c.Label == "" {
		c.Label = c.Name
	}
	if !validLabel(c.Name) || !validLabel(c.Label) {
		return c, fmt.Errorf("%w: name %q, label %q: want small letters, digits and hyphens, at most %d", ErrRule, r.Name, r.Label, maxLabel)
	}
	if c.pattern, err = regexp.Compile(r.Pattern); err != nil {
		return c, fmt.Errorf("%w: %s: %w", ErrRule, r.Name, err)
	}
	if r.Pattern == "" || c.pattern.MatchString("") {
		return c, fmt.Errorf("%w: %s: the pattern matches the empty text", ErrRule, r.Name)
	}
	if parsed, err := syntax.Parse(r.Pattern, syntax.Perl); err == nil && anchored(parsed) {
		return c, fmt.Errorf("%w: %s: the pattern depends on where the text begins or ends", ErrRule, r.Name)
	}
	if r.Group < 0 || r.Group > c.pattern.NumSubexp() {
		return c, fmt.Errorf("%w: %s: the pattern has no group %d", ErrRule, r.Name, r.Group)
	}
	for _, l := range r.Literals {
		if len(l) < window {
			return c, fmt.Errorf("%w: %s: literal %q is shorter than %d bytes", ErrRule, r.Name, l, window)
		}
	}
	c.group, c.always = r.Group, len(r.Literals) == 0
	return c, nil
}

// validLabel reports what can stand in a placeholder.
func validLabel(label string) bool {
	for i := range len(label) {
		if c := label[i]; !isLower(c) && !isDecimal(c) && c != '-' {
			return false
		}
	}
	return label != "" && len(label) <= maxLabel
}

func anchored(re *syntax.Regexp) bool {
	if re.Op == syntax.OpBeginText || re.Op == syntax.OpEndText {
		return true
	}
	for _, sub := range re.Sub {
		if anchored(sub) {
			return true
		}
	}
	return false
}

// applyCustom adds the matches of the custom rules whose literals were found, in
// what the rules before them left.
func (set *ruleSet) applyCustom(s *scan, found []match, hinted []bool, allow func(int, string) bool) []match {
	for i := range set.custom {
		c := &set.custom[i]
		if !c.always && (hinted == nil || !hinted[i]) {
			continue
		}
		var fresh []match
		pos := 0
		for k := range len(s.holes) + 1 {
			end := len(s.text)
			if k < len(s.holes) {
				end = s.holes[k].start
			}
			for _, loc := range c.pattern.FindAllStringSubmatchIndex(s.text[pos:end], -1) {
				h := span{pos + loc[2*c.group], pos + loc[2*c.group+1]}
				if loc[2*c.group] < 0 || h.end == h.start || loc[1]-loc[0] > MaxSecret {
					continue
				}
				m := match{span: h, from: pos + loc[0], rule: set.first + i}
				m.allowed = allow != nil && allow(m.rule, s.text[h.start:h.end])
				fresh = append(fresh, m)
			}
			if k < len(s.holes) {
				pos = s.holes[k].end
			}
		}
		found = set.merge(s, found, fresh)
	}
	return found
}
