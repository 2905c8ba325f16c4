// Reads the parts of an expression backwards from its last word: units, numbers,
// and "last" and "next" on either side.

package timex

// amount is a number of units, "a couple of weeks".
type amount struct {
	n, unit int
	rest    int   // the place of the word before it
	langs   langs // the languages it can be in
}

// unitAt reads the unit that ends i words back, and how many words it is: week,
// week-end, fin de semana. 0 if there is none.
func (s *scanner) unitAt(i int) (unit, width int, l langs) {
	t := s.back(i)
	switch t.kind {
	case kindUnit, kindUnits:
		if t.value == unitWeek && t.follows() && i+2 < history {
			if de, fin := s.back(i+1), s.back(i+2); de.is("de") && (fin.is("fin") || fin.is("fim")) {
				return unitWeekend, 3, spanish | portuguese
			}
		}
		return t.value, 1, t.langs()
	case kindEnd:
		if t.gap == '-' && s.back(i+1).is("week") {
			return unitWeekend, 2, english | french
		}
	case kindNumber:
		if t.is("an") {
			return unitYear, 1, french
		}
	case kindSign:
		if t.value != unitMonth {
			return t.value, 1, han
		}
	}
	return 0, 0, 0
}

// amountAt reads the number and the unit that end i words back. ok is false when
// there is none, or its words are of different languages.
func (s *scanner) amountAt(i int) (a amount, ok bool) {
	unit, width, l := s.unitAt(i)
	if unit == 0 || i+width >= history || !s.back(i+width-1).follows() {
		return amount{}, false
	}
	n, rest, number, ok := s.numberAt(i + width)
	if !ok || rest >= history {
		return amount{}, false
	}
	a = amount{n: n, unit: unit, rest: rest, langs: l & number}
	return a, a.langs != 0
}

// numberAt reads the number that ends i words back.
func (s *scanner) numberAt(i int) (n, rest int, l langs, ok bool) {
	if i+2 >= history {
		return 0, 0, 0, false
	}
	t, before := s.back(i), s.back(i+1)
	switch t.kind {
	case kindDigits:
		if !t.spaced && (t.gap == '.' || t.gap == ',') && before.kind == kindDigits {
			return 0, 0, 0, false // the end of 1.5, of 1,000
		}
		return t.value, i + 1, anyLanguage, true
	case kindNumber:
		return s.numberWord(i, t, before)
	case kindMonthWeak:
		if t.is("sept") {
			return 7, i + 1, french, true
		}
	case kindCouple:
		return t.value, s.article(i, t), t.langs(), true
	case kindOf:
		if before.kind == kindCouple && t.follows() {
			return before.value, s.article(i+1, before), before.langs(), true
		}
	}
	return 0, 0, 0, false
}

// numberWord reads a number in letters: two, twenty-two, 十二.
func (s *scanner) numberWord(i int, t, before *token) (n, rest int, l langs, ok bool) {
	if before.kind == kindNumber && t.value < 10 && before.value >= 10 {
		hyphened := t.gap == '-' && !t.spaced && before.value >= 20
		if hyphened || t.gap == 0 && before.value == 10 {
			return before.value + t.value, i + 2, t.langs() & before.langs(), true
		}
	}
	return t.value, i + 1, t.langs(), true
}

// article returns the place before the word i places back, and before an "a" in
// front of it.
func (s *scanner) article(i int, t *token) int {
	if before := s.back(i + 1); t.follows() && before.kind == kindNumber && before.value == 1 {
		return i + 2
	}
	return i + 1
}

// side tells the last from the next.
type side int

const (
	sideNone side = 0
	sideLast side = -1
	sideNext side = 1
)

// sideOf returns the side that a word means.
func sideOf(t *token) side {
	switch t.kind {
	case kindLast:
		return sideLast
	case kindNext:
		return sideNext
	}
	return sideNone
}

// sideBefore returns the side that the word before the one i places back gives
// it: last week.
func (s *scanner) sideBefore(i int, l langs) side {
	if t := s.back(i + 1); s.back(i).follows() && t.langs()&l != 0 && t.value < 2 {
		return sideOf(t)
	}
	return sideNone
}

// named returns the place of what the current word, which means last or next,
// stands after: 1 in "semaine dernière", 2 in "mes que viene"; 0 in languages
// that don't put it there.
func (s *scanner) named(t *token) int {
	switch {
	case t.value == 0 || t.value > 2 || !t.follows():
		return 0
	case t.value == 2:
		if s.back(1).is("que") && s.back(1).follows() {
			return 2
		}
		return 0
	}
	return 1
}
