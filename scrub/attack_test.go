// Recall on the formats and contexts of the attack tables.
package scrub

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fillIn finds what a template leaves to chance.
var fillIn = regexp.MustCompile(`\{(uuid|[wsblaUhHdA25])(\d*)\}`)

var fillClasses = map[string]string{
	"w": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"s": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
	"b": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	"l": "abcdefghijklmnopqrstuvwxyz0123456789", "a": "abcdefghijklmnopqrstuvwxyz",
	"U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "2": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"h": "0123456789abcdef", "H": "0123456789ABCDEF", "d": "0123456789",
	"A": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	"5": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}

// fill fills a template in.
func fill(rng *rand.Rand, template string) string {
	return fillIn.ReplaceAllStringFunc(template, func(m string) string {
		g := fillIn.FindStringSubmatch(m)
		if g[1] == "uuid" {
			return fill(rng, "{h8}-{h4}-4{h3}-a{h3}-{h12}")
		}
		if g[2] == "" {
			return m
		}
		n, _ := strconv.Atoi(g[2])
		b := make([]byte, n)
		for i := range b {
			b[i] = fillClasses[g[1]][rng.IntN(len(fillClasses[g[1]]))]
		}
		return string(b)
	})
}

// unwrap reads the escapes of the tables.
func unwrap(w string) string {
	return strings.NewReplacer(`\\n`, `\n`, `\\t`, `\t`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\x1b`, "\x1b", `\u200b`, "\u200b", `\ufeff`, "\ufeff", `\u00a0`, "\u00a0").Replace(w)
}

// tally counts what was found.
type tally struct {
	n, caught, exact int
	miss             []string
}

func (t *tally) add(text string, a, b int, fs []Finding) {
	t.n++
	caught, exact := false, false
	for _, f := range fs {
		if f.Start <= a && f.End >= b {
			caught = true
			head := text[f.Start:a]
			if f.End == b && (head == "" || strings.EqualFold(head, "bearer ") || strings.EqualFold(head, "authorization: ")) {
				exact = true
			}
		}
	}
	if caught {
		t.caught++
	}
	if exact {
		t.exact++
	}
	if !exact && len(t.miss) < 1 {
		got := ""
		for _, f := range fs {
			got += fmt.Sprintf(" %s:%q", f.Rule, text[f.Start:f.End])
		}
		k := "MISS"
		if caught {
			k = "SPAN"
		}
		t.miss = append(t.miss, fmt.Sprintf("%s %.300q want %.100q got %.300s", k, text, text[a:b], got))
	}
}

// judge asserts the shares in a thousand that must be caught and caught exactly, and
// logs where most are missed.
func judge(t *testing.T, what string, by map[string]*tally, caught, exact int) {
	t.Helper()
	var all tally
	names := slices.Collect(maps.Keys(by))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b].n-by[b].exact, by[a].n-by[a].exact), cmp.Compare(a, b))
	})
	for i, name := range names {
		v := by[name]
		all.n, all.caught, all.exact = all.n+v.n, all.caught+v.caught, all.exact+v.exact
		if i < 25 && v.exact < v.n {
			t.Logf("%s: %d missed, %d inexact of %d: %s", name, v.n-v.caught, v.caught-v.exact, v.n, v.miss[0])
		}
	}
	t.Logf("%s: %d of %d caught, %d exactly", what, all.caught, all.n, all.exact)
	if all.caught*1000 < all.n*caught || all.exact*1000 < all.n*exact {
		t.Errorf("%s: %d of %d caught, %d exactly", what, all.caught, all.n, all.exact)
	}
}

// lines returns the lines of a table.
func lines(s string) (out []string) {
	for _, l := range strings.Split(s, "\n") {
		if l != "" {
			out = append(out, l)
		}
	}
	return
}

func TestAttackTokens(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	byF, byW := map[string]*tally{}, map[string]*tally{}
	for _, f := range lines(tokenFormats) {
		name, tmpl, _ := strings.Cut(f, " ")
		byF[name] = &tally{}
		for _, w := range lines(pasteWraps) {
			if byW[w] == nil {
				byW[w] = &tally{}
			}
			s, s2 := fill(rng, tmpl), fill(rng, tmpl)
			x := unwrap(w)
			i := strings.Index(x, "§")
			rest := strings.ReplaceAll(x[i+len("§"):], "§2", s2)
			text := x[:i] + s + strings.ReplaceAll(rest, "§", s)
			_, fs := Scrub(text)
			byF[name].add(text, i, i+len(s), fs)
			byW[w].add(text, i, i+len(s), fs)
		}
	}
	judge(t, "tokens by format", byF, 985, 980)
	judge(t, "tokens by context", byW, 985, 980)
}

// reshape holds what happens to a text before it is pasted.
var reshape = map[string]func(string) string{
	"plain":   func(s string) string { return s },
	"json":    func(s string) string { b, _ := json.Marshal(s); return string(b) },
	"jsontwo": func(s string) string { b, _ := json.Marshal(s); b, _ = json.Marshal(string(b)); return string(b) },
	"html":    html.EscapeString,
	"indent":  func(s string) string { return "run: |\n    " + strings.ReplaceAll(s, "\n", "\n    ") + "\n" },
	"quote":   func(s string) string { return "> " + strings.ReplaceAll(s, "\n", "\n> ") },
	"crlf":    func(s string) string { return "x\r\n" + strings.ReplaceAll(s, "\n", "\r\n") + "\r\ny" },
	"fence":   func(s string) string { return "try:\n```\n" + s + "\n```\nok" },
	"tick":    func(s string) string { return "use `" + s + "` now" },
	"comment": func(s string) string { return "# " + strings.ReplaceAll(s, "\n", "\n# ") },
	"slashes": func(s string) string { return "\t// " + strings.ReplaceAll(s, "\n", "\n\t// ") },
	"log":     func(s string) string { return "2024-05-01T10:00:00.123Z INFO [main] - " + s },
	"prose":   func(s string) string { return "Hi Bob,\nI did this: " + s + "\nand then it broke." },
	"diff":    func(s string) string { return "@@ -1 +1 @@\n+" + strings.ReplaceAll(s, "\n", "\n+") },
	"ansi":    func(s string) string { return "\x1b[1m" + s + "\x1b[0m" },
	"list":    func(s string) string { return "- " + s },
	"unicode": func(s string) string { return "Привет 🚀 " + s + " — спасибо" },
	"chat":    func(s string) string { return "[10:42] bob: " + s },
	"after":   func(s string) string { return s + " # prod" },
}

func TestAttackNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	byF, byW := map[string]*tally{}, map[string]*tally{}
	for _, f := range lines(namedFormats) {
		name, tmpl, _ := strings.Cut(f, " ")
		byF[name] = &tally{}
		for _, w := range slices.Sorted(maps.Keys(reshape)) {
			re := reshape[w]
			if byW[w] == nil {
				byW[w] = &tally{}
			}
			for range 6 {
				x := re(fill(rng, unwrap(tmpl)))
				i := strings.Index(x, "⟦")
				j := strings.Index(x, "⟧")
				s := x[i+len("⟦") : j]
				text := x[:i] + s + x[j+len("⟧"):]
				_, fs := Scrub(text)
				byF[name].add(text, i, i+len(s), fs)
				byW[w].add(text, i, i+len(s), fs)
			}
		}
	}
	judge(t, "named", byF, 975, 970)
	judge(t, "named, by shape", byW, 975, 970)
}

func TestAttackHarmless(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	n, bad := 0, 0
	for _, f := range lines(harmlessForms) {
		failed := 0
		var show string
		for _, re := range slices.Sorted(maps.Keys(reshape)) {
			for range 4 {
				text := reshape[re](fill(rng, unwrap(f)))
				n++
				if got, fs := Scrub(text); got != text {
					failed++
					show = fmt.Sprintf("%s %q -> %q %v", re, text, got, fs[0].Rule)
				}
			}
		}
		if failed > 0 {
			bad += failed
			t.Logf("%d/76 %.400s", failed, show)
		}
	}
	t.Logf("%d forms, %d texts, %d false alarms", len(lines(harmlessForms)), n, bad)
	if bad*500 > n {
		t.Errorf("%d false alarms in %d texts", bad, n)
	}
}

// anchors returns what the prefilter looks for.
func anchors() (out []string) {
	for _, r := range builtinRules() {
		out = append(out, r.anchors...)
	}
	return out
}

func TestWorkOfEveryAnchor(t *testing.T) {
	const size = 1 << 14
	for _, a := range anchors() {
		for _, unit := range []string{a, a + " ", a + "=", a + "\n", a + ": a:b", a + filler(40), "a" + a, a + "\"", a + `\"`, a + "&quot;", a + "::", a + " x y "} {
			text := strings.Repeat(unit, size/len(unit))
			work := workFor(t, text)
			if work > 800 || work > 64 && workFor(t, strings.Repeat(text, 4)) > 1.5*work {
				t.Errorf("%q: %.0f characters a byte", unit, work)
			}
		}
	}
}

