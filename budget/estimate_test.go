// The estimate against counts of two real tokenizers, case P15, properties, and
// the cross-validation of the prices.

package budget

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

var printFit = flag.Bool("fit", false, "print the cross-validation of the prices, fold by fold")

// counted is a text with its length in two vocabularies.
type counted struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Text     string `json:"text"`
	CL100K   int    `json:"cl100k"`
	O200K    int    `json:"o200k"`
}

func (c counted) larger() int { return max(c.CL100K, c.O200K) }

// relative returns estimate/count - 1 for the larger count.
func (c counted) relative(estimate int) float64 { return float64(estimate)/float64(c.larger()) - 1 }

func load(t testing.TB, name string) []counted {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []counted
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c counted
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// summary is how a counter fares on texts of one category.
type summary struct {
	texts, low, high   int // low: more than 20 % too low, high: more than 35 % too high
	meanAbs, total     float64
	estimated, counted int
}

func summarise(texts []counted, counter Counter) map[string]summary {
	out := map[string]summary{}
	for _, c := range texts {
		s := out[c.Category]
		e := counter.Count(c.Text)
		r := c.relative(e)
		s.meanAbs = (float64(s.meanAbs*float64(s.texts)) + math.Abs(r)) / float64(s.texts+1)
		s.texts++
		s.estimated += e
		s.counted += c.larger()
		s.total = float64(s.estimated)/float64(s.counted) - 1
		if r < -0.2 {
			s.low++
		}
		if r > 0.35 {
			s.high++
		}
		out[c.Category] = s
	}
	return out
}

// Bounds by category: mean absolute error, error of the total, and how many
// texts may be more than 20 % too low. They are the measured figures and a
// little; "fuzz" is random runes of all Unicode, "long_word" mostly one letter
// or two repeated.
func TestEstimateByCategory(t *testing.T) {
	bounds := map[string]struct {
		meanAbs, low, high float64
		undercounts        int
	}{
		"english":      {0.07, -0.02, 0.08, 0},
		"generated":    {0.05, -0.02, 0.05, 0},
		"code":         {0.11, -0.02, 0.08, 0},
		"special":      {0.15, -0.05, 0.12, 0},
		"number":       {0.05, -0.04, 0.04, 0},
		"multilingual": {0.14, -0.05, 0.10, 1},
		"accents":      {0.19, -0.05, 0.12, 0},
		"accents_nfd":  {0.11, -0.05, 0.05, 0},
		"cjk":          {0.18, -0.05, 0.10, 2},
		"script":       {0.15, -0.05, 0.10, 2},
		"emoji":        {0.20, -0.05, 0.10, 0},
		"bad_utf8":     {0.23, 0, 0.25, 0},
		"truncation":   {0.14, 0, 0.13, 0},
		"whitespace":   {0.25, -0.05, 0.10, 2},
		"control":      {0.24, -0.05, 0.10, 4},
		"punct":        {0.22, -0.05, 0.12, 4},
		"combining":    {0.16, -0.05, 0.10, 1},
		"case":         {0.24, -0.12, 0.05, 3},
		"fuzz":         {0.13, -0.12, 0, 12},
		"long_word":    {0.70, 0, 0.35, 5},
		"":             {0.13, -0.05, 0.05, 0}, // P15
	}
	for name, s := range summarise(load(t, "counts.jsonl"), Estimate{}) {
		b, ok := bounds[name]
		if !ok {
			t.Errorf("category %q has no bounds", name)
		}
		t.Logf("%-12s %3d texts: mean |error| %4.1f %%, total %+5.1f %%, %2d low, %2d high", name, s.texts, 100*s.meanAbs, 100*s.total, s.low, s.high)
		if s.meanAbs > b.meanAbs || s.total < b.low || s.total > b.high || s.low > b.undercounts {
			t.Errorf("category %q is out of bounds %+v: %+v", name, b, s)
		}
	}
}

// Sentences in 28 languages: never more than 20 % too low, and the
// total of a language at most 35 % too high.
func TestEstimateLanguages(t *testing.T) {
	for name, s := range summarise(load(t, "languages.jsonl"), Estimate{}) {
		if s.low > 0 || s.total > 0.35 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// P15: Chinese, emoji, one-letter words and Korean, none less than the real
// count minus 20 %, which bytes over 4 miss.
func TestP15Estimate(t *testing.T) {
	texts := load(t, "counts.jsonl")
	tested := 0
	for _, c := range texts {
		if !strings.HasPrefix(c.ID, "p15-") {
			continue
		}
		tested++
		if r := c.relative(Estimate{}.Count(c.Text)); r < -0.2 || r > 0.35 {
			t.Errorf("%s: error %+.0f %%", c.ID, 100*r)
		}
	}
	if tested != 4 {
		t.Errorf("%d texts of the case, want 4", tested)
	}
	low := 0
	for _, c := range texts {
		if c.relative(BytesOver4{}.Count(c.Text)) < -0.2 {
			low++
		}
	}
	if low < 300 {
		t.Errorf("bytes over 4 is too low on %d texts only", low)
	}
}

func TestBytesOver4(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 8: 2, 27: 7} {
		if got := (BytesOver4{}).Count(strings.Repeat("x", n)); got != want {
			t.Errorf("%d bytes: %d, want %d", n, got, want)
		}
	}
	if got := (BytesOver4{}).Count("日本"); got != 2 {
		t.Errorf("six bytes: %d, want 2", got)
	}
}

func TestCounterFunc(t *testing.T) {
	var c Counter = CounterFunc(func(text string) int { return strings.Count(text, " ") + 1 })
	if got := c.Count("one two three"); got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestEstimateExamples(t *testing.T) {
	tests := map[string]int{
		"": 0, "a": 1, " ": 1, "Hello": 1, "Hello world": 2, "1": 1, "123456": 2, "\n": 1, "a\n\nb": 4, "\xff": 2, "日本語": 5,
		"err": 1, "!": 1, "\x00": 1, "\t\t\treturn": 3, "snake_case": 3, "camelCase": 3,
	}
	for text, want := range tests {
		if got := (Estimate{}).Count(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// The blocks are in order, and every rune has a class with a price.
func TestBlocks(t *testing.T) {
	for i := 1; i < len(blocks); i++ {
		if blocks[i-1].first >= blocks[i].first {
			t.Errorf("block %x follows %x", blocks[i].first, blocks[i-1].first)
		}
	}
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if c := runeClass(r); c < latin || c >= classes {
			t.Fatalf("%U has class %d", r, c)
		}
	}
	for c, p := range prices {
		if p <= 0 {
			t.Errorf("class %d has price %d", c, p)
		}
	}
}

func TestAsciiKinds(t *testing.T) {
	for c := range asciiKinds {
		want := asciiPunct
		switch {
		case c >= utf8.RuneSelf:
			want = asciiOther
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			want = asciiLetter
		case '0' <= c && c <= '9':
			want = asciiDigit
		case c == ' ' || '\t' <= c && c <= '\r':
			want = asciiBlank
		case c < ' ' || c == 0x7F:
			want = asciiControl
		}
		if int(asciiKinds[c]) != want {
			t.Errorf("byte %#x has kind %d, want %d", c, asciiKinds[c], want)
		}
	}
}

// A golden hash: integers cannot differ by platform, a changed price must show.
func TestEstimateGolden(t *testing.T) {
	h := fnv.New64a()
	for _, name := range []string{"counts.jsonl", "languages.jsonl"} {
		for _, c := range load(t, name) {
			fmt.Fprintln(h, c.ID, Estimate{}.Count(c.Text))
		}
	}
	if got, want := fmt.Sprintf("%016x", h.Sum64()), "fe11705c3dcab8c7"; got != want {
		t.Errorf("hash of the estimates is %s, want %s", got, want)
	}
}

func TestEstimateAllocatesNothing(t *testing.T) {
	text := strings.Repeat("Deploys on Fridays, 日本 🚀! ", 20)
	if n := testing.AllocsPerRun(100, func() { Estimate{}.Count(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzEstimate(f *testing.F) {
	for _, s := range []string{"", "a b", "ЗЗЗЗЗЗ", "\xff\xfe", "日本語 English 123", "!!!!!!!!", "👨\u200d👩", strings.Repeat("a", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := Estimate{}.Count(text)
		if (n == 0) != (text == "") || n < 0 {
			t.Errorf("%q: %d", text, n)
		}
		// No piece costs more than four tokens, and each has a byte at least.
		if n > 4*len(text)+1 {
			t.Errorf("%q: %d tokens for %d bytes", text, n, len(text))
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	texts := map[string]string{
		"english": strings.Repeat("Deploys on Fridays are forbidden unless the on-call engineer agrees. ", 16),
		"code":    strings.Repeat("if err != nil {\n\t\treturn fmt.Errorf(\"read %q: %w\", path, err)\n\t}\n", 16),
		"chinese": strings.Repeat("由于旧磁盘出现读取错误，数据库服务器在周二早上被迁移。", 14),
	}
	for _, name := range []string{"english", "code", "chinese"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(texts[name])))
			for b.Loop() {
				if (Estimate{}).Count(texts[name]) == 0 {
					b.Fatal("no tokens")
				}
			}
		})
	}
}
