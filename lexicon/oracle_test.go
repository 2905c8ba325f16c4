// The scorer against a direct reading of its definition: characters instead of
// bytes, every pattern tried at every place, words split from the left, the case
// folding of x/text.

package lexicon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// letter is a character of a naively folded text.
type letter struct {
	r      rune
	class  class
	begins bool // it is the first of a word
}

// naiveFold folds a text character by character.
func naiveFold(s string) (out []letter) {
	runes := []rune(s)
	for i := 0; i < len(runes); {
		j := i + 1
		for j < len(runes) && naiveClass(runes[i]) != dropped && naiveClass(runes[j]) == mark {
			j++
		}
		group := string(runes[i:j])
		switch naiveClass(runes[i]) {
		case symbol:
			group = naiveCase(norm.NFD.String(group))
		case dropped:
			group = ""
		default:
			group = norm.NFKD.String(naiveCase(norm.NFKD.String(group)))
		}
		for _, r := range group {
			out = naiveAppend(out, r)
		}
		i = j
	}
	return out
}

// naiveCase is full case folding; x/text leaves Cherokee out, whose capitals are
// the folded form (CaseFolding.txt).
func naiveCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cherokee, r) {
			return unicode.ToUpper(r)
		}
		return r
	}, cases.Fold().String(s))
}

func naiveAppend(out []letter, r rune) []letter {
	c := naiveClass(r)
	switch c {
	case dropped:
		return out
	case space, newline:
		if n := len(out); n > 0 && (out[n-1].class == space || out[n-1].class == newline) {
			out[n-1].class = max(out[n-1].class, c)
			return out
		}
		return append(out, letter{' ', c, false})
	}
	if r == '‐' {
		r = '-'
	}
	before := other // the class of the last character that is no mark
	for i := len(out) - 1; i >= 0; i-- {
		if before = out[i].class; before != mark {
			break
		}
		before = other
	}
	return append(out, letter{r, c, c == word && before != word})
}

// naiveClass is classOf by the Unicode tables alone, and with ASCII.
func naiveClass(r rune) class {
	switch {
	case isApostrophe(r):
		return dropped
	case unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return dropped
	case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r):
		return newline
	case unicode.IsSpace(r), unicode.IsControl(r):
		return space
	case unicode.IsMark(r):
		return mark
	case unicode.IsSymbol(r), unicode.Is(unicode.No, r):
		return symbol
	case isDense(r):
		return dense
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return word
	}
	return other
}

// naiveMatch is an occurrence by letters.
func naiveOccurs(text, key []letter, at int) bool {
	if at+len(key) > len(text) {
		return false
	}
	for i, k := range key {
		if text[at+i].r != k.r {
			return false
		}
	}
	wordBefore := false
	for i := at - 1; i >= 0 && !wordBefore; i-- {
		wordBefore = text[i].class == word
		if text[i].class != mark {
			break
		}
	}
	if key[0].begins && wordBefore {
		return false
	}
	if end := at + len(key); end < len(text) {
		next := text[end]
		return next.class != mark && (next.class != word || next.begins)
	}
	return true
}

// naiveWords returns the words of text[from:to], folded; begins of text[to:] are
// known.
func naiveWords(text []letter, from, to int) (words []string) {
	in := func(i int) bool {
		return i >= from && i < len(text) && (text[i].class == word || text[i].class == dense || text[i].class == mark)
	}
	digit := func(i int) bool { return in(i) && text[i].r >= '0' && text[i].r <= '9' }
	hyphens := make([]bool, len(text)) // that divide a compound at the end
	reached := to
	for i := to - 1; i >= from; i-- {
		if in(i) {
			continue
		}
		if text[i].r == '-' || text[i].r == '_' {
			hyphens[i] = true
			reached = i
			continue
		}
		if text[i].r == '.' && in(i-1) && in(i+1) && i+1 < reached {
			continue
		}
		if (text[i].r == ',' || text[i].r == ':') && digit(i-1) && digit(i+1) && i+1 < reached {
			continue
		}
		break
	}
	joiner := func(i int) bool {
		if i < from || i+1 >= to {
			return false
		}
		switch text[i].r {
		case '-':
			return !hyphens[i] && in(i-1) && in(i+1)
		case '.':
			return in(i-1) && in(i+1)
		case ',', ':':
			return digit(i-1) && digit(i+1)
		}
		return false
	}
	current := ""
	flush := func() {
		if current != "" {
			words = append(words, current)
		}
		current = ""
	}
	for i := from; i < to; i++ {
		switch {
		case joiner(i):
			current += string(text[i].r)
		case !in(i):
			flush()
		default:
			if text[i].begins && !joiner(i-1) || i > from && text[i].class == dense && text[i-1].class == word {
				flush()
			}
			current += string(text[i].r)
		}
	}
	flush()
	return words
}

