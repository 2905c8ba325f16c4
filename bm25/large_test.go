// This file decides whether searches are right where lists have many chunks and
// segments many windows; and what the benchmarks' documents look like.

package bm25

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// corpus is a set of documents with Zipf-distributed words, as in the targets:
// 45 words a document on average, 50 scopes.
type corpus struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
	next  uint64
}

func newCorpus(seed uint64, vocabulary int) *corpus {
	rng := rand.New(rand.NewPCG(seed, 1))
	c := &corpus{rng: rng, zipf: rand.NewZipf(rng, 1.07, 2.7, uint64(vocabulary-1)), next: 1}
	for i := range vocabulary {
		c.words = append(c.words, fmt.Sprintf("%c%c%x", 'a'+i*7%26, 'a'+i*11%26, i))
	}
	return c
}

func (c *corpus) word() string { return c.words[c.zipf.Uint64()] }

// docs makes n documents of mean words each.
func (c *corpus) docs(n, mean int) []Doc {
	docs := make([]Doc, n)
	at := map[string]int{}
	for i := range docs {
		d := Doc{Num: c.next, Scope: fmt.Sprintf("project:%02d", c.rng.IntN(50)), Kind: "note", Session: fmt.Sprintf("s%d", c.next/20),
			Sec: 1_700_000_000 + int64(c.next)*60, Nsec: c.rng.Uint32N(1e9), Cost: c.rng.Uint32N(200)}
		var id [16]byte
		binary.BigEndian.PutUint64(id[:], c.next)
		binary.BigEndian.PutUint64(id[8:], c.rng.Uint64())
		d.ID = string(id[:])
		clear(at)
		words := 1 + c.rng.IntN(2*mean-1)
		for range words {
			w := c.word()
			k, ok := at[w]
			if !ok {
				k = len(d.Vector.Terms)
				at[w] = k
				d.Vector.Terms = append(d.Vector.Terms, Term{Text: w})
			}
			d.Vector.Terms[k].TF++
		}
		d.Vector.Length = uint32(words)
		docs[i] = d
		c.next++
	}
	return docs
}

func (c *corpus) query() []string {
	var terms []string
	for range 2 + c.rng.IntN(7) {
		terms = append(terms, c.word())
	}
	return terms
}

// invertedOracle is the oracle for many documents.
type invertedOracle struct {
	*oracle
	lists map[string][]oraclePosting
	mean  float64
}

type oraclePosting struct{ doc, tf uint32 }

func invertOracle(o *oracle) *invertedOracle {
	x := &invertedOracle{oracle: o, lists: map[string][]oraclePosting{}, mean: o.average()}
	for i, d := range o.docs {
		for _, t := range d.Vector.Terms {
			x.lists[t.Text] = append(x.lists[t.Text], oraclePosting{uint32(i), t.TF})
		}
	}
	return x
}

// search is oracle.search by way of the lists.
func (x *invertedOracle) search(terms []string, f Filter, limit int) []Hit {
	scores := make([]float64, len(x.docs))
	c0, c1 := float64(x.params.K1*(1-x.params.B)), float64(x.params.K1*float64(x.params.B/x.mean))
	for _, t := range x.weigh(terms) {
		for _, p := range x.lists[t.text] {
			norm := c0 + float64(c1*float64(x.docs[p.doc].Vector.Length))
			scores[p.doc] += float64(t.w * (float64(p.tf) / (float64(p.tf) + norm)))
		}
	}
	at := -1
	return rankHits(x.docs, f, limit, func(*Doc) float64 { at++; return scores[at] })
}

func (x *invertedOracle) weigh(terms []string) []oracleTerm {
	return weightsOf(terms, x.params, len(x.docs), func(t string) uint64 { return uint64(len(x.lists[t])) })
}

// checkLarge compares searches of all kinds.
func checkLarge(t *testing.T, f *fixture, c *corpus, queries int) {
	t.Helper()
	truth := invertOracle(f.truth)
	g := &gen{Rand: c.rng}
	for n := range queries {
		terms, limit, flt := c.query(), []int{1, 10, 50, 50, 50, 500, -1}[g.IntN(7)], Filter{}
		if n%2 == 0 {
			scope := fmt.Sprintf("project:%02d", g.IntN(51))
			flt.Scope = &scope
		}
		if n%7 == 0 {
			from := Time{1_700_000_000 + g.Int64N(int64(c.next)*60), 0}
			flt.Since = &from
		}
		if n%11 == 0 {
			flt.Accept = func(num uint64) (bool, error) { return num%3 == 1, nil }
		}
		sameHits(t, fmt.Sprintf("search %q limit %d", terms, limit), f.search(terms, flt, limit), truth.search(terms, flt, limit))
		var nums []uint64
		for range 30 {
			nums = append(nums, g.Uint64N(c.next))
		}
		checkLargeScores(t, f, truth, terms, nums)
	}
}

func checkLargeScores(t *testing.T, f *fixture, truth *invertedOracle, terms []string, nums []uint64) {
	t.Helper()
	scores, _, err := f.ix.View().Scores(ctx, f.store, terms, nums)
	if err != nil {
		t.Fatal(err)
	}
	weights := truth.weigh(terms)
	for i, num := range nums {
		want := 0.0
		if at, ok := slices.BinarySearchFunc(truth.docs, num, func(d Doc, n uint64) int { return int(d.Num) - int(n) }); ok {
			want = truth.score(&truth.docs[at], weights, truth.mean)
		}
		if scores[i] != want {
			t.Fatalf("score of %d for %q is %v, want %v", num, terms, scores[i], want)
		}
	}
}

// TestLarge has lists of several chunks and segments of several windows.
func TestLarge(t *testing.T) {
	n, queries := 30_000, 250
	if testing.Short() {
		n, queries = 14_000, 60
	}
	c := newCorpus(1, 4000)
	f := newFixture(t, nil, Options{SegmentDocs: n / 2, ResidentIDs: true})
	f.commit(change{adds: c.docs(n, 12)})
	f.commit(change{adds: c.docs(300, 12)})
	checkLarge(t, f, c, queries)
	var dels []uint64
	for num := uint64(1); num < c.next; num += 1 + c.rng.Uint64N(25) {
		dels = append(dels, num)
	}
	f.commit(change{dels: dels})
	checkLarge(t, f, c, queries/2)
	f.tidy(f.ix.PlanFull)
	f.verify()
	checkLarge(t, f, c, queries/2)
	f.reopen()
	f.load()
	checkLarge(t, f, c, queries/4)
}

// TestLargeExtremes has documents and frequencies beyond every table and width.
func TestLargeExtremes(t *testing.T) {
	c := newCorpus(2, 300)
	f := newFixture(t, nil, Options{SegmentDocs: 5000})
	docs := c.docs(10_000, 4)
	for i := range docs {
		v := &docs[i].Vector
		switch i % 9 {
		case 0:
			v.Terms[0].TF = math.MaxUint32 >> (i % 33 % 32)
			v.Length = math.MaxUint32 - uint32(i)
		case 1:
			v.Length = 0
		case 2:
			v.Length = uint32(c.rng.IntN(200_000))
		case 3:
			v.Terms[0].TF = 250 + uint32(i%20)
		}
	}
	f.commit(change{adds: docs})
	checkLarge(t, f, c, 60)
	f.verify()
	f.tidy(f.ix.PlanFull)
	checkLarge(t, f, c, 30)
	f.verify()
}
