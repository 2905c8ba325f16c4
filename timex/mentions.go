// Says whether a text holds a time expression.

package timex

// Mentions reports whether text holds a time expression: a day, a month, a
// weekday or a year by name, "last week", "two days ago", "for three months",
// "since", "recently", or a date in digits. A month whose name is also another
// word (may, mars) counts beside a day, a year or "in" only; a day whose name is
// another word in another language (hier, morgen) in a text of its own only.
func Mentions(text string) bool {
	s := scan(text)
	for s.next() {
		if t := s.back(0); t.kind != kindNone && s.mention(t) {
			return true
		}
	}
	return false
}

// mention reports whether a time expression ends in the current word.
func (s *scanner) mention(t *token) bool {
	switch t.kind {
	case kindDay, kindEve, kindAgo, kindSince, kindRecently, kindMonth, kindWeekday, kindShift, kindPeriod:
		return true
	case kindToday:
		return !t.is("hui") || t.gap == '\''
	case kindDayWeak:
		_, ok := s.daysOff(t)
		return ok
	case kindDigits:
		return t.isYear()
	case kindMonthWeak:
		return s.monthBeside(t)
	case kindWeekdayWeak:
		return s.sideBefore(0, t.langs()) == sideLast
	case kindFeira:
		return t.gap == '-' && s.back(1).kind == kindWeekdayWeak
	case kindUnit, kindUnits, kindSeason, kindEnd, kindNumber:
		return s.mentionUnit(t)
	case kindAgoWeak:
		_, ok := s.amountAt(1)
		return ok && t.follows()
	case kindLast, kindNext:
		return s.mentionSide(t)
	case kindSign:
		return t.value != unitYear && s.signed(0) > 0 && s.back(2).kind == kindSign
	}
	return false
}

// monthBeside reports whether the words around make a month of a word that can
// be another: in May, 7 May, May 7, May 2023, last May.
func (s *scanner) monthBeside(t *token) bool {
	if next := s.ahead(); next.follows() && (next.kind == kindDigits && (next.isYear() || next.value <= 31) || next.kind == kindOrdinal) {
		return true
	}
	if s.dayBefore(0) > 0 {
		return true
	}
	if !t.follows() {
		return false
	}
	switch one := s.back(1); one.kind {
	case kindIn, kindSince, kindLast, kindNext, kindThis, kindAround, kindTo, kindBetween, kindDigits, kindOrdinal:
		return one.kind != kindDigits || one.value <= 31
	}
	return false
}

// mentionSide recognises "semaine dernière", "vendredi prochain".
func (s *scanner) mentionSide(t *token) bool {
	i := s.named(t)
	if i == 0 {
		return false
	}
	unit, _, l := s.unitAt(i)
	return unit != 0 && l&t.langs() != 0 || s.back(i).kind == kindWeekdayWeak && s.back(i).langs()&t.langs() != 0
}

// mentionUnit judges a unit or a season by the words before it: last week, the
// other day, for three days.
func (s *scanner) mentionUnit(t *token) bool {
	if t.kind == kindSeason {
		side := s.back(1).kind
		return t.follows() && (side == kindLast || side == kindThis || side == kindNext)
	}
	unit, width, l := s.unitAt(0)
	if unit == 0 || !s.back(width-1).follows() {
		return false
	}
	one := s.back(width)
	if t.kind != kindUnits && one.langs()&l != 0 {
		long := unit != unitDay && unit != unitHour
		switch one.kind {
		case kindLast:
			return long && one.value < 2
		case kindThis, kindNext:
			return long && unit != unitNight
		case kindOther:
			return unit == unitDay
		}
	}
	return s.mentionSpan()
}

// mentionSpan recognises "for three days", "for the two weeks", "vor drei Tagen",
// "il y a trois jours".
func (s *scanner) mentionSpan() bool {
	a, ok := s.amountAt(0)
	if !ok || a.unit > unitYear || a.rest+1 >= history {
		return false
	}
	i := a.rest
	if s.back(i).kind == kindThe && s.back(i-1).follows() {
		i++
	}
	t := s.back(i)
	if !s.back(i - 1).follows() {
		return false
	}
	switch t.kind {
	case kindFor:
		return true
	case kindAgoFirst:
		return t.langs()&a.langs != 0 && (t.value == 0 || t.accented)
	case kindInFirst:
		return t.langs()&a.langs != 0 && a.langs&english == 0
	}
	return a.langs&french != 0 && s.yBefore(i)
}
