// The tokenizer gives the reference's ids: for every recorded text, and for every
// character between two letters.

package wordpiece

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// tokenizers returns the reference model's tokenizer, made of both notations.
func tokenizers(t testing.TB) map[string]*Tokenizer {
	t.Helper()
	vocab, special := vocabulary(t), uncasedSpecial()
	tokens, types := phantom(vocab, special)
	gguf, err := NewPhantom(tokens, types, special, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*Tokenizer{"plain": mustNew(t, vocab, special, Options{}), "phantom": gguf}
}

func TestRecordedTexts(t *testing.T) {
	texts := recordings(t)
	for name, tok := range tokenizers(t) {
		t.Run(name, func(t *testing.T) {
			for _, r := range texts {
				if got := tok.Encode(r.Text, 256); !slices.Equal(got, r.IDs) {
					t.Errorf("text %d (%s) %q:\n got %v\nwant %v", r.ID, r.Category, r.Text, got, r.IDs)
				}
				full := tok.Encode(r.Text, -1)
				if len(full) != r.Full {
					t.Errorf("text %d (%s): %d ids in all, want %d", r.ID, r.Category, len(full), r.Full)
				}
				if pieces := tok.AppendIDs(nil, r.Text); !slices.Equal(pieces, full[1:len(full)-1]) {
					t.Errorf("text %d (%s): AppendIDs and Encode differ", r.ID, r.Category)
				}
			}
		})
	}
}

// recordedWords is what the recording of code points says of 'a' + r + 'b'.
func recordedWords(r rune, c codePoint) []string {
	switch c.class {
	case "drop":
		return []string{"ab"}
	case "space":
		return []string{"a", "b"}
	case "split":
		return []string{"a", c.text, "b"}
	case "hangul":
		return []string{"a" + string(naiveJamo(r)) + "b"}
	}
	return []string{"a" + c.text + "b"}
}

// Every character, in both forms of the test: the words it is cut into and their
// ids.
func TestEveryCharacter(t *testing.T) {
	table := readCodePoints(t)
	tok, naive := uncased(t), uncasedOracle(t)
	characters := 0
	var got, want []int32
	var text, folded []byte
	for i, c := range table {
		r := rune(i)
		if !utf8.ValidRune(r) {
			continue
		}
		characters++
		text = utf8.AppendRune(append(text[:0], 'a'), r)
		text = append(text, 'b')
		words := recordedWords(r, c)
		s := scanner{text: string(text)}
		for w := 0; tok.next(&s); w++ {
			if folded = s.buf[:s.n]; w >= len(words) || string(folded) != words[w] {
				t.Fatalf("%U: word %d is %q, want %q", r, w, folded, words)
			}
		}
		want = want[:0]
		for _, word := range words {
			want = naive.appendPieces(want, word)
		}
		if got = tok.AppendIDs(got[:0], string(text)); !slices.Equal(got, want) {
			t.Fatalf("%U: ids %v, want %v", r, got, want)
		}
	}
	if characters != 1112064 {
		t.Errorf("%d characters", characters)
	}
}

// The longest word that is looked up, of each kind of character: characters are
// counted after normalisation.
func TestLongestWord(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 100, 255} {
		for _, c := range []struct {
			character string
			runes     int  // after normalisation
			cased     bool // in cased text
		}{
			{"a", 1, false},
			{"A", 1, false},
			{"\u00E9", 1, false},
			{"e\u0301\x00\u0327", 1, false},
			{"\u0434", 1, false},
			{"\uAC00", 2, false},
			{"\uD55C", 3, false},
			{"\u0BCA", 2, false},
			{"\U0001D160", 3, false},
			{"\U0001F642", 1, false},
			{"\uD55C", 1, true},
			{"\u0BCA", 1, true},
			{"e\u0301", 2, true},
			{"\u2260", 1, true},
		} {
			// A vocabulary in which every word of such characters has its pieces.
			o := &oracle{classes: readCodePoints(t), cased: c.cased}
			pieces := map[string]bool{}
			for _, w := range o.split(c.character) {
				for _, r := range w.runes {
					pieces[string(r)] = true
				}
			}
			vocab := []string{"[UNK]", "[CLS]", "[SEP]", "a"}
			for piece := range pieces {
				vocab = append(vocab, piece, "##"+piece)
			}
			special := Special{Unknown: 0, Begin: 1, End: 2, Pad: None, Mask: None}
			p := newPair(t, c.character, vocab, special, Options{Cased: c.cased, MaxWordRunes: limit})
			for n := max(0, limit/c.runes-2); n <= limit/c.runes+2; n++ {
				text := "a" + strings.Repeat(c.character, n)
				compare(t, p.tok, p.oracle, text+" a")
				unknown := p.tok.AppendIDs(nil, text[1:]+" a")[0] == 0
				if n > 0 && unknown != (n*c.runes > limit) {
					t.Errorf("%q of %d characters, limit %d: unknown is %t", c.character, n*c.runes, limit, unknown)
				}
			}
		}
	}
}
