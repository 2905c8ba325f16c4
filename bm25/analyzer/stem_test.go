// The stemmer against a list of words with their Snowball English stems.

package analyzer

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestStemList: testdata/stems.txt holds "word stem" lines, real words and
// combinations of roots and suffixes; two independent implementations of the
// algorithm agree on every line.
func TestStemList(t *testing.T) {
	f, err := os.Open("testdata/stems.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for in := bufio.NewScanner(f); in.Scan(); n++ {
		word, want, _ := strings.Cut(in.Text(), " ")
		if got := string(stemEnglish([]byte(word))); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	if n < 1500 {
		t.Errorf("only %d words in the list", n)
	}
}

// TestStemKeepsNeighbours: a stem may be one byte longer than what was cut, and
// must not overwrite what follows the word in the same array.
func TestStemKeepsNeighbours(t *testing.T) {
	buf := []byte("dyingX")
	if got := string(stemEnglish(buf[:5:5])); got != "die" || buf[5] != 'X' {
		t.Errorf("stem %q, buffer %q", got, buf)
	}
}

func FuzzStem(f *testing.F) {
	for _, w := range []string{"generously", "yyyy", "eed", "ingly", "ational", "skies", "sses"} {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, word string) {
		var w []byte
		for i := range len(word) {
			w = append(w, 'a'+word[i]%26)
		}
		in := string(w)
		got := string(stemEnglish(w))
		if len(in) > 0 && (got == "" || len(got) > len(in) || !onlyLetters([]byte(got))) {
			t.Errorf("%q has the stem %q", in, got)
		}
	})
}

func TestIrregularForms(t *testing.T) {
	a := NewText(Options{})
	for _, pair := range [][2]string{
		{"went", "go"}, {"children", "child"}, {"bought", "buy"}, {"thought", "think"}, {"Mice", "mouse"}, {"wrote", "writing"},
	} {
		if !finds(a, pair[0], pair[1]) || !finds(a, pair[1], pair[0]) {
			t.Errorf("%s and %s have no term in common", pair[0], pair[1])
		}
	}
	if finds(NewText(Options{NoStem: true}), "went", "go") {
		t.Error("NoStem replaces irregular forms")
	}
	forms := irregularForms()
	for form, base := range forms {
		if _, ok := forms[base]; ok {
			t.Errorf("%s leads to %s, which leads on", form, base)
		}
	}
}

func TestStopWordList(t *testing.T) {
	words := stopWords()
	if len(words) < 100 {
		t.Errorf("%d stop words", len(words))
	}
	for _, w := range []string{"the", "what", "about", "not", "yourself"} {
		if got, want := words[w], w != "yourself"; got != want {
			t.Errorf("%s: %v", w, got)
		}
	}
}
