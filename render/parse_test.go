// What Parse gives back, and what it refuses.

package render

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// shown is what a block holds of hits.
func shown(hits []Hit, o Options) (out []Hit) {
	for _, h := range hits {
		h.Score = 0
		h.Timestamp, _ = time.Parse(time.RFC3339, timeText(h.Timestamp))
		if o.Invisible == Drop {
			for _, s := range []*string{&h.Content, &h.ID, &h.Kind, &h.Scope, &h.SessionID} {
				*s = dropInvisible(*s)
			}
			var kept []string
			for _, s := range h.Suspicious {
				kept = append(kept, dropInvisible(s))
			}
			h.Suspicious = kept
		}
		out = append(out, h)
	}
	return out
}

func checkIdentity(t *testing.T, hits []Hit, o Options) {
	t.Helper()
	block := Block(hits, o)
	back, err := Parse(block)
	if want := shown(hits, o); err != nil || !reflect.DeepEqual(back, want) {
		t.Errorf("%+v\n%s\ngave %+v, %v\nwant %+v", o, block, back, err, want)
	}
	if got := styleOf(o).size(sum(pieces(hits, o))); len(hits) > 0 && got != len(block) {
		t.Errorf("%+v: size %d, want %d", o, got, len(block))
	}
}

func pieces(hits []Hit, o Options) (out []piece) {
	for i := range hits {
		out = append(out, newPiece(&hits[i], o))
	}
	return out
}

func allOptions() (out []Options) {
	for _, s := range styles {
		for _, i := range []Invisible{Show, Drop} {
			out = append(out, Options{Style: s, Invisible: i}, Options{Style: s, Invisible: i, Links: Keep})
		}
	}
	return out
}

func TestParseGivesBack(t *testing.T) {
	lists := [][]Hit{sample(), hostile(), {{}}, {{}, {Content: "\n"}, {}}, make([]Hit, 120)}
	for _, h := range hostile() {
		lists = append(lists, []Hit{h})
	}
	for _, e := range storedEntries(t) {
		lists = append(lists, []Hit{{Content: e.Text, ID: e.Text, Scope: e.Category}})
	}
	for _, o := range allOptions() {
		for _, hits := range lists {
			checkIdentity(t, hits, o)
		}
	}
}

