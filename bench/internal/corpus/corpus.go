// Package corpus generates the texts that the benchmarks store and ask for:
// the same ones on every machine, in any order, for a seed.
//
// # Distribution
//
// The vocabulary has 50,000 invented words of about five letters. The word of
// rank r (from 0) has the weight 1/(r + 3.7): Zipf's law in Mandelbrot's form
// with exponent 1 and offset 2.7, drawn from integers alone, so that no
// platform's math library decides a text. The commonest word is in about three
// entries of four. An entry has 10 to 80 words, the sum of two even draws, 45 on
// average; words are independent of each other. Entries are 30 seconds apart and
// spread evenly and at random over 50 scopes.
//
// A query has 2 to 8 words, evenly. Queries draws them from the distribution of
// the texts, so that most queries have a word that is in half of the entries, as
// if function words were searched for; QueriesFromText takes consecutive words of
// a random entry, which is as heavy but has an answer; QueriesOfContent leaves the
// 100 commonest words out of these, as analyzers leave function words out of
// questions, and is the nearest to what people ask.
//
// A Corpus is immutable and safe for concurrent use.
package corpus

// This file decides every byte of the generated texts.

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

const (
	vocabulary = 50_000
	scopes     = 50

	minWords, maxWords           = 10, 80
	minQueryWords, maxQueryWords = 2, 8

	common = 100 // ranks that stand for function words

	spacing = 30 * time.Second
)

// Corpus is one sequence of entries without an end.
type Corpus struct {
	seed  uint64
	words []string
	until []uint64 // by rank: sum of the weights up to and including it
}

// Entry is one generated text with its properties.
type Entry struct {
	Content string
	Scope   string
	Time    time.Time
}

// Query is one generated question. Scope is that of the entry it came from, or
// a random one.
type Query struct {
	Text  string
	Scope string
}

// New returns the corpus of a seed.
func New(seed uint64) *Corpus {
	c := &Corpus{seed: seed, words: make([]string, vocabulary), until: make([]uint64, vocabulary)}
	sum := uint64(0)
	for r := range c.words {
		c.words[r] = word(r)
		sum += (1 << 40) / uint64(10*r+37)
		c.until[r] = sum
	}
	return c
}

// word spells a rank with syllables of a consonant and a vowel and a last "k",
// which no stemmer takes off and which keeps clear of English function words.
func word(rank int) string {
	const consonants, vowels = "bdfglmnprt", "aiou"
	const base = len(consonants) * len(vowels)
	var letters []byte
	for n := rank + 1; n > 0; n = (n - 1) / base {
		s := (n - 1) % base
		letters = append(letters, consonants[s/len(vowels)], vowels[s%len(vowels)])
	}
	return string(append(letters, 'k'))
}

// source returns the random numbers of one item of a kind.
func (c *Corpus) source(kind, i uint64) *rand.Rand {
	return rand.New(rand.NewPCG(c.seed^kind<<56, scatter(i)))
}

// scatter is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast
// Splittable Pseudorandom Number Generators", 2014), so that neighbouring
// numbers give unrelated sources.
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const (
	kindEntry = iota + 1
	kindQuery
	kindTextQuery
	kindContentQuery
)

func (c *Corpus) word(r *rand.Rand) string {
	x := r.Uint64N(c.until[vocabulary-1])
	return c.words[sort.Search(vocabulary, func(i int) bool { return c.until[i] > x })]
}

// Entry returns entry i, from 0 on.
func (c *Corpus) Entry(i int) Entry {
	r := c.source(kindEntry, uint64(i))
	e := Entry{
		Scope: scope(r),
		Time:  time.Unix(1_700_000_000, 0).Add(time.Duration(i) * spacing).UTC(),
	}
	half := (maxWords - minWords) / 2
	n := minWords + r.IntN(half+1) + r.IntN(half+1)
	var b strings.Builder
	b.Grow(8 * n)
	for w := range n {
		if w > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.word(r))
	}
	e.Content = b.String()
	return e
}

func scope(r *rand.Rand) string { return "project:" + strconv.Itoa(r.IntN(scopes)) }

func queryWords(r *rand.Rand) int { return minQueryWords + r.IntN(maxQueryWords-minQueryWords+1) }

// Queries returns n questions of words drawn like those of the texts.
func (c *Corpus) Queries(n int) []Query {
	out := make([]Query, n)
	for i := range out {
		r := c.source(kindQuery, uint64(i))
		words := make([]string, queryWords(r))
		for w := range words {
			words[w] = c.word(r)
		}
		out[i] = Query{Text: strings.Join(words, " "), Scope: scope(r)}
	}
	return out
}

// QueriesFromText returns n questions, each of consecutive words of one of the
// first entries.
func (c *Corpus) QueriesFromText(n, entries int) []Query {
	return c.fromText(kindTextQuery, n, entries, strings.Fields)
}

// QueriesOfContent returns n questions, each of words of one of the first
// entries that follow each other there when the commonest are left out.
func (c *Corpus) QueriesOfContent(n, entries int) []Query {
	function := make(map[string]bool, common)
	for _, w := range c.words[:common] {
		function[w] = true
	}
	return c.fromText(kindContentQuery, n, entries, func(text string) []string {
		return slices.DeleteFunc(strings.Fields(text), func(w string) bool { return function[w] })
	})
}

func (c *Corpus) fromText(kind uint64, n, entries int, split func(string) []string) []Query {
	out := make([]Query, n)
	for i := range out {
		r := c.source(kind, uint64(i))
		var words []string
		var e Entry
		for len(words) == 0 {
			e = c.Entry(r.IntN(entries))
			words = split(e.Content)
		}
		k := min(queryWords(r), len(words))
		at := r.IntN(len(words) - k + 1)
		out[i] = Query{Text: strings.Join(words[at:at+k], " "), Scope: e.Scope}
	}
	return out
}
