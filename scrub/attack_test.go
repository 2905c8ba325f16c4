// Recall on the formats and contexts of the attack tables.
package scrub

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
)

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

func unwrap(w string) string {
	return strings.NewReplacer(`\\n`, `\n`, `\\t`, `\t`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\x1b`, "\x1b", `\u200b`, "\u200b", `\ufeff`, "\ufeff", `\u00a0`, "\u00a0").Replace(w)
}

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
	if !exact && len(t.miss) < 400 {
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

func dump(t *testing.T, name string, m map[string]*tally, limit int) {
	var keys []string
	n, c, e := 0, 0, 0
	for k, v := range m {
		keys = append(keys, k)
		n += v.n
		c += v.caught
		e += v.exact
	}
	t.Logf("%s: %d, caught %d (%.3f), exact %d (%.3f)", name, n, c, float64(c)/float64(n), e, float64(e)/float64(n))
	sort.Slice(keys, func(i, j int) bool {
		x, y := m[keys[i]], m[keys[j]]
		return x.n-x.exact > y.n-y.exact
	})
	for i, k := range keys {
		v := m[k]
		if v.exact == v.n || i > limit {
			break
		}
		t.Logf("  %-24s n %d miss %d inexact %d", k, v.n, v.n-v.caught, v.caught-v.exact)
		for j := 0; j < min(2, len(v.miss)); j++ {
			t.Logf("      %s", v.miss[j])
		}
	}
}

func lines(s string) (out []string) {
	for _, l := range strings.Split(s, "\n") {
		if l != "" {
			out = append(out, l)
		}
	}
	return
}

func TestAttackTokens(t *testing.T) {
	if os.Getenv("ATK") == "" {
		return
	}
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
	dump(t, "formats", byF, 400)
	dump(t, "wraps", byW, 400)
}

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
	if os.Getenv("ATK") == "" {
		return
	}
	rng := rand.New(rand.NewPCG(2, 7))
	byF, byW := map[string]*tally{}, map[string]*tally{}
	for _, f := range lines(namedFormats) {
		name, tmpl, _ := strings.Cut(f, " ")
		byF[name] = &tally{}
		for w, re := range reshape {
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
	dump(t, "named", byF, 400)
	for _, v := range byW {
		v.miss = nil
	}
	dump(t, "reshape", byW, 30)
}

func TestAttackHarmless(t *testing.T) {
	if os.Getenv("ATK") == "" {
		return
	}
	rng := rand.New(rand.NewPCG(3, 7))
	n, bad := 0, 0
	for _, f := range lines(harmlessForms) {
		failed := 0
		var show string
		for _, re := range []string{"plain", "quote", "json", "list", "html", "prose", "tick"} {
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
			t.Logf("%d/28 %.400s", failed, show)
		}
	}
	t.Logf("harmless: %d forms, %d texts, %d alarms (%.4f)", len(lines(harmlessForms)), n, bad, float64(bad)/float64(n))
}
