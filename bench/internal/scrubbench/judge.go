package scrubbench

// This file decides what counts as caught, exact and a false alarm.

import (
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/scrub"
)

// Format is how the secrets of one label fared.
type Format struct {
	Label                        string
	Total, Caught, Exact, Scheme int            // Scheme: exact but for a scheme such as "Bearer "
	As                           map[string]int // what they were taken for: findings by label
}

// Category is how the negatives of one category fared.
type Category struct {
	Name          string
	Total, Alarms int
}

// Judgement is how a scrubber fares with a set.
type Judgement struct {
	Formats    []Format   // by label
	Categories []Category // by name
	Changed    int        // outputs that a second scrubbing changes
}

// Judge holds a scrubber against a set.
func Judge(s *scrub.Scrubber, set Set) (j Judgement) {
	formats, categories := map[string]*Format{}, map[string]*Category{}
	for i := range set.Positives {
		p := &set.Positives[i]
		f := formats[p.Label]
		if f == nil {
			f = &Format{Label: p.Label, As: map[string]int{}}
			formats[p.Label] = f
		}
		output, findings := s.Scrub(p.Text)
		f.count(p, output, findings)
		if again, _ := s.Scrub(output); again != output {
			j.Changed++
		}
	}
	for _, n := range set.Negatives {
		c := categories[n.Category]
		if c == nil {
			c = &Category{Name: n.Category}
			categories[n.Category] = c
		}
		c.Total++
		if output, _ := s.Scrub(n.Text); output != n.Text {
			c.Alarms++
		}
	}
	for _, f := range formats {
		j.Formats = append(j.Formats, *f)
	}
	for _, c := range categories {
		j.Categories = append(j.Categories, *c)
	}
	slices.SortFunc(j.Formats, func(a, b Format) int { return strings.Compare(a.Label, b.Label) })
	slices.SortFunc(j.Categories, func(a, b Category) int { return strings.Compare(a.Name, b.Name) })
	return j
}

func (f *Format) count(p *Positive, output string, findings []scrub.Finding) {
	f.Total++
	for _, x := range findings {
		if x.Start < p.End && p.Start < x.End {
			f.As[x.Label]++
		}
	}
	if left(output, p.Secret) {
		return
	}
	f.Caught++
	if !strings.HasSuffix(output, p.Text[p.End:]) {
		return
	}
	before := p.Text[:p.Start]
	for _, scheme := range [...]string{"Bearer ", "bearer ", "BEARER "} {
		if bare, ok := strings.CutSuffix(before, scheme); ok && !strings.HasPrefix(output, before) && strings.HasPrefix(output, bare) {
			f.Scheme++
			return
		}
	}
	if strings.HasPrefix(output, before) {
		f.Exact++
	}
}

// left reports whether the output holds 12 bytes of the secret in a row, or all
// of a shorter one.
func left(output, secret string) bool {
	const run = 12
	if len(secret) <= run {
		return strings.Contains(output, secret)
	}
	for i := range len(secret) - run + 1 {
		if strings.Contains(output, secret[i:i+run]) {
			return true
		}
	}
	return false
}