func TestEveryAnchorTwice(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	all := append(anchors(), pieces()...)
	for _, more := range []string{"=3D", "__", "&quot;", "&#34;", "&lt;", "&gt;", `\u003c`, `\u003e`, `\u0022`, "%3D", "%22", "%26", "\x1b[1m", "\x1b[0m", "[[", "]]", "As String = ", "{ get; set; } = ", "<value>", "P:", ";", "wrong horse battery ", "user%", "secret=", " -P ", " -U ", " -k ", "MII", "0x"} {
		all = append(all, more, more)
	}
	n := 15_000
	if testing.Short() {
		n = 4_000
	}
	s := mustNew(t, Options{})
	for i := range n {
		text := randomText(rng, all, 1+rng.IntN(12))
		checkScrub(t, "anchors", s, text)
		if i%8 == 0 {
			doc, err := json.Marshal(map[string]string{randomText(rng, all, 1): text})
			if err != nil {
				t.Fatal(err)
			}
			checkJSON(t, "anchors", s, doc)
		}
		if i%400 == 0 {
			line := strings.ReplaceAll(text, "-----", "--") + "\n"
			checkStream(t, s, strings.Repeat(line, 300_000/len(line)), MaxSecret, func() int { return 1 + rng.IntN(5000) })
		}
	}
}

func TestAttackTablesTwice(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	s := mustNew(t, Options{})
	for _, f := range lines(namedFormats) {
		for _, w := range slices.Sorted(maps.Keys(reshape)) {
			text := strings.NewReplacer("⟦", "", "⟧", "").Replace(reshape[w](fill(rng, unwrap(f))))
			checkScrub(t, f, s, text)
		}
	}
}

func TestAttackPlaced(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	byForm := map[string]*tally{}
	for _, f := range lines(placedForms) {
		name, form, _ := strings.Cut(f, " ")
		byForm[name] = &tally{}
		for _, w := range []string{"plain", "prose", "json", "quote", "indent", "crlf", "tick"} {
			for range 8 {
				text := reshape[w](fill(rng, unwrap(form)))
				i := strings.Index(text, "⟦")
				text = strings.Replace(text, "⟦", "", 1)
				j := strings.Index(text, "⟧")
				text = strings.Replace(text, "⟧", "", 1)
				_, found := Scrub(text)
				byForm[name].add(text, i, j, found)
			}
		}
	}
	judge(t, "placed", byForm, 900, 880)
}
