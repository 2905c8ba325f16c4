package corpus

// These tests decide that the texts are what the package's documentation says.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/bm25/analyzer"
)

// The texts of a seed are the same everywhere and for ever.
func TestGolden(t *testing.T) {
	c := New(1)
	h := sha256.New()
	for i := range 500 {
		fmt.Fprintln(h, c.Entry(i))
	}
	fmt.Fprintln(h, c.Queries(100), c.QueriesFromText(100, 500), c.QueriesOfContent(100, 500))
	const want = "63a82265b109314ead846dabeb0d29842cc35c5fc366087a28abe73ac2a99c2e"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the texts have changed: %s, want %s", got, want)
	}
}

// An entry doesn't depend on those made before it.
func TestAnyOrder(t *testing.T) {
	a, b := New(7), New(7)
	for i := range 10 {
		a.Entry(i)
	}
	if a.Entry(12345) != b.Entry(12345) {
		t.Error("entry 12345 differs")
	}
	if a.Entry(1) == New(8).Entry(1) {
		t.Error("another seed gives the same entry")
	}
}

// Every word is one term of its own to the analyzer that the store uses, in
// texts and in questions.
func TestWordsAreTerms(t *testing.T) {
	text := analyzer.NewText(analyzer.Options{})
	seen := map[string]string{}
	for _, w := range New(1).words {
		doc, asked := text.Document(nil, w), text.Query(nil, w)
		if len(doc) != 1 || !slices.Equal(doc, asked) {
			t.Fatalf("%q: terms %q, asked %q", w, doc, asked)
		}
		if other, ok := seen[doc[0]]; ok {
			t.Fatalf("%q and %q are one term", w, other)
		}
		seen[doc[0]] = w
	}
	if len(seen) != vocabulary {
		t.Errorf("%d words", len(seen))
	}
}

func TestDistribution(t *testing.T) {
	const n = 4000
	c := New(3)
	words, withCommonest := 0, 0
	perScope := map[string]int{}
	for i := range n {
		e := c.Entry(i)
		fields := strings.Fields(e.Content)
		if len(fields) < minWords || len(fields) > maxWords {
			t.Fatalf("entry %d has %d words", i, len(fields))
		}
		words += len(fields)
		if slices.Contains(fields, c.words[0]) {
			withCommonest++
		}
		perScope[e.Scope]++
		if i > 0 && e.Time.Sub(c.Entry(i-1).Time) != spacing {
			t.Fatalf("entry %d is at %v", i, e.Time)
		}
	}
	if mean := float64(words) / n; mean < 44 || mean > 46 {
		t.Errorf("%.1f words on average", mean)
	}
	if share := float64(withCommonest) / n; share < 0.65 || share > 0.8 {
		t.Errorf("the commonest word is in %.2f of the entries", share)
	}
	if len(perScope) != scopes {
		t.Errorf("%d scopes", len(perScope))
	}
	for s, count := range perScope {
		if count < n/scopes/2 || count > n/scopes*2 {
			t.Errorf("%d entries in %s", count, s)
		}
	}
}

func TestQueries(t *testing.T) {
	c := New(5)
	const entries = 200
	all := make([]Entry, entries)
	for i := range all {
		all[i] = c.Entry(i)
	}
	lengths := map[int]bool{}
	for _, q := range c.QueriesFromText(300, entries) {
		lengths[len(strings.Fields(q.Text))] = true
		if !slices.ContainsFunc(all, func(e Entry) bool { return e.Scope == q.Scope && strings.Contains(e.Content, q.Text) }) {
			t.Errorf("%q is in no entry of %s", q.Text, q.Scope)
		}
	}
	for _, q := range c.QueriesOfContent(300, entries) {
		words := strings.Fields(q.Text)
		if len(words) < 1 || len(words) > maxQueryWords {
			t.Errorf("a question of %d words", len(words))
		}
		for _, w := range words {
			if slices.Contains(c.words[:common], w) {
				t.Errorf("%q has the common word %q", q.Text, w)
			}
		}
		if !slices.ContainsFunc(all, func(e Entry) bool { return e.Scope == q.Scope && holdsAll(e.Content, words) }) {
			t.Errorf("%q is in no entry of %s", q.Text, q.Scope)
		}
	}
	for _, q := range c.Queries(300) {
		lengths[len(strings.Fields(q.Text))] = true
	}
	for k := range lengths {
		if k < minQueryWords || k > maxQueryWords {
			t.Errorf("a question of %d words", k)
		}
	}
	if len(lengths) != maxQueryWords-minQueryWords+1 {
		t.Errorf("lengths %v", lengths)
	}
}

func holdsAll(text string, words []string) bool {
	fields := strings.Fields(text)
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(fields, w) })
}

func BenchmarkEntry(b *testing.B) {
	c := New(1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Entry(i)
	}
}
