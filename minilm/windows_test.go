package minilm_test

// Windows of texts of every kind.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/wordpiece"
)

// cutter is a model and its tokenizer, made once more.
type cutter struct {
	model     *minilm.Model
	tokenizer *wordpiece.Tokenizer
	prefix    int // tokens of the document prefix
}

func newCutter(t testing.TB, m *minilm.Model, words []string, types []int32, special wordpiece.Special) cutter {
	t.Helper()
	tokenizer, err := wordpiece.NewPhantom(words, types, special, wordpiece.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return cutter{m, tokenizer, len(tokenizer.Encode(m.Prefixes().Document, -1)) - 2}
}

// tinyCutter has a vocabulary of single letters: a word has many pieces.
func tinyCutter(t testing.TB, cfg minilm.Config) cutter {
	t.Helper()
	m := shape{width: 8, heads: 2, inner: 8, layers: 1, positions: 64}.model(t, cfg)
	words, types := vocabulary()
	return newCutter(t, m, words, types, wordpiece.Special{Unknown: 1, Begin: 2, End: 3, Pad: 0, Mask: 4})
}

func builtInCutter(t testing.TB, cfg minilm.Config) cutter {
	t.Helper()
	f := readWeights(t)
	words, err := f.Strings("tokenizer.ggml.tokens")
	if err != nil {
		t.Fatal(err)
	}
	types := make([]int32, len(words))
	for i, w := range words {
		types[i] = 1
		if strings.HasPrefix(w, "[") && strings.HasSuffix(w, "]") && len(w) > 3 && !strings.Contains(w, "unused") {
			types[i] = wordpiece.TypeControl
		}
	}
	return newCutter(t, builtIn(t, cfg), words, types, wordpiece.Special{Unknown: 100, Begin: 101, End: 102, Pad: 0, Mask: 103})
}

// count returns how many tokens a text has with prefix, uncut.
func (c cutter) count(text string) int {
	return c.prefix + len(c.tokenizer.Encode(text, -1))
}

// check returns what is wrong with the windows of a text.
func (c cutter) check(text string) error {
	windows := c.model.Windows(text)
	if c.count(text) <= c.model.MaxTokens() && len(windows) != 1 {
		return fmt.Errorf("%d windows of a text that fits", len(windows))
	}
	if len(windows) == 0 || windows[0].Start != 0 || windows[len(windows)-1].End != len(text) {
		return fmt.Errorf("%v don't cover %d bytes", windows, len(text))
	}
	for i, w := range windows {
		if n := c.count(text[w.Start:w.End]); n > c.model.MaxTokens() {
			return fmt.Errorf("window %d, %v, has %d tokens", i, w, n)
		}
		if i == 0 {
			continue
		}
		before := windows[i-1]
		if w.Start <= before.Start || w.Start > before.End || w.End <= before.End {
			return fmt.Errorf("window %d is %v behind %v", i, w, before)
		}
		for _, at := range []int{w.Start, before.End} {
			if at < len(text) && !utf8.RuneStart(text[at]) && utf8.ValidString(text) {
				return fmt.Errorf("window %d: byte %d is inside a character", i, at)
			}
		}
	}
	return c.checkWords(text, windows)
}

// checkWords looks for windows that cut through a word that would fit into one,
// and that are emptier than they have to be.
func (c cutter) checkWords(text string, windows []minilm.Window) error {
	ids, words := c.tokenizer.AppendWords(nil, nil, text)
	room := c.model.MaxTokens() - c.prefix - 2
	inside := map[int]bool{} // bytes at which a word is cut
	longest := 0
	for i, w := range words {
		pieces := len(ids) - w.First
		if i+1 < len(words) {
			pieces = words[i+1].First - w.First
		}
		longest = max(longest, pieces)
		for at := w.Start + 1; at < w.End && pieces <= room; at++ {
			inside[at] = true
		}
	}
	for i, w := range windows {
		if inside[w.Start] || inside[w.End] {
			return fmt.Errorf("window %d, %v, cuts through a word", i, w)
		}
		n := c.count(text[w.Start:w.End]) - c.prefix - 2
		if len(windows) > 1 && longest <= room && n <= room-longest {
			return fmt.Errorf("window %d, %v, has only %d pieces; %d and the longest word's %d fit", i, w, n, room, longest)
		}
	}
	return nil
}

// awkward are texts that a cutter could trip over.
func awkward() []string {
	const size = 1 << 12
	all := []string{
		"", " ", "\x80", strings.Repeat(" ", size), strings.Repeat("\x80", size), strings.Repeat("\u0301", size),
		strings.Repeat("a", size), strings.Repeat("a", 100), strings.Repeat("a ", size), strings.Repeat("一", size), strings.Repeat("é", 99),
		strings.Repeat("[CLS]", size/8), strings.Repeat("[CL", size/8), strings.Repeat("-", size), "a" + strings.Repeat("\x80", size) + strings.Repeat("b", 90),
		"ab" + strings.Repeat("\xbf", size) + strings.Repeat("cd", 40) + " e", "a" + strings.Repeat("\u0301", size) + strings.Repeat("b", 90),
		strings.Repeat("ü", 90) + strings.Repeat("\x80", size), strings.Repeat("boating ", size/8), strings.Repeat("boating", 14) + " " + strings.Repeat("b", 30),
		strings.Repeat(strings.Repeat("b", 21)+" "+strings.Repeat("c", 11)+" a ", 40), strings.Repeat("각", 99), strings.Repeat("👩‍👩‍👧 ", 100),
	}
	for n := range 80 {
		all = append(all, strings.Repeat("a ", n), strings.Repeat(".", n), strings.Repeat("a", n)+strings.Repeat(" the quiet boat", 9))
	}
	return all
}

func TestWindowsOfAwkwardTexts(t *testing.T) {
	prefixes := &minilm.Prefixes{Document: "passage: "}
	for name, c := range map[string]cutter{
		"tiny/64": tinyCutter(t, minilm.Config{}), "tiny/10": tinyCutter(t, minilm.Config{MaxTokens: 10}), "tiny/17": tinyCutter(t, minilm.Config{MaxTokens: 17}),
		"tiny/13/prefix": tinyCutter(t, minilm.Config{MaxTokens: 13, Prefixes: prefixes}), "built-in": builtInCutter(t, minilm.Config{}),
		"built-in/20/prefix": builtInCutter(t, minilm.Config{MaxTokens: 20, Prefixes: prefixes}),
	} {
		t.Run(name, func(t *testing.T) {
			for i, text := range awkward() {
				if err := c.check(text); err != nil {
					t.Errorf("text %d, %.30q: %v", i, text, err)
				}
			}
		})
	}
}

// randomText is made of parts that join, split, vanish or are broken.
func randomText(r *rand.Rand) string {
	parts := []string{"a", "b", "boat", "ing", "the", "ed", "q", " ", " ", "\n", ".", "一", "é", "e\u0301", "\x80", "\xc3", "[CLS]", "[", "\u200b", "각", "👩", "0", "x\u0308y"}
	var b strings.Builder
	for range r.IntN(300) {
		for part, n := parts[r.IntN(len(parts))], 1+r.IntN(4)*r.IntN(4); n > 0; n-- {
			b.WriteString(part)
		}
	}
	return b.String()
}

func TestWindowsOfRandomTexts(t *testing.T) {
	count := 1000
	if testing.Short() {
		count = 200
	}
	cutters := []cutter{tinyCutter(t, minilm.Config{MaxTokens: 10}), tinyCutter(t, minilm.Config{MaxTokens: 31}), builtInCutter(t, minilm.Config{MaxTokens: 12}), builtInCutter(t, minilm.Config{MaxTokens: 40})}
	r := rand.New(rand.NewPCG(9, 9))
	for i := range count {
		text := randomText(r)
		for j, c := range cutters {
			if err := c.check(text); err != nil {
				t.Fatalf("text %d, model %d, %q: %v", i, j, text, err)
			}
		}
	}
}

// A word of more pieces than a window, whose halves have fewer pieces apart than
// together: "ab" + "cd" are two, "abcd" is "abc" and letters that aren't there.
func TestWindowsOfHalvesThatDontAddUp(t *testing.T) {
	s := shape{width: 8, heads: 2, inner: 8, layers: 1, positions: 64}
	f := s.file(t)
	words, types := vocabulary()
	half, rest := strings.Repeat("z", 24), strings.Repeat("y", 24)
	words[len(words)-1], words[len(words)-2], words[len(words)-3] = "▁"+half, "▁"+rest, "▁"+half+"y"
	set(f, "tokenizer.ggml.tokens", words)
	m := fromFile(t, f, minilm.Config{MaxTokens: 12})
	c := newCutter(t, m, words, types, wordpiece.Special{Unknown: 1, Begin: 2, End: 3, Pad: 0, Mask: 4})
	for _, text := range []string{half + rest, "a b " + half + rest + " c d", strings.Repeat(half+rest+" ", 9)} {
		if err := c.check(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Words of one piece overlap by a quarter, and the last window is full.
func TestWindowOverlap(t *testing.T) {
	m := tinyCutter(t, minilm.Config{MaxTokens: 34}).model // 32 words
	for words, want := range map[int][][2]int{
		32:  {{0, 32}},
		33:  {{0, 32}, {1, 33}},
		56:  {{0, 32}, {24, 56}},
		57:  {{0, 32}, {24, 56}, {25, 57}},
		100: {{0, 32}, {24, 56}, {48, 80}, {68, 100}},
	} {
		var got [][2]int
		for _, w := range m.Windows(strings.Repeat("a ", words)) {
			got = append(got, [2]int{w.Start / 2, w.End / 2})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d words: %v, want %v", words, got, want)
		}
	}
}

func TestWindowsOfMegabytes(t *testing.T) {
	m := builtIn(t, minilm.Config{})
	small := builtIn(t, minilm.Config{MaxTokens: 16})
	for _, tt := range []struct {
		name, text  string
		least, most int
	}{
		{"letter", strings.Repeat("a", 1<<20), 1, 1},
		{"marks", strings.Repeat("\u0301", 1<<19), 1, 1},
		{"marks on a letter", "a" + strings.Repeat("\u0301", 1<<19), 1, 1},
		{"marks in a word", "qz" + strings.Repeat("\u0301", 1<<19) + strings.Repeat("jx", 40), 1, 20},
		{"ideographs", strings.Repeat("東", 1<<20/3), 1 << 20 / 3 / 254, 1 << 20 / 3 / 5},
		{"spaces", strings.Repeat(" ", 1<<20), 1, 1},
		{"invalid", strings.Repeat("\xff", 1<<20), 1, 1},
		{"words", strings.Repeat("old boat ", 1<<20/9), 1 << 20 / 9 * 2 / 254, 1 << 20 / 9 * 2 / 9},
	} {
		for _, m := range []*minilm.Model{m, small} {
			windows := m.Windows(tt.text)
			if n := len(windows); n < tt.least || n > tt.most {
				t.Errorf("%s: %d windows", tt.name, n)
			}
			for i, w := range windows[1:] {
				if before := windows[i]; w.Start <= before.Start || w.Start > before.End || w.End <= before.End {
					t.Fatalf("%s: window %d is %v behind %v", tt.name, i+1, w, before)
				}
			}
		}
	}
}

// Vectors of windows are those of their texts, with the document prefix.
func TestWindowVectors(t *testing.T) {
	s := shape{width: 32, heads: 2, inner: 40, layers: 1, positions: 24, kind: gguf.F16}
	for _, prefixes := range []*minilm.Prefixes{nil, {Query: "query: ", Document: "passage: "}} {
		m := s.model(t, minilm.Config{Prefixes: prefixes})
		for _, text := range []string{"", "the boat", strings.Repeat("the quiet boat. ", 20), strings.Repeat("z", 90)} {
			windows, err := m.EmbedWindows(context.Background(), text)
			if err != nil {
				t.Fatal(err)
			}
			bare := m.Windows(text)
			if len(windows) != len(bare) {
				t.Fatalf("%d windows, %d without vectors", len(windows), len(bare))
			}
			for i, w := range windows {
				if w.Start != bare[i].Start || w.End != bare[i].End || bare[i].Vector != nil {
					t.Errorf("%v, %v without vectors", w, bare[i])
				}
				if bits(w.Vector) != bits(embed(t, m, text[w.Start:w.End])[0]) {
					t.Errorf("%.20q: window %d has another vector than its text", text, i)
				}
			}
		}
	}
}

func FuzzWindows(f *testing.F) {
	for _, text := range awkward()[:20] {
		f.Add(text[:min(len(text), 300)], uint8(10))
	}
	r := rand.New(rand.NewPCG(4, 4))
	for n := range uint8(8) {
		f.Add(randomText(r), 10+5*n)
	}
	var cutters []cutter
	for n := 10; n <= 64; n++ {
		cutters = append(cutters, tinyCutter(f, minilm.Config{MaxTokens: n}))
	}
	f.Fuzz(func(t *testing.T, text string, limit uint8) {
		c := cutters[int(limit)%len(cutters)]
		if err := c.check(text); err != nil {
			t.Errorf("at most %d tokens: %v", c.model.MaxTokens(), err)
		}
	})
}