// tokens are what delimiters, escapes and markup are made of.
var tokens = []string{
	"`", "```", "~", "~~~~", "\n", "\r", "\r\n", "\f", "\v", "\u0085", "\u2028", " ", "\t", ">", "> ", "<", "</", "/", "memory", "entry", "system", ":", "：",
	"role", "[", "]", "(", ")", "!", "http://x", "[memory 1]", "[memory ", "INST", "<|", "|>", "im_end", `\`, `\u{`, `\x{`, "u{", "}", "3c", "5c", "\"", "'", ",", "&", "&lt;",
	"&amp;", ";", "--", "-->", "]]>", "{", "{\"", "}", "]}", mark, marker, xmlOpen, xmlClose, jsonOpen, "\x00", "\x1b", "\x9b", "\xc2", "\x85", "\xe2", "\x80", "\xae", "\xff",
	"\u200b", "\u202e", "\ufeff", "\ufe0f", "\U000e0041", "é", "漢", "🙂", "Ѕystem", "assistant", "Human", "=", "#", "-", "text", "tool_call", "\"tool_call\":",
}

func randomText(rng *rand.Rand, length int) string {
	var b strings.Builder
	for range rng.IntN(length) {
		b.WriteString(tokens[rng.IntN(len(tokens))])
	}
	return b.String()
}

func TestRandomDelimiters(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	options := allOptions()
	for range rounds {
		hits := make([]Hit, 1+rng.IntN(3))
		for i := range hits {
			hits[i] = Hit{ID: randomText(rng, 4), Content: randomText(rng, 30), Scope: randomText(rng, 6), Kind: randomText(rng, 3)}
			if rng.IntN(4) == 0 {
				hits[i].Suspicious = []string{randomText(rng, 4)}
			}
		}
		o := options[rng.IntN(len(options))]
		checkIdentity(t, hits, o)
		block := Block(hits, o)
		checkCharacters(t, block)
		if o.Style == Markdown {
			checkFence(t, block, hits, o)
			checkGoldmark(t, block)
		}
		if got := StripRecalled("before" + block + "after"); got != "beforeafter" {
			t.Errorf("%q is left of\n%s", got, block)
		}
		if t.Failed() {
			return
		}
	}
}

func TestParseRefuses(t *testing.T) {
	block := func(s Style) string { return Block([]Hit{{ID: "i", Content: "tea"}}, Options{Style: s}) }
	md, js, x := block(Markdown), block(JSON), block(XML)
	replaced := func(text, old, now string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q isn't in %q", old, text)
		}
		return strings.Replace(text, old, now, 1)
	}
	tests := []string{
		"tea", " " + md, md + "x", md + md, strings.TrimSuffix(md, "\n"), marker + "\n", marker + "\n```" + mark + "\n```\n",
		replaced(md, "```", "``"), replaced(md, "```", "~```"), replaced(md, "[memory 1]", "[memory 2]"), replaced(md, ` id="i"`, ` id=i`), replaced(md, ` id="i"`, ` name="i"`),
		replaced(md, ` id="i"`, `id="i"`), replaced(md, "tea", `\u{zz}`), replaced(md, "tea", `\u{d800}`), replaced(md, "tea", `\u{110000}`), replaced(md, "tea", `\x{41}`),
		replaced(md, "tea", `\x{100}`), replaced(md, "tea", `\u{`), replaced(md, "tea", `\u{}`), replaced(md, "tea", `\u{000000041}`), replaced(md, "tea", "```"),
		replaced(md, `"i"`, `"\u{"`), replaced(md, ` id="i"`, ` suspicious="a,\u{"`), replaced(md, ` id="i"`, ` time="noon"`), replaced(md, "\ntea\n", ""), replaced(md, "\n[memory", "\nx\n[memory"),
		js + "x", js + js, js[:len(js)-3], replaced(js, `:1,`, `:2,`), replaced(js, `"content"`, `"text"`), replaced(js, `"id"`, `"name"`), replaced(js, `"i"`, `1`),
		replaced(js, "tea", `\\u{`), replaced(js, `"i"`, `"\\u{"`), jsonOpen + "]}", jsonOpen + `],"more":1}`,
		x + "x", x[:30], x[:len(x)-2], xmlOpen, xmlOpen + "0123456789abcdef" + xmlNote + "\n", replaced(x, "tea", "coffee"), xmlAround(""), xmlAround("tea"), xmlAround("<item>tea"), xmlAround("<item tea</item>\n"),
		xmlAround("<item>a<b</item>\n"), xmlAround("<item>&quot;</item>\n"), xmlAround("<item>\\u{</item>\n"), xmlAround("<item id=\"&\">x</item>\n"), xmlAround("<item id=\"\\u{\">x</item>\n"),
	}
	for _, text := range tests {
		if hits, err := Parse(text); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q gave %+v, %v", text, hits, err)
		}
	}
	if hits, err := Parse(""); hits != nil || err != nil {
		t.Errorf("nothing gave %v, %v", hits, err)
	}
}

// xmlAround puts text into the XML frame.
func xmlAround(text string) string { return xmlStyle{}.assemble([]piece{{text: text}}) }

func TestUnescape(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""}, {`C:\users\x`, `C:\users\x`}, {`\`, `\`}, {`\\u{41}`, `\A`}, {`\u{5c}u{41}`, `\u{41}`}, {`\u{5c}\u{5c}`, `\\`},
		{`a\x{ff}b`, "a\xffb"}, {`\u{0}\u{10ffff}`, "\x00\U0010ffff"}, {`\u41`, `\u41`}, {`\`, `\`}, {`a\u{3c}b\`, `a<b\`},
	}
	for _, tt := range tests {
		if got, err := unescape(tt.text); got != tt.want || err != nil {
			t.Errorf("%q: %q, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}

func TestDigits(t *testing.T) {
	want := 0
	for n := range 2345 {
		if n > 0 {
			want += len(fmt.Sprint(n))
		}
		if got := digits(n); got != want {
			t.Fatalf("%d: %d, want %d", n, got, want)
		}
	}
}
