// Which spellings are one, against the Unicode tables and x/text.

package lexicon

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestClassOf(t *testing.T) {
	for r := rune(0x80); r <= 0x10FFFF; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		if got, want := classOf(r), naiveClass(r); got != want {
			t.Errorf("%U: class %d, want %d", r, got, want)
		}
		if isIdeograph(r) && (norm.NFKD.String(string(r)) != string(r) || classOf(r) != dense) {
			t.Errorf("%U is taken for an ideograph", r)
		}
	}
}

// Characters are folded to the same if, and only if, the full case folding of
// their NFKD forms is the same.
func TestFoldOfEveryCharacter(t *testing.T) {
	ours, theirs := map[string]string{}, map[string]string{}
	for r := rune(0); r < 0x20000; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		key := strings.ReplaceAll(foldKey("x "+string(r)+"x"), "\n", " ")
		var want strings.Builder
		for _, l := range naiveFold("x " + string(r) + "x") {
			if l.begins {
				want.WriteByte('|')
			}
			want.WriteRune(l.r)
		}
		if known, ok := ours[key]; ok && known != want.String() {
			t.Errorf("%U is folded to %q, like %q", r, key, known)
		}
		if known, ok := theirs[want.String()]; ok && known != key {
			t.Errorf("%U is folded to %q, another one to %q", r, key, known)
		}
		ours[key], theirs[want.String()] = want.String(), key
	}
}

func TestFoldKey(t *testing.T) {
	for _, same := range [][]string{
		{"that's right", "That’s Right", "THATS RIGHT", " that`s\t right ", "that's\nright", "thatʼs\u00A0right", "t\u200Bhat\u00ADs right"},
		{"café", "cafe\u0301", "CAFÉ", "CAFE\u0301", "ｃａｆé"},
		{"straße", "STRASSE", "STRAẞE", "strasse"},
		{"q\u0307\u0323", "q\u0323\u0307", "Q\u0323\u0307"},
		{"Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ", "ὀδυσσεύσ"},
		{"Йод", "йод", "И\u0306ОД"},
		{"한국", "\u1112\u1161\u11AB\u1100\u116E\u11A8"},
		{"ガ", "カ\u3099", "ｶﾞ"},
		{"file", "ﬁle", "FILE"},
		{"❤️", "❤"},
		{"follow-up", "Follow‑up", "follow‐up"},
		{"Kelvin", "\u212Aelvin"},
		{"…", "...", "\u2025."},
	} {
		for _, s := range same[1:] {
			if foldKey(s) != foldKey(same[0]) {
				t.Errorf("%q is not %q: %q, %q", s, same[0], foldKey(s), foldKey(same[0]))
			}
		}
	}
	for _, different := range [][2]string{
		{"cafe", "café"}, {"resume", "résumé"}, {"i", "ı"}, {"docker", "docker™"}, {"note", "note²"}, {"ab", "a b"}, {"a.b", "ab"}, {"か", "が"}, {"確認", "确认"}, {"I", "İ"},
		{"follow up", "follow-up"},
	} {
		if foldKey(different[0]) == foldKey(different[1]) {
			t.Errorf("%q and %q are folded to the same", different[0], different[1])
		}
	}
}

func TestFoldKeyLayout(t *testing.T) {
	for text, want := range map[string]string{
		"Take  Note":   "Take Note",
		"take note":    "Take Note",
		"don't":        "Dont",
		"v2 10 x1":     "V2 \x110 X1",
		"дом a":        "\x01дом A",
		"Ärger":        "A\u0308rger",
		"确认ok":         "确认Ok",
		"(a_b)-c":      "(A_B)-C",
		"\r\n a \n\n ": "A",
		"c++":          "C++",
	} {
		if got := foldKey(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Folding doesn't depend on how accents are composed, nor does tracing change it.
func TestFoldOfNormalForms(t *testing.T) {
	for seed := range uint64(3000) {
		text := strings.ToValidUTF8(randomText(rand.New(rand.NewPCG(seed, 7)), 12), "")
		want := foldKey(text)
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if got := foldKey(form.String(text)); got != want {
				t.Fatalf("%q: %q, %q", text, got, want)
			}
		}
		plain, traced := folder{}, folder{trace: true}
		plain.fold(text)
		traced.fold(text)
		if string(plain.out) != string(traced.out) || len(traced.from) != len(traced.out) {
			t.Fatalf("%q: %q, traced %q with %d places", text, plain.out, traced.out, len(traced.from))
		}
	}
}

func TestSpans(t *testing.T) {
	s := parsed(t, "[terms]\n\"that's right\" = 1\n'café' = 1\n'确认' = 1\n'👍' = 1\n'straße' = 1\n'a b' = 1\n'office' = 1\n")
	for _, row := range []struct{ before, found, after string }{
		{"Yes, ", "that’s right", "."},
		{"“‘", "That's Right", "’”"},
		{"le ", "cafe\u0301", " noir"},
		{"le ", "CAFÉ", ""},
		{"我们", "确认", "了"},
		{"好\u200B", "👍", "🏽"},
		{"die ", "STRASSE", "!"},
		{"\u00AD \u00A0", "a \u00A0\n b", "\n"},
		{"not a b. ", "a b", "; a b"},
		{"denoted ", "o\uFB03ce", " \xff"},
		{"\xff\xff", "a\tb", ""},
	} {
		content := row.before + row.found + row.after
		matches := s.Explain(Item{Content: content}, "")
		if len(matches) != 1 || content[matches[0].Start:matches[0].End] != row.found || matches[0].Start != len(row.before) {
			t.Errorf("%q: %+v", content, matches)
		}
	}
}
