// Says whether a text holds a time expression.

package timex

// Mentions reports whether text holds a time expression: a day, a month, a
// weekday or a year by name, "last week", "two days ago", "for three months",
// "since", "recently". A month whose name is also another word (may, mars) counts
// beside a day, a year or "in" only.
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
	case kindDay, kindToday, kindAgo, kindSince, kindRecently, kindMonth, kindWeekday:
		return true
	case kindDigits:
		return t.end-t.start == 4 && t.value >= 1900 && t.value < 2100
	case kindWeekdayWeak:
		return t.follows() && s.back(1).kind == kindLast
	case kindUnit, kindUnits, kindSeason:
		return s.mentionUnit(t)
	}
	return false
}

// mentionUnit judges a unit or a season by the words before it: last week, the
// other day, for three days.
func (s *scanner) mentionUnit(t *token) bool {
	if !t.follows() {
		return false
	}
	day := t.kind != kindSeason && (t.value == unitDay || t.value == unitHour)
	switch s.back(1).kind {
	case kindLast:
		return t.kind != kindUnits && !day
	case kindThis, kindNext:
		return t.kind != kindUnits && !day && (t.kind == kindSeason || t.value != unitNight)
	case kindOther:
		return t.kind == kindUnit && t.value == unitDay
	}
	return s.mentionSpan()
}

// mentionSpan recognises "for three days", "for the two weeks".
func (s *scanner) mentionSpan() bool {
	_, unit, i := s.amountBefore(0)
	if unit == 0 || unit > unitYear {
		return false
	}
	if s.back(i).kind == kindThe && s.back(i-1).follows() {
		i++
	}
	return s.back(i).kind == kindFor && s.back(i-1).follows()
}
