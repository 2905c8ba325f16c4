// Properties that hold for any text: no panic, deterministic, parts of one
// alphabet, bounded.

package timex

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"two weeks before Christmas, last Friday", "vor zwei Wochen, il y a un an", "2022年5月7日 三天前", "7.5.2022 5/7/2022 2022-05-07T10",
		"between May and", "last", "the day before yesterday", "a couple of", "fin de semana pasado", "sexta-feira passada", "\xff yest\xffday",
		"e\u0301te\u0301", "99999999999999999999 days ago", "from from from", "in in in two weeks", "since", "29 February", "now and then",
	} {
		f.Add(text, int64(1683585000))
	}
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		at := time.Unix(seconds, 0).UTC()
		checkResolve(t, text, at)
		from, to, ok := Interval(text, at)
		if ok && (!from.Before(to) || from.Year() < 1 || to.After(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))) {
			t.Fatalf("%v %v", from, to)
		}
		offset, event, ok := Anchor(text)
		if ok != (event != "") || !strings.Contains(text, event) {
			t.Fatalf("%q %v", event, ok)
		}
		if from, to := offset.From(at); from.After(to) {
			t.Fatalf("%v %v", from, to)
		}
		mentions, asks, current, past := Mentions(text), Asks(text), Current(text), Past(text)
		if upper := strings.ToUpper(text); len(text) < 100 && isASCII(text) {
			if Mentions(upper) != mentions || Asks(upper) != asks || Current(upper) != current || Past(upper) != past {
				t.Fatalf("%q in upper case", text)
			}
		}
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func checkResolve(t *testing.T, text string, at time.Time) {
	got := Resolve(nil, text, at)
	if !slices.Equal(got, Resolve(nil, text, at)) || len(got) > maxResolved {
		t.Fatalf("%q", got)
	}
	for _, date := range got {
		if date == "" || len(date) > maxDate || !utf8.ValidString(date) {
			t.Fatalf("%q", date)
		}
	}
	sortedDates := slices.Clone(got)
	slices.Sort(sortedDates)
	if len(slices.Compact(sortedDates)) != len(got) {
		t.Fatalf("twice: %q", got)
	}
}

// The work is bounded by the length of the text: what a word looks back and ahead
// at is a few words, however long the text.
func TestLinear(t *testing.T) {
	for _, unit := range []string{
		"last ", "in two weeks ", "hier ", "2022-", "5/7/2022 ", "before ", "now and ", "may ", "三", "fin de semana ", "still ", "morgen ", "1 ", "a",
	} {
		short, long := steps(unit, 500), steps(unit, 4000)
		if long > 9*short {
			t.Errorf("%q: %d words read of 500, %d of 4000", unit, short, long)
		}
	}
}

// steps counts the words that are read for n repetitions of a text.
func steps(unit string, n int) int {
	text := strings.Repeat(unit, n)
	r := resolver{scanner: scan(text), today: dayOf(monday())}
	r.run()
	m, c := scan(text), scan(text)
	for m.next() {
		m.mention(m.back(0))
	}
	for c.next() {
		_ = c.sense(senseCurrent) && c.present() || c.sense(sensePast) && c.past() || c.sense(senseAsks)
	}
	return r.read + m.read + c.read
}

func TestAllocations(t *testing.T) {
	dst := make([]string, 0, 4)
	for name, f := range map[string]func(){
		"Resolve":  func() { dst = Resolve(dst[:0], chat, monday()) },
		"Mentions": func() { Mentions(chat) },
		"Asks":     func() { Asks(usual) },
		"Current":  func() { Current(usual) },
		"Past":     func() { Past(usual) },
		"Interval": func() { Interval("between March and May 2022", monday()) },
		"Anchor":   func() { Anchor("three weeks before the trip") },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Every word that the rules compare with is in the lexicon; otherwise they would
// never find it.
func TestRuleWords(t *testing.T) {
	for _, file := range []string{"asks.go", "phrase.go", "resolve.go", "daywords.go", "written.go", "interval.go", "intervaldate.go", "anchor.go", "mentions.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []string{`\.is\("([^"]+)"\)`, `(?s)\bcase ((?:"[^"]+",?\s*)+):`} {
			for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1) {
				for _, word := range regexp.MustCompile(`\pL+`).FindAllString(match[1], -1) {
					if e := words().entry(word); e.kind == kindNone && e.hint == 0 && len(e.ends) == 0 && !partOfPhrase(e) {
						t.Errorf("%s: %q isn't in the lexicon", file, word)
					}
				}
			}
		}
	}
}

func partOfPhrase(e *entry) bool {
	for _, other := range words().table {
		if other == nil {
			continue
		}
		for _, p := range other.ends {
			if slices.Contains(p.before, e) {
				return true
			}
		}
	}
	return false
}

// The lexicon's words are folded, short enough, and mean one thing.
func TestLexicon(t *testing.T) {
	lex, shared := words(), map[string]bool{"in": true, "en": true}
	for _, l := range languages() {
		for _, g := range l.groups {
			for _, word := range strings.Fields(g.words) {
				if e := lex.entry(word); (e.kind != g.kind || e.value != g.value) && !shared[word] {
					t.Errorf("%q means two things", word)
				}
				if len(word) > maxWord || l.langs != han && (!isASCII(word) || word != strings.ToLower(word)) {
					t.Errorf("%q isn't folded or too long", word)
				}
			}
		}
		if l.langs != han && !isASCII(l.hints) {
			t.Errorf("hints of %d aren't folded", l.langs)
		}
	}
	filled := 0
	for _, e := range lex.table {
		if e != nil {
			filled++
		}
	}
	if filled > slots/2 {
		t.Errorf("%d words in %d slots", filled, slots)
	}
}
