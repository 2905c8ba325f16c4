// This file decides what random documents, queries and filters of the tests
// look like.

package bm25

import (
	"fmt"
	"math/rand/v2"
)

// gen makes random documents and queries.
type gen struct {
	*rand.Rand
	vocabulary int
	scopes     int
}

// word draws a term: low numbers are far more frequent.
func (g *gen) word() string {
	n := int(float64(g.vocabulary) * g.Float64() * g.Float64() * g.Float64() * g.Float64())
	switch n % 50 {
	case 48:
		return string([]byte{0xFF, byte(n), 0})
	case 49:
		return fmt.Sprintf("ünï%d", n)
	}
	return fmt.Sprintf("w%d", n)
}

func (g *gen) doc(num uint64) Doc {
	d := Doc{Num: num, ID: fmt.Sprintf("id-%08x", g.Uint32()), Kind: []string{"note", "chat", ""}[g.IntN(3)],
		Session: fmt.Sprintf("s%d", g.IntN(5)), Sec: int64(g.IntN(6)) - 3, Nsec: uint32(g.IntN(3)), Cost: uint32(g.IntN(1000))}
	if g.IntN(3) == 0 {
		d.ID = fmt.Sprintf("%016x", g.Uint64())
	}
	if n := g.IntN(g.scopes); n > 0 {
		d.Scope = fmt.Sprintf("scope%d", n)
	}
	if g.IntN(10) == 0 {
		d.Sec, d.Nsec = int64(g.Uint64()), g.Uint32N(1e9)
	}
	if g.IntN(8) == 0 {
		d.Expires, d.ExpSec, d.ExpNsec = true, int64(g.IntN(7))-3, uint32(g.IntN(2))
	}
	d.Vector = g.vector(g.IntN(20))
	switch g.IntN(60) {
	case 0:
		d.Vector = TermVector{}
	case 1:
		d.Vector = g.vector(400)
	case 2:
		if len(d.Vector.Terms) > 0 {
			tf := g.Uint32()>>g.IntN(32) | 1
			d.Vector.Terms[0].TF = tf
			d.Vector.Length += tf / 2
		}
	}
	g.mark(&d.Vector)
	return d
}

// features are terms that no text holds.
var features = []string{"\x01?", "\x01q", "\x01s:ann"}

// mark adds features, which don't count in the length.
func (g *gen) mark(v *TermVector) {
	for _, f := range features {
		if g.IntN(3) == 0 {
			v.Terms = append(v.Terms, Term{Text: f, TF: 1})
		}
	}
}

// anyTerm is a word or a feature.
func (g *gen) anyTerm() string {
	if g.IntN(4) == 0 {
		return features[g.IntN(len(features))]
	}
	return g.word()
}

func (g *gen) vector(words int) (v TermVector) {
	at := map[string]int{}
	for range words {
		w := g.word()
		i, ok := at[w]
		if !ok {
			i = len(v.Terms)
			at[w] = i
			v.Terms = append(v.Terms, Term{Text: w})
		}
		v.Terms[i].TF++
	}
	v.Length = uint32(words)
	return v
}

func (g *gen) query() (terms []string) {
	for range g.IntN(9) {
		terms = append(terms, g.anyTerm())
	}
	return terms
}

// anyScope is a scope, perhaps an unknown one, or nil.
func (g *gen) anyScope() *string {
	n := g.IntN(g.scopes + 2)
	if n > g.scopes {
		return nil
	}
	scope := ""
	if n > 0 {
		scope = fmt.Sprintf("scope%d", n)
	}
	return &scope
}

func (g *gen) filter() (f Filter) {
	if g.IntN(3) == 0 {
		f.Scope = g.anyScope()
	}
	f.GlobalOnly = g.IntN(12) == 0
	if g.IntN(4) == 0 {
		f.Kinds = [][]string{{"note"}, {"chat", ""}, {"nothing"}}[g.IntN(3)]
	}
	if g.IntN(4) == 0 {
		f.NotKinds = [][]string{{"chat"}, {"nothing", "note"}, {"nothing"}}[g.IntN(3)]
	}
	if g.IntN(6) == 0 {
		s := fmt.Sprintf("s%d", g.IntN(6))
		f.Session = &s
	}
	if g.IntN(4) == 0 {
		f.Since = &Time{int64(g.IntN(6)) - 3, uint32(g.IntN(3))}
	}
	if g.IntN(4) == 0 {
		f.Until = &Time{int64(g.IntN(6)) - 3, uint32(g.IntN(3))}
	}
	if g.IntN(3) == 0 {
		f.AsOf = &Time{int64(g.IntN(7)) - 3, uint32(g.IntN(2))}
	}
	if g.IntN(6) == 0 {
		mod := uint64(g.IntN(3) + 2)
		f.Accept = func(num uint64) (bool, error) { return num%mod == 0, nil }
	}
	return f
}

func (g *gen) limit() int { return []int{-1, 0, 1, 2, 3, 5, 10, 50, 1000}[g.IntN(9)] }
