// This file tests random edits against a naive model: a map and two lists.

package lexicon

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naiveLexicon is what a file should hold. Terms are by folded form.
type naiveLexicon struct {
	terms    map[string]float64
	patterns map[Sort][]string // folded, in order
}

// apply makes an edit and reports whether it changes something.
func (n *naiveLexicon) apply(p Proposal, remove bool) bool {
	key := foldKey(p.Pattern)
	if p.Sort == Term {
		old, known := n.terms[key]
		switch {
		case remove:
			delete(n.terms, key)
			return known
		case known && old == p.Weight:
			return p.Rationale != ""
		}
		n.terms[key] = p.Weight
		return true
	}
	i := slices.Index(n.patterns[p.Sort], key)
	switch {
	case remove && i >= 0:
		n.patterns[p.Sort] = slices.Delete(n.patterns[p.Sort], i, i+1)
		return true
	case !remove && i < 0:
		n.patterns[p.Sort] = append(n.patterns[p.Sort], key)
		return true
	}
	return false
}

// holds compares the model with a loaded file.
func (n *naiveLexicon) holds(t *testing.T, s *ConfigScorer) {
	t.Helper()
	terms := map[string]float64{}
	for term, weight := range s.Terms() {
		terms[foldKey(term)] = weight
	}
	if !maps.Equal(terms, n.terms) {
		t.Fatalf("terms %v, want %v", terms, n.terms)
	}
	for sort, texts := range map[Sort][]string{Affirmation: s.Affirmations(), Negation: s.Negations()} {
		var keys []string
		for _, text := range texts {
			keys = append(keys, foldKey(text))
		}
		if want := slices.Sorted(slices.Values(n.patterns[sort])); !slices.Equal(slices.Sorted(slices.Values(keys)), want) {
			t.Fatalf("%s %q, want %q", sort, keys, want)
		}
	}
}

func TestAppenderModel(t *testing.T) {
	files := []string{
		"", "# one\n\n[other] # two\nx = 1 # three\n",
		"# one\r\n[negations]\r\npatterns = [ # two\r\n  # three\r\n]\r\n[terms]\r\n",
		"terms = {}\naffirmations.patterns = []\nnegations = { patterns = [] }\n# one\n# two\n# three",
		"\ufeffterms.\"x y\" = 1 # gone with its term\n# one\n# two\n\n[affirmations]\n# three\nother = 1\n",
	}
	edits := 120
	if testing.Short() {
		edits = 30
	}
	for i, file := range files {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		d := newDesk(t, file)
		model := naiveLexicon{terms: map[string]float64{}, patterns: map[Sort][]string{}}
		if strings.Contains(file, "x y") {
			model.terms[foldKey("x y")] = 1
		}
		serial := 0
		for range edits {
			p := Proposal{Sort: []Sort{Term, Affirmation, Negation}[r.IntN(3)], Pattern: randomPattern(r)}
			remove := r.IntN(3) == 0
			if r.IntN(2) == 0 && !remove {
				serial++
				p.Rationale = fmt.Sprintf("reason\n%d", serial)
			}
			var changed bool
			var err error
			switch {
			case !remove:
				if p.Sort == Term {
					p.Weight = float64(1+r.IntN(6)) / 4
				}
				changed, err = d.Append(t.Context(), p)
			case p.Sort == Term:
				changed, err = d.RemoveTerm(t.Context(), p.Pattern)
			case p.Sort == Affirmation:
				changed, err = d.RemoveAffirmation(t.Context(), p.Pattern)
			default:
				changed, err = d.RemoveNegation(t.Context(), p.Pattern)
			}
			if want := model.apply(p, remove); err != nil || changed != want {
				t.Fatalf("%+v, remove %v: changed %v, want %v, %v", p, remove, changed, want, err)
			}
		}
		s, err := Load(d.path)
		if err != nil {
			t.Fatal(err)
		}
		model.holds(t, s)
		for _, comment := range []string{"# one", "# two", "# three"} {
			if strings.Contains(file, comment) && !strings.Contains(d.text(), comment) {
				t.Errorf("%q is lost in\n%s", comment, d.text())
			}
		}
		if strings.Contains(file, "\r\n") && strings.Count(d.text(), "\n") != strings.Count(d.text(), "\r\n") {
			t.Errorf("mixed line ends in %q", d.text())
		}
	}
}

func randomPattern(r *rand.Rand) string {
	word := []string{"deploy", "x y", "that's it", "Zürich", "a.b", "\"quoted\" c", "日本", "k8s # note", "back\\slash", "[terms]"}[r.IntN(10)]
	switch r.IntN(4) {
	case 0:
		return strings.ToUpper(word)
	case 1:
		return "  " + strings.ReplaceAll(word, "'", "’") + "\t"
	}
	return word
}
