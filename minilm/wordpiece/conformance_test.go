// The tokenizer gives the reference's ids: for every recorded text, and for every
// character between two letters.

package wordpiece

import (
	"slices"
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
