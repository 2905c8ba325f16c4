// Reads what time a question restricts itself to.

package timex

import "time"

// Interval returns the time that the question restricts itself to, when it is
// asked at now: "in May 2023", "last week", "between March and May", "since
// June", "three weeks ago". It reaches from the beginning of the first day up to,
// but not including, to, in the location of now; an open side reaches to the
// beginning of year 1 or of year 10000.
//
// A month, a season or a holiday without a year is the latest that has begun by
// now; "last May" in May is the one of the year before. A week begins on Monday;
// "last week", "last month" and "three weeks ago" are whole units of the
// calendar, "the last three weeks" end with today. Seasons are those north of the
// equator, and winter is named by the year it begins in. Of several times one
// inside another counts alone; others count from the first's beginning to the
// last's end. What follows "before", "after" and "since" without being a date is
// an event, see [Anchor], and restricts nothing. Only the first 64
// words are read.
func Interval(query string, now time.Time) (from, to time.Time, ok bool) {
	var q question
	if q.today = dayOf(now); !q.today.valid() {
		return time.Time{}, time.Time{}, false
	}
	q.read(query)
	s, ok := q.restriction()
	if !ok {
		return time.Time{}, time.Time{}, false
	}
	return s.from.in(now.Location()), s.to.in(now.Location()), true
}

// maxQuestion bounds the words of a question that are read.
const maxQuestion = 64

// question is a question, cut into words. Times are read from a word on; each
// reader returns the place after what it has read.
type question struct {
	text  string
	words [maxQuestion + 1]token
	count int
	today day
}

func (q *question) read(text string) {
	q.text = text
	for s := scan(text); q.count < maxQuestion && s.next(); q.count++ {
		q.words[q.count] = *s.back(0)
	}
}

// at returns the word i, a token of no kind outside the question.
func (q *question) at(i int) *token {
	if i >= 0 && i < q.count {
		return &q.words[i]
	}
	return &q.words[maxQuestion]
}

// next reports whether the word i is of that kind and follows the one before it.
func (q *question) next(i int, k kind) bool {
	return i < q.count && q.at(i).kind == k && q.at(i).close()
}

// restriction joins all times of the question.
func (q *question) restriction() (all span, ok bool) {
	for i := 0; i < q.count; {
		if q.words[i].kind == kindNone {
			i++
			continue
		}
		s, after, found := q.bounded(i)
		switch {
		case found && s.valid() && !ok:
			all, ok = s, true
		case found && s.valid():
			all = all.join(s)
		case !found && !q.at(i).is("during") && q.eventAfter(i):
			for i++; i < q.count && !q.at(i).first; i++ {
			}
			continue
		}
		i = max(after, i+1)
	}
	return all, ok
}

// bounded reads a time with the word that bounds it: since, before, after, until,
// between, "two days after".
func (q *question) bounded(i int) (s span, after int, ok bool) {
	t := q.at(i)
	switch {
	case t.kind == kindBetween, t.kind == kindFrom, t.kind == kindInFirst && t.langs()&italian != 0:
		return q.between(i)
	case t.kind == kindSince:
		if s, after, ok = q.date(q.article(i+1), true); ok {
			return span{s.from, endOfDays()}, after, true
		}
	case t.kind == kindTo && t.value == 1, t.is("of") && q.at(i-1).is("as"):
		if s, after, ok = q.date(q.article(i+1), true); ok {
			return span{firstDay(), s.to}, after, true
		}
	case q.beside(i) != 0 && q.at(i-1).kind == kindUnit && q.at(i-1).value == unitDay && q.at(i+1).kind == kindDay:
		return q.date(i+1, true) // the day before yesterday
	case q.beside(i) != 0:
		if s, after, ok = q.date(q.article(i+1), true); ok {
			if q.beside(i) < 0 {
				return span{firstDay(), s.from}, after, true
			}
			return span{s.to, endOfDays()}, after, true
		}
	}
	if s, after, ok = q.counted(i); ok {
		return s, after, true
	}
	if s, after, ok = q.nextTo(i); ok {
		return s, after, true
	}
	return q.date(i, q.introduced(i))
}

// beside returns -1 for before and 1 for after, and 0 for other words.
func (q *question) beside(i int) int {
	switch t := q.at(i); {
	case t.kind == kindBefore, t.kind == kindAgoFirst && t.langs()&german != 0:
		return -1
	case t.kind == kindAfter:
		return 1
	}
	return 0
}

// between reads "between March and May", "from March to May"; "from March" alone
// is since March.
func (q *question) between(i int) (s span, after int, ok bool) {
	open := q.at(i).kind == kindFrom
	s, after, ok = q.date(q.article(i+1), true)
	if !ok {
		return s, i + 1, false
	}
	if join := q.at(after).kind; join == kindAnd || join == kindTo || q.at(after).is("en") {
		if last, end, found := q.date(q.article(after+1), true); found {
			if !q.at(after-1).isYear() && (q.at(end-1).isYear() || last.from.less(s.from)) {
				s = s.inYear(last) // between March and May 2022, between November and March
			}
			return span{s.from, last.to}, end, true
		}
	}
	if open {
		return span{s.from, endOfDays()}, after, true
	}
	return s, after, true
}

