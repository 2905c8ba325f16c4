// Fit against the plain way: render with each candidate, count, decide.

package render

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// fitPlainly is what Fit promises, without its savings.
func fitPlainly(hits []Hit, budget int, count func(string) int, o Options) (string, []Hit) {
	var kept []Hit
	for _, h := range hits {
		candidate := append(kept[:len(kept):len(kept)], h)
		if budget < 0 || count(Block(candidate, o)) <= budget {
			kept = candidate
		}
	}
	return Block(kept, o), kept
}

func quarterOfBytes(text string) int { return (len(text) + 3) / 4 }

// words counts words and marks, as a tokenizer does: additive but for the uneven cut.
func words(text string) (n int) {
	inWord := false
	for _, r := range text {
		letter := 'a' <= r|0x20 && r|0x20 <= 'z'
		if !letter && r != ' ' || letter && !inWord {
			n++
		}
		inWord = letter
	}
	return n
}

func randomHits(rng *rand.Rand) []Hit {
	hits := make([]Hit, rng.IntN(30))
	for i := range hits {
		hits[i] = Hit{Content: randomText(rng, 1+rng.IntN(60)), ID: randomText(rng, 4)}
		if rng.IntN(12) == 0 {
			hits[i].Content += strings.Repeat("`", rng.IntN(60))
		}
	}
	return hits
}

func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rounds := 600
	if testing.Short() {
		rounds = 60
	}
	options := allOptions()
	counts := []func(string) int{nil, words, func(s string) int { return len(s) }}
	for range rounds {
		hits, o, count := randomHits(rng), options[rng.IntN(len(options))], counts[rng.IntN(len(counts))]
		budget := rng.IntN(1500) - 20
		block, kept := Fit(hits, budget, count, o)
		if count == nil {
			count = quarterOfBytes
		}
		wantBlock, want := fitPlainly(hits, budget, count, o)
		if block != wantBlock || len(kept) != len(want) || len(kept) > 0 && !reflect.DeepEqual(kept, want) {
			t.Fatalf("%+v, budget %d: %d hits in %d tokens, want %d in %d", o, budget, len(kept), count(block), len(want), count(wantBlock))
		}
	}
}

func TestFitLimits(t *testing.T) {
	hits := sample()
	for _, s := range styles {
		o := Options{Style: s}
		need := quarterOfBytes(Block(hits, o))
		tests := []struct{ budget, kept int }{{-1, 2}, {need, 2}, {need - 1, 1}, {0, 0}, {1, 0}, {1 << 40 >> 10, 2}, {int(^uint(0) >> 1), 2}}
		for _, tt := range tests {
			block, kept := Fit(hits, tt.budget, nil, o)
			if len(kept) != tt.kept || (block == "") != (tt.kept == 0) || block != Block(kept, o) {
				t.Errorf("%v, budget %d: kept %d, want %d", s, tt.budget, len(kept), tt.kept)
			}
		}
	}
	if block, kept := Fit(nil, 100, nil, Options{}); block != "" || kept != nil {
		t.Errorf("no hits: %q, %v", block, kept)
	}
}

// One that is too long is passed over.
func TestFitGoesOn(t *testing.T) {
	hits := []Hit{{ID: "a", Content: "tea"}, {ID: "b", Content: strings.Repeat("cake ", 500)}, {ID: "c", Content: "milk"}, {ID: "d", Content: strings.Repeat("`", 900)}, {ID: "e", Content: "jam"}}
	_, kept := Fit(hits, 80, nil, Options{})
	var ids string
	for _, h := range kept {
		ids += h.ID
	}
	if ids != "ace" {
		t.Errorf("kept %s", ids)
	}
}

// A count that breaks every rule still gives a block within the budget.
func TestFitWithStrangeCounts(t *testing.T) {
	hits := randomHits(rand.New(rand.NewPCG(5, 6)))
	for _, count := range []func(string) int{
		func(s string) int { return len(s) * len(s) / 1000 },
		func(s string) int { return 0 },
		func(s string) int { return 1000000 },
		func(s string) int { return -len(s) },
		func(s string) int { return len(s) % 97 },
	} {
		for _, o := range allOptions() {
			block, kept := Fit(hits, 300, count, o)
			if block != "" && count(block) > 300 || block != Block(kept, o) {
				t.Errorf("%+v: %d tokens of %d hits", o, count(block), len(kept))
			}
		}
	}
}

// A block isn't rendered for each of many candidates: the bytes that are counted stay a
// small multiple of those of the hits.
func TestFitCountsLittle(t *testing.T) {
	hits := make([]Hit, 2000)
	total := 0
	for i := range hits {
		hits[i] = Hit{Content: strings.Repeat("tea and cake ", 10)}
		total += len(hits[i].Content)
	}
	counted := 0
	count := func(s string) int {
		counted += len(s)
		return words(s)
	}
	_, kept := Fit(hits, words(Block(hits[:1900], Options{}))+5, count, Options{})
	if len(kept) != 1900 || counted > 20*total {
		t.Errorf("kept %d, counted %d bytes for %d", len(kept), counted, total)
	}
}
