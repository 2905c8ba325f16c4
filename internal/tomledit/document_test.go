package tomledit

// This file tests that every form of TOML is located where it is.

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

const forms = "\ufeff# head\r\n" +
	"title = \"a # b\"\r\n" + // 2
	"affirmations.patterns = [ 'x', # one\r\n" + // 3
	"  \"y]\",\r\n" + // 4
	"  \"\"\"z\r\n" + // 5
	"[terms]\r\n" +
	"\"\"\", 'w' ]\r\n" + // 7
	"inline = { a = 1, b.c = 2, 'd' = { e = 3 } } # end\r\n" + // 8
	"when = 1979-05-27 07:32:00 # a date\r\n" + // 9
	"\r\n" +
	"[ terms ] # [not]\r\n" + // 11
	"deploy=1\r\n" + // 12
	"\"p\\u0061ge\\tr\" = 0.5\r\n" + // 13
	"'it''\r\n" // broken on purpose, cut off below

func parse(t testing.TB, text string) *Document {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

func TestLine(t *testing.T) {
	text := strings.TrimSuffix(forms, "'it''\r\n") +
		"sub.x = 1\r\n" + // 14
		"[[many]]\r\n" + // 15
		"k = 1\r\n" +
		"[[many]]\r\n" +
		"[negations.patterns]\r\n" + // 18
		"a = 1\r\n"
	d := parse(t, text)
	for _, tt := range []struct {
		table, key string
		want       int
	}{
		{"", "title", 2}, {"", "affirmations", 3}, {"affirmations", "patterns", 3},
		{"", "inline", 8}, {"inline", "a", 8}, {"inline", "b", 8}, {"inline", "d", 8},
		{"", "when", 9}, {"", "terms", 11}, {"terms", "deploy", 12}, {"terms", "page\tr", 13},
		{"terms", "sub", 14}, {"", "many", 15}, {"many", "k", 0}, {"", "negations", 18}, {"negations", "patterns", 18},
		{"terms", "Deploy", 0}, {"none", "x", 0}, {"", "none", 0}, {"title", "x", 0},
	} {
		if got := d.Line(tt.table, tt.key); got != tt.want {
			t.Errorf("Line(%q, %q) = %d, want %d", tt.table, tt.key, got, tt.want)
		}
	}
	for i, want := range []int{3, 4, 5, 7, 0} {
		if got := d.ElementLine("affirmations", "patterns", i); got != want {
			t.Errorf("element %d: line %d, want %d", i, got, want)
		}
	}
	if d.ElementLine("affirmations", "patterns", -1) != 0 || d.ElementLine("terms", "deploy", 0) != 0 || d.ElementLine("", "terms", 0) != 0 {
		t.Error("an element that isn't there has a line")
	}
	if string(d.Bytes()) != text {
		t.Error("the text changed")
	}
}

// What the decoder takes, the scanner has to understand.
func TestParseForms(t *testing.T) {
	for _, text := range []string{
		"", "\n", "\ufeff", "# only", "a = 1", "\r\n# x\r\n",
		`a = """x""""`, `a = """x"""""`, `a = """""""`, `a = '''x'''''`, `a = """\""""`, `a = """ \"""""" `,
		"a = \"\"\"\\\r\n  x\"\"\"", "a = ''", `a = ""`, `a = "\\"`, `a = '\'`,
		"a = [[1, 2], [], [ 'x', \"y\" ] ]", "a = [ # c\n1 # d\n, # e\n2 ] # f",
		"a = [{ b = 1 }, { b = 2, c = [] }]", "a = {}", "a = { b = { c = { d = [{}] } } }",
		"a = {\n b = 1, # c\n d = 2,\n}", "a = { b.c = 1, b.d = 2 }",
		"[a]\n[a.b]\n[[a.c]]\nx=1\n[[a.c]]\n[a.c.d]\ny=1", "[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]",
		"[a.b]\n[a]", "[ a . 'b' . \"c\" ]", "a . b = 1\na.c = 2", "\"\" = 1\n[x]\n'' = 2", "[\"\"]\na=1",
		"a = inf\nb = -nan\nc = 0x1F\nd = 1_000\ne = 1e5\nf = 07:32:00\ng = 1979-05-27T07:32:00Z", "3.14 = 1",
		"a = true # ]\n", "a = \"[b]\"\n[b]",
	} {
		d, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for key := range d.Tree() {
			if key != "" && d.Line("", key) == 0 {
				t.Errorf("%q: key %q isn't located", text, key)
			}
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range []struct {
		text         string
		line, column int
	}{
		{"a = 1\nb = \n", 2, 5},
		{"a = 1\n[x\n", 2, 3},
		{"a = 1 2\n", 1, 6},
		{"a = [1, 2\n", 0, 0},
		{"a = 1\na = 2\n", 2, 0},
		{"a = \"x\nb\"", 1, 0},
		{"= 1", 1, 1},
		{"a = \"\\q\"", 1, 0},
		{"a = 'x", 1, 0}, {"a = '''x", 1, 0}, {"[[a]\n", 1, 0}, {"a.b", 1, 0}, {"a = {b = 1", 1, 0}, {"a = [1 2]", 1, 0},
		{"a = 1\n\"\\q\" = 1", 2, 0}, {"\"a\nb\" = 1", 0, 0}, {"a = 1\x00", 1, 0}, {"\xff\xfea\x00", 0, 0}, {"a = \xff", 1, 0},
	} {
		_, err := Parse([]byte(tt.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if tt.line > 0 && syntax.Line != tt.line || tt.column > 0 && syntax.Column != tt.column || syntax.Line < 1 || syntax.Column < 1 {
			t.Errorf("%q: %v, want line %d, column %d", tt.text, err, tt.line, tt.column)
		}
	}
}

// Texts that a recursive or quadratic decoder would choke on are refused soon.
func TestHostileTexts(t *testing.T) {
	for name, text := range map[string]string{
		"brackets":      "a = " + strings.Repeat("[", 1<<20),
		"braces":        "a = " + strings.Repeat("{a=", 1<<18),
		"closed":        "a = " + strings.Repeat("[", maxNesting+1) + strings.Repeat("]", maxNesting+1),
		"dots":          strings.Repeat("a.", 1<<19) + "a = 1",
		"parts":         strings.Repeat("a.", maxNesting) + "a = 1",
		"key":           strings.Repeat("a", maxKey+1) + " = 1",
		"quoted key":    `"` + strings.Repeat("a", maxKey) + `" = 1`,
		"header":        "[" + strings.Repeat("a.", 1<<19) + "a]",
		"broken string": strings.Repeat("a = \"\n", 1<<10) + strings.Repeat("[", 1<<20),
	} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	parse(t, "a = "+strings.Repeat("[", maxNesting)+strings.Repeat("]", maxNesting))
	parse(t, strings.Repeat("a.", maxNesting-1)+"a = 1")
	parse(t, strings.Repeat("a", maxKey-1)+" = 1")
}

// Long keys around many short ones make the decoder keep the long ones many times.
func TestLongPaths(t *testing.T) {
	long := strings.Repeat("k", maxKey-10)
	var keys, inner strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, "%d=1\n", i)
		fmt.Fprintf(&inner, "%d=1,", i)
	}
	for _, text := range []string{
		"[" + long + "]\n" + keys.String(),
		long + " = {" + inner.String() + "}",
		"[" + long + "]\na = [{ " + long + " = {" + inner.String() + "} }]",
	} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	parse(t, "[terms]\n"+keys.String()+"[more]\nx = {"+inner.String()+"}\n["+long+"]\nx = 1")
}

// The work grows with the text, not faster.
func TestParseIsLinear(t *testing.T) {
	for _, unit := range []string{"[t%d]\nk = 1 # c\n", "k%d = ['a', 'b'] # c\n", "a.k%d = { b = 1 }\n", "\"k\\t%d\" = 'x'\n", "[[t]]\nk = %d\n"} {
		allocs := func(n int) float64 {
			var text strings.Builder
			for i := range n {
				fmt.Fprintf(&text, unit, i)
			}
			return testing.AllocsPerRun(3, func() { parse(t, text.String()) })
		}
		if few, many := allocs(200), allocs(2000); many > 13*few {
			t.Errorf("%q: %v allocations, then %v", unit, few, many)
		}
	}
}

func TestTreesEqual(t *testing.T) {
	tree := func(text string) map[string]any {
		var out map[string]any
		if err := toml.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	const all = "a = [1, 'x', nan, 1979-05-27, 07:32:00, [true]]\n[b]\nc = 1979-05-27T07:32:00+01:00\n[[d]]\nx = 1"
	if !equal(tree(all), tree(all)) {
		t.Error("a tree isn't equal to itself")
	}
	for _, other := range []string{
		strings.Replace(all, "1,", "1.0,", 1), strings.Replace(all, "nan", "2.0", 1), strings.Replace(all, "05-27,", "05-28,", 1),
		strings.Replace(all, "[true]", "[]", 1), strings.Replace(all, "x = 1", "", 1), strings.Replace(all, "[[d]]", "[d]", 1),
		strings.Replace(all, "c =", "e =", 1), strings.Replace(all, "+01:00", "", 1), all + "\n[[d]]",
	} {
		if equal(tree(all), tree(other)) || equal(tree(other), tree(all)) {
			t.Errorf("equal to %q", other)
		}
	}
	if !equal(math.NaN(), math.NaN()) || equal(math.NaN(), 1.0) {
		t.Error("NaN")
	}
}

// A scanner that saw something else than the decoder is found out.
func TestSkeletonDisagrees(t *testing.T) {
	seen := func(text string) *node {
		list, err := scan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return skeleton(list)
	}
	for _, tt := range []struct{ scanned, decoded string }{
		{"a = 1", "b = 1"}, {"a = 1", "a = []"}, {"a = []", "a = 1"}, {"a = [1]", "a = [1, 2]"}, {"a = {}", "a = 1"},
		{"[a]\nb = 1", "[a]"}, {"[[a]]", "[[a]]\n[[a]]"}, {"a = [[1]]", "a = [1]"}, {"[a]", "[[a]]"}, {"a = 1", "[a]"},
	} {
		if seen(tt.scanned).matches(parse(t, tt.decoded).Tree()) {
			t.Errorf("%q passes for %q", tt.scanned, tt.decoded)
		}
	}
	for _, text := range []string{"a = 1\na.b = 2", "a = 1\n[a.b]\nc = 1", "a = 1\n[[a.b]]", "a = 1\na = 2", "a = { b = 1, b = 2 }"} {
		if seen(text) != nil {
			t.Errorf("%q makes sense", text)
		}
	}
}

// TestTooManyTables has texts of little size that a decoder would take gigabytes
// for.
func TestTooManyTables(t *testing.T) {
	lines := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"dotted":  lines("a%d.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z = 1\n", maxTables/20),
		"headers": strings.Repeat("[[a]]\n", maxTables+1),
		"in line": "a = [" + strings.Repeat("{},", maxTables+1) + "]",
	} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "tables") {
			t.Errorf("%s: %v", name, err)
		}
	}
	parse(t, lines("a%d.b.c = 1\n", 1000))
}

// TestMessagesAreShort has values that a decoder quotes whole.
func TestMessagesAreShort(t *testing.T) {
	for _, text := range []string{"a = " + strings.Repeat("9", 1<<20), "a = 0x" + strings.Repeat("f", 1<<20), "a = " + strings.Repeat("é", 1<<20)} {
		_, err := Parse([]byte(text))
		if !errors.Is(err, ErrSyntax) || len(err.Error()) > 300 || !utf8.ValidString(err.Error()) {
			t.Errorf("%T of %d bytes", err, len(err.Error()))
		}
	}
}