// naiveSentence returns where the sentence with text[at] begins.
func naiveSentence(text []letter, at int) int {
	for i := at - 1; i >= 0; i-- {
		l := text[i]
		if l.class == newline || strings.ContainsRune("!?;", l.r) || l.r >= 0x80 && unicode.Is(unicode.Sentence_Terminal, l.r) {
			return i + 1
		}
		single := func(i int) bool { return i >= 0 && text[i].begins && text[i].r >= 'a' && text[i].r <= 'z' }
		inside := i+1 < len(text) && (text[i+1].class == word || text[i+1].class == dense || text[i+1].class == mark)
		if l.r == '.' && !inside && !(single(i-1) && single(i-3) && text[i-2].r == '.') {
			return i + 1
		}
	}
	return 0
}

func naiveNegated(text []letter, start, end int) bool {
	words := naiveWords(text, naiveSentence(text, start), start)
	slices.Reverse(words)
	list := strings.Fields(strings.ReplaceAll(negators, "'", "") + " maynt oughtnt darent")
	cancelling := strings.Fields(`only just merely simply solely doubt doubts doubting question wonder problem problems worry worries
		forget miss overlook ignore neglect fail hesitate deny dispute bad wrong`)
	more := false
	if rest := text[end:]; len(rest) >= 5 {
		more = rest[0].class == space && rest[1].r == 'm' && rest[2].r == 'o' && rest[3].r == 'r' && rest[4].r == 'e' &&
			(len(rest) == 5 || rest[5].class != mark && (rest[5].class != word || rest[5].begins))
	}
	for i, w := range words[:min(3, len(words))] {
		if w == "but" {
			return false
		}
		if !slices.Contains(list, w) {
			continue
		}
		if i == 0 {
			modal := slices.Contains([]string{"cant", "cannot", "couldnt"}, w) ||
				w == "not" && len(words) > 1 && (words[1] == "can" || words[1] == "could")
			if modal && more {
				continue
			}
			return true
		}
		next := words[i-1]
		if i > 1 && slices.Contains([]string{"a", "any", "the"}, next) {
			next = words[i-2]
		}
		if !slices.Contains(cancelling, next) {
			return true
		}
	}
	return false
}

// naiveMatches returns the patterns that match, in the order of the scorer.
func naiveMatches(s *ConfigScorer, content string) (out []string) {
	text := naiveFold(content)
	for i, p := range s.patterns {
		key := naiveFold(p.text)
		for len(key) > 0 && key[0].r == ' ' {
			key = key[1:]
		}
		for len(key) > 0 && key[len(key)-1].r == ' ' {
			key = key[:len(key)-1]
		}
		for at := range text {
			if naiveOccurs(text, key, at) && (i >= s.firstNegation || !naiveNegated(text, at, at+len(key))) {
				out = append(out, fmt.Sprintf("%s %q", p.sort, p.text))
				break
			}
		}
	}
	return out
}

