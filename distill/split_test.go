// Tests of splitting: the rows, the order of preference, an oracle, hostile input.

package distill

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

func TestSplitOnBudget(t *testing.T) {
	tests := []struct {
		name string
		text string
		max  int
		want []string
	}{
		{"row 117: no budget is one chunk", "a\nb\n", 0, []string{"a\nb\n"}},
		{"row 117: less than none too", "a\nb\n", -5, []string{"a\nb\n"}},
		{"row 118: empty", "", 10, nil},
		{"row 118: empty without budget", "", 0, nil},
		{"row 119: fitting lines", "one\ntwo\nthree\n", 14, []string{"one\ntwo\nthree\n"}},
		{"row 120: flush before exceeding", "aaaa\nbbbb\ncccc\n", 11, []string{"aaaa\nbbbb\n", "cccc\n"}},
		{"row 121: one long line", "0123456789\n", 5, []string{"01234", "56789", "\n"}},
		{"row 122: pending lines first", "ab\n0123456789", 5, []string{"ab\n", "01234", "56789"}},
		{"row 123: no final newline", "aaaa\nbbbb", 5, []string{"aaaa\n", "bbbb"}},

		{"turns before lines", "Ana: hi\nmore\nBen: yo\nmore\n", 22, []string{"Ana: hi\nmore\n", "Ben: yo\nmore\n"}},
		{"roles in brackets", "[user]\naa\nbb\n[assistant]\ncc\n", 24, []string{"[user]\naa\nbb\n", "[assistant]\ncc\n"}},
		{"objects", "{\"a\":\n1}\n{\"b\":2}\nxx", 18, []string{"{\"a\":\n1}\n", "{\"b\":2}\nxx"}},
		{"paragraphs before lines", "aa\nbb\n\ncc\ndd\n", 11, []string{"aa\nbb\n\n", "cc\ndd\n"}},
		{"turns before paragraphs", "Ana: hi\nBen: yo\n\nmore more", 22, []string{"Ana: hi\n", "Ben: yo\n\nmore more"}},
		{"lines before sentences", "aa\nBb. Cc. Dd", 10, []string{"aa\n", "Bb. Cc. Dd"}},
		{"sentences before words", "Aa bb. Cc dd ee", 12, []string{"Aa bb. ", "Cc dd ee"}},
		{"no sentence ends in the middle", "He saw e.g. Fords and v1.2 fords", 26, []string{"He saw e.g. ", "Fords and v1.2 fords"}},
		{"closing marks stay", `He said "no." She went off`, 20, []string{`He said "no." `, "She went off"}},
		{"words", "aaaa bbbb cccc", 11, []string{"aaaa bbbb ", "cccc"}},
		{"Chinese sentences", "我喜欢茶。他喜欢咖啡。", 8, []string{"我喜欢茶。", "他喜欢咖啡。"}},
		{"Chinese commas", "我喜欢茶，他喜欢咖啡", 8, []string{"我喜欢茶，", "他喜欢咖啡"}},
		{"CRLF", "aa\r\nbb\r\n", 5, []string{"aa\r\n", "bb\r\n"}},
		{"CR", "aa\rbb\r", 4, []string{"aa\r", "bb\r"}},
		{"emoji stay whole", "👨‍👩‍👧👨‍👩‍👧", 6, []string{"👨‍👩‍👧", "👨‍👩‍👧"}},
		{"a cluster over the budget", "ab👨‍👩‍👧c", 2, []string{"ab", "👨‍👩‍👧", "c"}},
		{"accents stay with their letters", "e\u0301e\u0301e\u0301", 3, []string{"e\u0301", "e\u0301", "e\u0301"}},
		{"bytes that aren't UTF-8", "\xff\xfe\xfd", 2, []string{"\xff\xfe", "\xfd"}},
		{"budget 1", "a\r\n b", 1, []string{"a", "\r\n", " ", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SplitOnBudget(tt.text, tt.max); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// checkSplit holds what SplitOnBudget promises of any text.
func checkSplit(t *testing.T, text string, limit int, chunks []string) {
	t.Helper()
	if strings.Join(chunks, "") != text {
		t.Fatalf("%q at %d: the chunks aren't the text: %q", text, limit, chunks)
	}
	clusters := map[int]int{} // start → end
	for g := uniseg.NewGraphemes(text); g.Next(); {
		start, end := g.Positions()
		clusters[start] = end
	}
	pos := 0
	for _, chunk := range chunks {
		if chunk == "" {
			t.Fatalf("%q at %d: an empty chunk", text, limit)
		}
		end, whole := clusters[pos]
		if !whole {
			t.Fatalf("%q at %d: a cluster is cut at %d: %q", text, limit, pos, chunks)
		}
		if n := utf8.RuneCountInString(chunk); limit > 0 && n > limit && pos+len(chunk) != end {
			t.Fatalf("%q at %d: a chunk of %d chars: %q", text, limit, n, chunk)
		}
		pos += len(chunk)
	}
}

var pieces = []string{
	"a", "word", " ", "  ", "\n", "\n\n", "\r\n", "\r", ". ", "! ", "。", "，", "语", "Ana: ", "[user]\n", "User: ", "{\"role\":1}\n", "e\u0301",
	"\u0301", "👨‍👩‍👧", "🇩🇪", "\xff", "\t", "https://x.y/z", "\x00", "नि", "한",
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// oracleSplit is the rule of SplitOnBudget as it is told, without care for time.
func oracleSplit(text string, limit int) []string {
	sorts := map[int]border{}
	s := splitter{text: text, limit: len(text) + 1, lineStart: true}
	for s.at.byte < len(text) {
		before := s.last
		s.note()
		for b := range borders {
			if s.last[b] != before[b] {
				sorts[s.at.byte] = b
			}
		}
		s.step()
	}
	var chunks []string
	for text, base := text, 0; text != ""; {
		stop := len(text)
		if utf8.RuneCountInString(text) > limit {
			fit := cut(text, limit)
			if fit == "" {
				n, _ := nextCluster(text)
				fit = text[:n]
			}
			stop = len(fit)
			best := border(-1)
			for i := 1; i <= len(fit); i++ {
				if b, ok := sorts[base+i]; ok && b >= best {
					best, stop = b, i
				}
			}
		}
		chunks = append(chunks, text[:stop])
		text, base = text[stop:], base+stop
	}
	return chunks
}

func TestSplitOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		text, limit := randomText(r, 40), 1+r.IntN(30)
		got := SplitOnBudget(text, limit)
		checkSplit(t, text, limit, got)
		if want := oracleSplit(text, limit); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q at %d:\ngot  %q\nwant %q", text, limit, got, want)
		}
	}
}

// Words that fit are never cut, and chunks aren't needlessly small: of six in a
// row, which may be the rest of a turn, paragraph, line, sentence and word, one is
// half full.
func TestSplitChunkCount(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var b strings.Builder
		for range 200 {
			b.WriteString([]string{"word ", "w ", "End. ", "line\n", "\n", "Ana: ", "longerword "}[r.IntN(7)])
		}
		limit := 12 + r.IntN(100)
		small := 0
		chunks := SplitOnBudget(b.String(), limit)
		for i, chunk := range chunks[:len(chunks)-1] {
			if small++; 2*len(chunk) >= limit {
				small = 0
			}
			if small > 5 {
				t.Fatalf("%d: small chunks in a row at %d: %q", limit, i, chunks)
			}
			last, next := chunk[len(chunk)-1], chunks[i+1][0]
			if !unicode.IsSpace(rune(last)) && !unicode.IsSpace(rune(next)) {
				t.Fatalf("%d: a word is cut: %q | %q", limit, chunk, chunks[i+1])
			}
		}
	}
}

// Hostile texts are read once, and looked ahead in at most once more; nothing is
// copied.
func TestSplitLinear(t *testing.T) {
	units := []string{"a", "\n", "{\r", "{\"a", "[", "Ana: ", "\u0301", "👨\u200d", " ", ". ", "<|im_start|>", "1:", "\xff", "{\"a\":1}\r", "Ana: x\n"}
	for _, unit := range units {
		text := strings.Repeat(unit, 1<<17/len(unit))
		s := splitter{text: text, limit: 1000, lineStart: true}
		s.run()
		if s.looked > len(text) {
			t.Errorf("%q: looked at %d bytes of %d", unit, s.looked, len(text))
		}
		if strings.Join(append(s.chunks, text[s.start.byte:]), "") != text {
			t.Errorf("%q: the chunks aren't the text", unit)
		}
		if len(s.chunks) > 6*len(text)/1000 {
			t.Errorf("%q: %d chunks", unit, len(s.chunks))
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, piece := range pieces {
		f.Add("ab"+piece+"cd", 3)
	}
	f.Add("Ana: hi\r\n\r\nBen: yo. Good 👨‍👩‍👧\xff", 7)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		chunks := SplitOnBudget(text, limit)
		checkSplit(t, text, limit, chunks)
		if limit > 0 && limit < 1000 && len(text) < 2000 {
			if want := oracleSplit(text, limit); !reflect.DeepEqual(chunks, want) {
				t.Fatalf("%q at %d:\ngot  %q\nwant %q", text, limit, chunks, want)
			}
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	kinds := map[string]string{
		"english": "Ana: I moved to Berlin last week. It was hard.\nBen: Why did you go there?\n\n",
		"chinese": "安娜：我上周搬到了柏林。那很难，但是值得。\n本：你为什么去那里？\n",
		"emoji":   "👨‍👩‍👧 👍🏽 🇩🇪 ok\n",
	}
	for _, name := range []string{"english", "chinese", "emoji"} {
		text := strings.Repeat(kinds[name], 1<<20/len(kinds[name]))
		b.Run(fmt.Sprintf("%s/1MB", name), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				SplitOnBudget(text, 100000)
			}
		})
	}
}
