// The lexicon: what a word means to the rules, built from the groups of words
// that the files lexicon_*.go list by language.

package timex

import (
	"strings"
	"sync"
)

// langs is a set of languages.
type langs uint8

const (
	english langs = 1 << iota
	german
	french
	spanish
	italian
	portuguese
	dutch
	han // Chinese and Japanese

	anyLanguage langs = 0xff
)

// kind is what a word does in a date.
type kind uint8

const (
	kindNone        kind = iota
	kindDigits           // a number in digits
	kindOrdinal          // 7th
	kindNumber           // a number in letters, a, few
	kindMonth            // value 1 to 12
	kindMonthWeak        // a month only beside a day, a year or "in": may, mars, dec
	kindWeekday          // value 0 (Monday) to 6
	kindWeekdayWeak      // a weekday only beside last and next: sun, segunda
	kindDay              // value days from today: yesterday -1
	kindDayWeak          // the same, in a text of the word's language only: hier
	kindEve              // value days from today, and it is the night: anoche
	kindToday            // today, tonight
	kindUnit             // value one of the units
	kindUnits            // a unit's plural
	kindSeason           // value 0 (spring) to 3 (winter)
	kindHoliday          // value its first day as month*100 + day
	kindLast             // last; value 1: also after the noun, 3: past, of a span only
	kindNext             // next; value 1: also after the noun, 2: the end of "que viene"
	kindThis             // this
	kindAgo              // ago, after the number
	kindSince            // since
	kindRecently         // recently
	kindBefore           // before
	kindAfter            // after
	kindIn               // in
	kindOn               // on
	kindFor              // for
	kindFrom             // from
	kindTo               // to; value 1 until
	kindBetween          // between
	kindAnd              // and
	kindOf               // of
	kindThe              // the
	kindOther            // other
	kindCouple           // couple, of which "of" makes two
	kindAround           // early, late, mid
	kindNow              // now
	kindDone             // a word of the past: finished, was
	kindAgoFirst         // ago, before the number: vor, hace; value 1: only with its accent, há
	kindAgoWeak          // ago after the number, any other word elsewhere: fa
	kindInFirst          // in, before the number, and never how long: dans
	kindShift            // value a unit, negative for the last one: 去年
	kindPeriod           // value a unit, the present one: 今年
	kindSign             // value the unit a number is followed by in a date: 年
	kindFeira            // the end of segunda-feira
	kindEnd              // the end of week-end
)

// The units of time; the values of kindUnit and kindUnits.
const (
	unitDay = 1 + iota
	unitWeek
	unitMonth
	unitYear
	unitNight
	unitWeekend
	unitHour
)

// sense is what a phrase tells about a question.
type sense uint8

const (
	senseAsks    sense = 1 << iota // asks for a time
	senseCurrent                   // asks for the present state
	sensePast                      // asks for an earlier state
	senseOpens                     // only as the first words of a sentence
	senseWeak                      // only in a text of the phrase's language
	senseAccent                    // only when the last word is written with an accent
)

// group lists the words of one meaning, parted by spaces.
type group struct {
	kind  kind
	value int16
	words string
}

// phrases lists phrases of one sense, parted by "|".
type phrases struct {
	sense sense
	text  string
}

// language holds the words of one language.
type language struct {
	langs   langs
	groups  []group
	phrases []phrases
	hints   string // common words that tell the language
}

// entry is one word of the lexicon, folded.
type entry struct {
	word  string
	kind  kind
	value int16
	langs langs // the languages in which it has this kind
	hint  langs // the languages that it hints at
	ends  []phrase
}

// phrase is a phrase that ends in the entry it is listed at.
type phrase struct {
	before []*entry // the words before the last, the nearest first
	sense  sense
	langs  langs
}

const (
	// maxWord bounds the length of the words of the lexicon in bytes.
	maxWord = 20
	slots   = 4096
)

// lexicon finds entries by hash, with open addressing.
type lexicon struct {
	table [slots]*entry
}

// words returns the lexicon. It is built once and only read afterwards.
var words = sync.OnceValue(buildLexicon)

// languages lists all words; where two languages disagree on a word, the first
// decides.
func languages() []language {
	return []language{englishWords, germanWords, frenchWords, spanishWords, italianWords, portugueseWords, dutchWords, hanWords}
}

func buildLexicon() *lexicon {
	lex := new(lexicon)
	for _, l := range languages() {
		for _, g := range l.groups {
			for _, word := range strings.Fields(g.words) {
				lex.entry(word).mean(g, l.langs)
			}
		}
		for _, p := range l.phrases {
			for _, text := range strings.Split(p.text, "|") {
				lex.phrase(strings.Fields(text), p.sense, l.langs)
			}
		}
		for _, word := range strings.Fields(l.hints) {
			lex.entry(word).hint |= l.langs
		}
	}
	return lex
}

// mean gives an entry its meaning; the first language decides, and another adds
// itself when it means the same.
func (e *entry) mean(g group, l langs) {
	if e.kind == kindNone {
		e.kind, e.value = g.kind, g.value
	}
	if e.kind == g.kind && e.value == g.value {
		e.langs |= l
	}
}

func (l *lexicon) phrase(parts []string, s sense, in langs) {
	last := len(parts) - 1
	p := phrase{sense: s, langs: in}
	for i := last - 1; i >= 0; i-- {
		p.before = append(p.before, l.entry(parts[i]))
	}
	e := l.entry(parts[last])
	e.ends = append(e.ends, p)
}

// entry returns the word's entry, a new one if need be.
func (l *lexicon) entry(word string) *entry {
	hash := uint32(hashStart)
	for i := range len(word) {
		hash = (hash ^ uint32(word[i])) * hashPrime
	}
	at := slot(hash)
	for ; l.table[at] != nil; at = (at + 1) % slots {
		if l.table[at].word == word {
			return l.table[at]
		}
	}
	l.table[at] = &entry{word: word}
	return l.table[at]
}

func slot(hash uint32) uint32 { return (hash ^ hash>>16) % slots }

// find returns the entry of a word, which needn't be in lower case.
func (l *lexicon) find(hash uint32, word string) *entry {
	for at := slot(hash); l.table[at] != nil; at = (at + 1) % slots {
		if e := l.table[at]; len(e.word) == len(word) && sameWord(e.word, word) {
			return e
		}
	}
	return nil
}

func sameWord(lower, word string) bool {
	for i := range len(lower) {
		c := word[i]
		if c < 0x80 && folded[c] != 0 {
			c = folded[c]
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