// checkMatch compares a scorer with the oracle, Score with Explain, and the spans
// with the patterns.
func checkMatch(t *testing.T, s *ConfigScorer, content string) {
	t.Helper()
	item := Item{Content: content}
	var got []string
	sum := 0.0
	for _, m := range s.Explain(item, "") {
		got = append(got, fmt.Sprintf("%s %q", m.Sort, m.Pattern))
		sum += m.Amount
		if m.Start < 0 || m.End > len(content) || m.Start >= m.End {
			t.Fatalf("%q: %q stands at %d to %d", content, m.Pattern, m.Start, m.End)
		}
		if there := foldKey(content[m.Start:m.End]); !strings.Contains(there, foldKey(m.Pattern)) {
			t.Errorf("%q: %q is said to stand where %q is", content, m.Pattern, content[m.Start:m.End])
		}
	}
	if score := s.Score(item, ""); score != sum {
		t.Errorf("%q: score %v, explained %v", content, score, sum)
	}
	if want := naiveMatches(s, content); !slices.Equal(got, want) {
		t.Errorf("%q:\ngot  %s\nwant %s", content, got, want)
	}
}

// scorerOf makes a scorer of those of the patterns that are valid, of all sorts
// in turn.
func scorerOf(list []string) *ConfigScorer {
	var j joiner
	for i, text := range list {
		sort := []Sort{Term, Affirmation, Negation}[i%3]
		if key, err := checkPattern(sort, text); err == nil {
			j.put(pattern{text: text, key: key, sort: sort, amount: 0.5 + float64(i)/100})
		}
	}
	return j.compile()
}

// pieces are what random texts and patterns are made of.
var pieces = []string{
	"a", "b", "ab", "a b", "confirmed", "Confirmed", "ready", "more", "agree", "not", "Not", "no", "don't", "dont", "can’t", "could", "only", "just", "doubt",
	"worry", "but", "never", "without", "the", "e.g.", "v1.2", "1,000", "10:30", "x", "I", "U.S", " ", " ", " ", " ", " ", "  ", "\n", "\t", "\u00A0", "\u2028",
	".", ".", ",", "-", "-", "_", "!", "?", ";", ":", "…", "。", "！", "(", ")", "“", "”", "‐", "‑", "'", "’", "`", "\u00AD", "\u200B", "\uFE0F",
	"é", "e\u0301", "E\u0301", "É", "ß", "SS", "ẞ", "ﬁ", "fi", "ſ", "İ", "ı", "i", "I", "K", "Å", "Å", "Ω", "ς", "Σ", "ΐ", "ᾳ", "\u0301", "\u0323", "\u0345", "q\u0307\u0323", "q\u0323\u0307",
	"й", "И\u0306", "дом", "ДОМ", "가", "각", "ᄀ\u1161", "한국", "確認", "确认", "カ", "ガ", "ｶﾞ", "か\u3099", "が", "ー", "ไทย", "ก\u0E31", "လာ", "ກ", "ក", "的", "ª", "²", "½", "①", "™", "Ⅳ", "👍", "👍🏽", "❤️", "❤", "≠", "=\u0338",
	"c++", "C#", "ａ", "Ａ", "１", "٣", "\xff", "\uFFFD", "\x00", "\x7F", "ŉ", "ǆ", "Ǆ", "\u1E9B\u0323", "ꭰ", "Ꭰ",
}

func randomText(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range 1 + rng.IntN(n) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
		if rng.IntN(3) == 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func TestOracle(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 45))
		var list []string
		for range 1 + rng.IntN(30) {
			list = append(list, strings.ToValidUTF8(randomText(rng, 1+rng.IntN(4)), ""))
		}
		s := scorerOf(list)
		for range 3 {
			checkMatch(t, s, randomText(rng, 24))
		}
		if t.Failed() {
			t.Fatalf("seed %d, patterns %q", seed, list)
		}
	}
}

// English words in all orders, so that negators meet what they negate.
func TestOracleOfNegation(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	s := scorerOf([]string{"ready", "agree", "ready", "a", "doubt", "not ready", "b-c", "only", "x.y"})
	parts := strings.Fields("ready agree a b c x y not no can't cannot could can more only just doubt the any but don't forget never without e g . . - - , , : ; ? _ / ( ) 1 2 是 é")
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 46))
		var b strings.Builder
		for range 2 + rng.IntN(14) {
			b.WriteString(parts[rng.IntN(len(parts))])
			if rng.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		checkMatch(t, s, b.String())
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
