// Folding of characters, and the lexicon behind it.

package injection

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	tests := []struct {
		text string
		want rune
	}{
		{"aAàÀäåąаАαΑａＡⓐⒶ𝐚𝕬ạắ4@", 'a'}, {"oOöøоОοΟ0ｏ𝑜ộ", 'o'}, {"eEéЕеёΕ3ệ", 'e'}, {"iIíıіІιΙ1ị", 'i'}, {"sSśѕЅ5$", 's'}, {"uüÜυừ", 'u'}, {"cçсС", 'c'}, {"nñŇ", 'n'}, {"tтТτ7", 't'}, {"жЖ", 'ж'}, {"漢", '漢'}, {"あ", 'あ'}, {"가", '가'},
		{"\u00ad\u0301\u200b\u200d\u202e\u2060\ufe0f\ufeff\U000e0041’", skip}, {" .,;-_#\n\u00a0\u2028。！🙂", apart},
	}
	for _, tt := range tests {
		for _, r := range tt.text {
			if got := fold(r); got != tt.want {
				t.Errorf("%q (%U): %q, want %q", r, r, got, tt.want)
			}
		}
	}
}

// No two words of the lexicon share a hash unless they fold to the same letters, and each is found.
func TestLexicon(t *testing.T) {
	folded := map[uint64]string{}
	for _, v := range vocabulary {
		for _, word := range strings.Fields(v.words) {
			letters := strings.Map(func(r rune) rune {
				if f := fold(r); f > apart {
					return f
				}
				return -1
			}, word)
			h := hashOf(word)
			if other, known := folded[h]; known && other != letters {
				t.Errorf("%s and %s share a hash", letters, other)
			}
			folded[h] = letters
			if x, found := compiled().find(h); !found || x.class&v.class == 0 {
				t.Errorf("%s isn't found", word)
			}
			if x, _ := compiled().find(hashOf(strings.Map(rotate, word))); v.rot13 && x.rot13&v.class == 0 {
				t.Errorf("%s isn't found in ROT13", word)
			}
		}
	}
}

// The table of the lexicon stays sparse.
func TestLexiconIsSparse(t *testing.T) {
	used := 0
	for _, s := range compiled().table {
		if s.lexeme != (lexeme{}) {
			used++
		}
	}
	if used < 100 || used*4 > tableSize {
		t.Errorf("%d of %d slots are used", used, tableSize)
	}
}

func TestPhrasesFitTheWindow(t *testing.T) {
	for _, p := range phrases {
		words := 0
		for _, gap := range p.gaps {
			words += 1 + gap
		}
		if len(p.slots) != len(p.gaps) || words > window {
			t.Errorf("%v: %d words", p, words)
		}
	}
}
