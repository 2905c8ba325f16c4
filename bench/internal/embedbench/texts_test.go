package embedbench

// These tests decide that texts have exactly the tokens asked for.

import (
	"slices"
	"strings"
	"testing"
)

// letters has a token for every two letters of a word, none for "-".
func letters(text string) []int32 {
	ids := []int32{1}
	for _, word := range strings.Fields(text) {
		if word != "-" {
			ids = append(ids, make([]int32, (len(word)+1)/2)...)
		}
	}
	return append(ids, 2)
}

func TestFill(t *testing.T) {
	words := strings.Fields("of - lighthouses and sail boats")
	got, err := fill(3, 6, words, letters)
	if err != nil {
		t.Fatal(err)
	}
	// "lighthouses" would be two tokens too many in the first text, and is left out.
	if want := []string{"of and of", "and of of", "and of of"}; slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, text := range got {
		if n := len(letters(text)); n != 6 {
			t.Errorf("%q has %d tokens", text, n)
		}
	}
	if got, err := fill(1, 2, words, letters); err != nil || got[0] != "" {
		t.Errorf("a text of no words: %q, %v", got, err)
	}
}

func TestFillRefuses(t *testing.T) {
	if got, err := fill(1, 9, []string{"lighthouses", "-"}, letters); err == nil {
		t.Errorf("a text of 7 tokens from words of 6: %q", got)
	}
	cut := func(text string) []int32 { return letters(text)[:min(5, len(letters(text)))] }
	if got, err := fill(1, 8, []string{"of"}, cut); err == nil {
		t.Errorf("a text longer than the model takes: %q", got)
	}
}

func TestSamples(t *testing.T) {
	m, err := Source{}.load("", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ batch, tokens, calls int }{{1, 8, 32}, {1, 256, 32}, {3, 32, 10}, {32, 128, 1}, {40, 8, 1}} {
		all, err := samples(tt.batch, tt.tokens, m.Tokenize)
		if err != nil || len(all) != tt.calls {
			t.Fatalf("%+v: %d calls, %v", tt, len(all), err)
		}
		seen := map[string]bool{}
		for _, s := range all {
			if len(s.texts) != tt.batch || len(s.ids) != tt.batch {
				t.Fatalf("%+v: %d texts, %d lists of ids", tt, len(s.texts), len(s.ids))
			}
			for i, text := range s.texts {
				if got := m.Tokenize(text); len(got) != tt.tokens || !slices.Equal(got, s.ids[i]) {
					t.Errorf("%q: %d tokens, not %d", text, len(got), tt.tokens)
				}
				seen[text] = true
			}
		}
		if len(seen) < tt.batch*tt.calls*9/10 {
			t.Errorf("%+v: only %d different texts", tt, len(seen))
		}
	}
	if _, err := samples(1, 257, m.Tokenize); err == nil {
		t.Error("a text beyond the model's limit")
	}
}

func BenchmarkSamples(b *testing.B) {
	m, err := Source{}.load("", 1)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("256", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := samples(1, 256, m.Tokenize); err != nil {
				b.Fatal(err)
			}
		}
	})
}