// inYear moves a span to the latest year in which it doesn't begin after the
// other.
func (s span) inYear(other span) span {
	n := 12 * (other.from.t.Year() - s.from.t.Year())
	if other.from.less(s.from.moveMonths(n)) {
		n -= 12
	}
	return span{s.from.moveMonths(n), s.to.moveMonths(n)}
}

// article passes over the words that may stand before a date: the, of.
func (q *question) article(i int) int {
	for range 2 {
		if t := q.at(i); i < q.count && t.close() && (t.kind == kindThe || t.kind == kindOf || t.kind == kindOn || t.kind == kindIn || t.is("dem") || t.is("den") || t.is("der")) {
			i++
		}
	}
	return i
}

// introduced reports whether the word before makes a date of a word that can be
// another.
func (q *question) introduced(i int) bool {
	if t := q.at(i); i == 0 || !t.close() {
		return false
	}
	one, two := q.at(i-1), q.at(i-2)
	switch one.kind {
	case kindIn, kindSince:
		return true
	case kindFor, kindAround, kindOf, kindOn, kindTo:
		return q.at(i).kind != kindSeason
	case kindThe:
		return q.at(i).kind != kindSeason || two.kind == kindIn || two.is("during")
	}
	return false
}

// nextTo reads a day or a unit that a date places: "the Sunday before 25 October
// 2022", "the week after 3 August".
func (q *question) nextTo(i int) (s span, after int, ok bool) {
	if q.at(i).kind == kindLast {
		i++
	}
	t, side := q.at(i), q.beside(i+1)
	if t.kind != kindUnit && t.kind != kindWeekday || side == 0 || i+1 >= q.count || !q.at(i+1).follows() || q.at(i+2).kind == kindDay {
		return s, i, false
	}
	d, after, ok := q.date(q.article(i+2), true)
	if !ok || t.value == unitHour && t.kind == kindUnit {
		return s, i, false
	}
	first, last := d.from, d.to.plus(-1)
	switch {
	case t.kind == kindWeekday && side < 0:
		s = daySpan(first.before(t.value))
	case t.kind == kindWeekday:
		s = daySpan(last.after(t.value))
	case t.value == unitWeekend && side < 0:
		s = span{first.before(saturday), first.before(saturday).plus(2)}
	case t.value == unitWeekend:
		s = span{last.after(saturday), last.after(saturday).plus(2)}
	case side < 0:
		s = span{first.move(-1, t.value), first}
	default:
		s = span{d.to, d.to.move(1, t.value)}
	}
	return s, after, true
}

// counted reads "three weeks ago", "vor drei Wochen", "the last three weeks",
// "two days after 7 May".
func (q *question) counted(i int) (s span, after int, ok bool) {
	start := i
	switch t := q.at(i); {
	case t.kind == kindAgoFirst && (t.value == 0 || t.accented), t.is("a") && q.at(i-1).is("y"):
		start++
	case t.kind == kindLast && t.value != 1:
		n, unit, end := q.amount(i + 1)
		if u := q.at(i + 1); t.value == 3 && q.next(i+1, kindUnit) && u.value != unitHour {
			n, unit, end = 1, u.value, i+2 // the past week
		}
		if unit == 0 || n > maxUnits {
			return s, i, false
		}
		return span{q.today.move(-n, unit), q.today.plus(1)}, end, true
	}
	n, unit, end := q.amount(start)
	if unit == 0 || n > maxUnits {
		return s, i, false
	}
	t := q.at(end)
	switch {
	case start > i || end < q.count && t.close() && (t.kind == kindAgo || t.kind == kindAgoWeak):
		if start == i {
			end++
		}
		return unitSpan(q.today.move(-n, unit), unit), end, true
	case q.beside(end) != 0 && t.close():
		if s, after, ok = q.date(q.article(end+1), true); ok {
			from := s.from.move(q.beside(end)*n, unit)
			return span{from, from.move(1, unit)}, after, true
		}
	}
	return s, i, false
}

// amount reads a number and its unit from the word i on; unit 0 if there is none.
func (q *question) amount(i int) (n, unit, after int) {
	t := q.at(i)
	if t.kind == kindNumber && t.value == 1 && q.next(i+1, kindCouple) {
		i++
		t = q.at(i)
	}
	l := t.langs()
	switch t.kind {
	case kindDigits, kindNumber:
		n = t.value
	case kindCouple:
		n = t.value
		if q.next(i+1, kindOf) {
			i++
		}
	case kindMonthWeak:
		if !t.is("sept") {
			return 0, 0, i
		}
		n, l = 7, french
	default:
		return 0, 0, i
	}
	u := q.at(i + 1)
	if i+1 >= q.count || !u.follows() {
		return 0, 0, i
	}
	switch {
	case u.is("an"):
		return n, unitYear, i + 2
	case u.kind == kindUnit || u.kind == kindUnits || u.kind == kindSign && u.value != unitMonth:
		if u.langs()&l != 0 {
			return n, u.value, i + 2
		}
	}
	return 0, 0, i
}
