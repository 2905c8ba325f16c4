// This file decides how fast scoring by hand is: a dozen terms, one of which 30 %
// of the documents have, and some hundred documents.

package bm25

import (
	"fmt"
	"testing"
)

// benchTerms marks 30 % of the documents with a common term, and returns it
// with eleven words.
func benchTerms(c *corpus, docs []Doc) []string {
	for i := range docs {
		if c.rng.IntN(10) < 3 {
			docs[i].Vector.Terms = append(docs[i].Vector.Terms, Term{Text: "\x01?", TF: 1})
		}
	}
	terms := []string{"\x01?"}
	for _, t := range distinct(append(append(append(c.query(), c.query()...), c.query()...), c.words[5:20]...)) {
		if len(terms) < 12 {
			terms = append(terms, t.text)
		}
	}
	return terms
}

// scopedIndex has documents of which every spread-th is of the scope "one".
func scopedIndex(b *testing.B, n, spread int, o Options) (f *fixture, c *corpus, terms []string, nums []uint64) {
	c = newCorpus(9, 60_000)
	docs := c.docs(n, 45)
	terms = benchTerms(c, docs)
	for i := 0; i < n; i += spread {
		docs[i].Scope = "one"
		nums = append(nums, docs[i].Num)
	}
	o.ResidentIDs, o.CacheBytes = true, 32<<20
	f = newFixture(b, nil, o)
	f.bulk(docs)
	return f, c, terms, nums
}

func BenchmarkFrequencies(b *testing.B) {
	run := func(name string, f *fixture, terms []string, nums []uint64) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.ix.View().Frequencies(ctx, f.store, terms, nums); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	f, c, terms, nums := scopedIndex(b, 600, 1, Options{})
	c.rng.Shuffle(len(nums), func(i, j int) { nums[i], nums[j] = nums[j], nums[i] })
	run("600", f, terms, nums[:350])
	f, c, terms, nums = scopedIndex(b, 600, 1, Options{TailDocs: 10_000})
	c.rng.Shuffle(len(nums), func(i, j int) { nums[i], nums[j] = nums[j], nums[i] })
	run("600-tail", f, terms, nums[:350])
	f, c, terms, nums = scopedIndex(b, 100_000, 160, Options{})
	c.rng.Shuffle(len(nums), func(i, j int) { nums[i], nums[j] = nums[j], nums[i] })
	run("600-of-100000", f, terms, nums[:350])
	nums = nil
	for range 60 {
		from := c.rng.Uint64N(99_990)
		for i := range uint64(6) {
			nums = append(nums, from+i)
		}
	}
	run("100000", f, terms, nums)
}

func BenchmarkStatistics(b *testing.B) {
	for _, n := range []int{600, 100_000} {
		f, c, terms, _ := scopedIndex(b, n, max(1, n/600), Options{})
		scope := "one"
		run := func(name string, scope *string) {
			b.Run(fmt.Sprintf("%d%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := f.ix.View().Statistics(ctx, f.store, scope, terms); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("", &scope)
		run("-all", nil)
		tx, batch := f.ix.Begin(), f.store.NewBatch()
		for num := uint64(1); num < uint64(n); num += 10 + c.rng.Uint64N(5) {
			v := TermVector{Length: 45}
			for _, t := range terms {
				v.Terms = append(v.Terms, Term{Text: t, TF: 1})
			}
			if err := tx.Delete(num, v); err != nil {
				b.Fatal(err)
			}
		}
		if err := tx.Apply(batch); err != nil {
			b.Fatal(err)
		}
		tx.Publish()
		run("-tombstones", &scope)
	}
}
