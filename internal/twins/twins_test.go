package twins

// Pairs that are twins and pairs that aren't; random pairs against the naive
// share.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTwins(t *testing.T) {
	for _, c := range []struct {
		a, b string
		twin bool
	}{
		{"The backup runs at four.", "the backup runs at FOUR", true},
		{"The backup runs at four.", "The backup runs at five.", false},
		{"Deploy 4711 failed", "Deploy 4712 failed", false},
		{"Ödön möchte Tee", "ödön MÖCHTE tee!", true},
		{"", "", false},
		{"…", "…", false},
		{"word", "word word word", false}, // the pair is new
		{"a b c d e f g h i j k l m n o p q r s t", "a b c d e f g h i j k l m n o p q r s t u", true},
		{"one two", "two one", false},
	} {
		var set Set
		set.Add(c.a, 0.9)
		if added := set.Add(c.b, 0.9); added == c.twin {
			t.Errorf("%q and %q: twins %t", c.a, c.b, !added)
		}
	}
}

// TestAgainstAllPairs compares the set with a look at every pair.
func TestAgainstAllPairs(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 5))
	missed, found := 0, 0
	for range 200 {
		words := make([]string, 20+g.IntN(60))
		for i := range words {
			words[i] = fmt.Sprint("w", g.IntN(5000))
		}
		var set Set
		var kept []string
		for range 10 {
			changed := append([]string(nil), words...)
			for range g.IntN(4) {
				changed[g.IntN(len(changed))] = fmt.Sprint("x", g.IntN(5000))
			}
			s := strings.Join(changed, " ")
			twin := false
			for i := range kept {
				twin = twin || Overlap(kept[i], s) >= 0.9
			}
			added := set.Add(s, 0.9)
			switch {
			case !twin && !added:
				t.Fatal("a text without a twin was refused")
			case twin && added:
				missed++
			case twin:
				found++
			}
			if added {
				kept = append(kept, s)
			}
		}
	}
	if found == 0 || missed > found/100 {
		t.Errorf("%d twins found, %d missed", found, missed)
	}
}

func TestOverlapGolden(t *testing.T) {
	if got := Overlap("the old boat came in from the north", "the old boat came in from the south"); got != 12.0/16 {
		t.Errorf("overlap %v", got)
	}
}

func FuzzAdd(f *testing.F) {
	f.Add("The old boat", "the OLD boat!")
	f.Add("\xff\xfe", "日本語 テキスト")
	f.Fuzz(func(t *testing.T, a, b string) {
		o := Overlap(a, b)
		if o != Overlap(b, a) || o < 0 || o > 1 {
			t.Errorf("overlap %v of %q and %q", o, a, b)
		}
		var set Set
		if !set.Add(a, 0.9) {
			t.Error("an empty set refused a text")
		}
		if !set.Add(b, 0.9) && o < 0.9 {
			t.Errorf("%q is called a twin of %q: %v", b, a, o)
		}
		if len(shingles(a)) > 0 && set.Add(a, 0.9) {
			t.Errorf("%q is not its own twin", a)
		}
	})
}

// TestManyTexts: the set stays small.
func TestManyTexts(t *testing.T) {
	var set Set
	for i := range 3 * remembered {
		if !set.Add(fmt.Sprintf("a text of its own, %d and %d", i, i*i), 0.99) {
			t.Fatalf("text %d was refused", i)
		}
	}
	if len(set.latest) != remembered {
		t.Errorf("%d texts are kept", len(set.latest))
	}
	if i := 3*remembered - 1; set.Add(fmt.Sprintf("A TEXT of its own: %d and %d", i, i*i), 0.99) {
		t.Error("the latest text is not known")
	}
}

func BenchmarkAdd(b *testing.B) {
	var texts []string
	for i := range 128 {
		texts = append(texts, fmt.Sprint(strings.Repeat("the old boat came in from the north with salt ", 4), i, i*7, i*13))
	}
	distinct := make([]string, len(texts))
	for i := range distinct {
		for w := range 45 {
			distinct[i] += fmt.Sprint("word", (i*45+w*w)%997, " ")
		}
	}
	for name, list := range map[string][]string{"alike": texts, "distinct": distinct} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var set Set
				for _, text := range list {
					set.Add(text, 0.9)
				}
			}
		})
	}
}
