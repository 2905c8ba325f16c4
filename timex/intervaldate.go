// Reads one date of a question: a day, a month, a year, a season, a holiday, or
// one told from today.

package timex

// date reads a date from the word i on. Words that can be another (may, spring, a
// bare year) count only where weak says that they are introduced as a date.
func (q *question) date(i int, weak bool) (s span, after int, ok bool) {
	t := q.at(i)
	if i >= q.count {
		return s, i, false
	}
	switch t.kind {
	case kindDigits, kindOrdinal:
		return q.digits(i, weak)
	case kindMonth, kindMonthWeak:
		return q.month(i, weak)
	case kindSeason, kindHoliday:
		return q.season(i, weak, sideNone)
	case kindDay, kindDayWeak, kindEve, kindToday:
		return q.dayWord(i)
	case kindLast, kindNext, kindThis:
		return q.told(i)
	case kindShift:
		unit := max(t.value, -t.value)
		return unitSpan(q.today.unitStart(unit).move(max(-1, min(t.value, 1)), unit), unit), i + 1, true
	case kindPeriod:
		return unitSpan(q.today, t.value), i + 1, true
	case kindUnit, kindWeekday, kindWeekdayWeak, kindEnd:
		return q.named(i, weak)
	}
	return s, i, false
}

// digits reads 2023-05-07, 7 May 2023, 2023年5月7日 and 2023.
func (q *question) digits(i int, weak bool) (s span, after int, ok bool) {
	t, one, two := q.at(i), q.at(i+1), q.at(i+2)
	if two.kind == kindDigits && i+2 < q.count {
		r := resolver{scanner: scan(q.text)}
		r.pos = two.end
		r.count = 4
		r.recent[0], r.recent[1], r.recent[2], r.recent[3] = *q.at(i - 1), *t, *one, *two
		if y, m, d, ok := r.numericDate(two); ok {
			return daySpan(date(y, m, d)), i + 3, true
		}
	}
	if one.kind == kindSign && one.gap == 0 && i+1 < q.count {
		return q.signs(i)
	}
	m := i + 1
	if q.next(m, kindOf) {
		m++
	}
	if month := q.at(m); m < q.count && (month.kind == kindMonth || month.kind == kindMonthWeak) && month.follows() || month.gap == '.' {
		if t.value >= 1 && t.value <= 31 && (month.kind == kindMonth || month.kind == kindMonthWeak) {
			y, end := q.year(m + 1)
			return q.dayOf(y, month.value, t.value, end)
		}
	}
	if t.isYear() && weak {
		return yearSpan(t.value), i + 1, true
	}
	return s, i, false
}

// dayOf returns a day of a month, of the latest year that isn't after today when
// the year is 0.
func (q *question) dayOf(y, m, d, after int) (span, int, bool) {
	if y == 0 {
		y = q.today.t.Year()
		if q.today.less(date(y, m, d)) {
			y--
		}
		for range 8 {
			if validDate(y, m, d) {
				break
			}
			y-- // 29 February
		}
	}
	return daySpan(date(y, m, d)), after, validDate(y, m, d)
}

// signs reads 2023年5月7日, 2023年5月, 2023年, 5月7日 and 5月.
func (q *question) signs(i int) (s span, after int, ok bool) {
	y, m, d := 0, 0, 0
	for ; q.at(i).kind == kindDigits && q.at(i+1).kind == kindSign && q.at(i+1).gap == 0 && i < q.count; i += 2 {
		n, unit := q.at(i).value, q.at(i+1).value
		switch {
		case unit == unitYear && y+m+d == 0 && q.at(i).isYear():
			y = n
		case unit == unitMonth && m+d == 0 && n >= 1 && n <= 12:
			m = n
		case unit == unitDay && m > 0 && d == 0:
			d = n
		default:
			return s, i + 2, false
		}
	}
	switch {
	case d > 0:
		return q.dayOf(y, m, d, i)
	case m > 0 && y > 0:
		return monthSpan(y*12 + m - 1), i, true
	case m > 0:
		return monthSpan(q.latest(m)), i, true
	case y > 0:
		return yearSpan(y), i, true
	}
	return s, i + 2, false
}

// year reads a year after a month or a season: 2023, of 2023, ", 2023"; 0 if
// there is none.
func (q *question) year(i int) (y, after int) {
	j := i
	if q.next(j, kindOf) {
		j++
	}
	if t := q.at(j); j < q.count && t.isYear() && (t.close() || t.gap == ',') {
		return t.value, j + 1
	}
	return 0, i
}

// latest returns the latest such month, 1 to 12, that has begun by today.
func (q *question) latest(m int) int {
	month := q.today.month()
	return month - (month%12-(m-1)+12)%12
}

// month reads May 2023, May 7, 2023, May 7 and May.
func (q *question) month(i int, weak bool) (s span, after int, ok bool) {
	t := q.at(i)
	if y, end := q.year(i + 1); y > 0 {
		return monthSpan(y*12 + t.value - 1), end, true
	}
	d := q.at(i + 1)
	if i+1 < q.count && d.follows() && (d.kind == kindDigits || d.kind == kindOrdinal) && d.value >= 1 && d.value <= 31 &&
		t.langs()&english != 0 {
		y, end := q.year(i + 2)
		return q.dayOf(y, t.value, d.value, end)
	}
	if t.kind == kindMonthWeak && !weak {
		return s, i, false
	}
	return monthSpan(q.latest(t.value)), i + 1, true
}

// season reads "summer 2023", "Christmas", and what "last summer" is.
func (q *question) season(i int, weak bool, side side) (s span, after int, ok bool) {
	t := q.at(i)
	after = i + 1
	for q.at(after).is("s") || q.at(after).is("day") {
		after++
	}
	y, end := q.year(after)
	if y > 0 {
		return t.yearly(y), end, true
	}
	if t.kind == kindSeason && !weak && side == sideNone {
		return s, i, false
	}
	y = q.today.t.Year()
	for q.today.less(t.yearly(y).from) {
		y--
	}
	if side == sideLast && q.today.less(t.yearly(y).to) {
		y--
	}
	if side == sideNext {
		y++
	}
	return t.yearly(y), after, true
}

// yearly returns the span of a season or a holiday in a year. Christmas is the
// 24th to the 26th.
func (t *token) yearly(y int) span {
	if t.kind == kindSeason {
		return seasonSpan(y, t.value)
	}
	first := date(y, t.value/100, t.value%100)
	if t.value/100 == 12 {
		return span{first, first.plus(3)}
	}
	return daySpan(first)
}

// dayWord reads yesterday, today and the like.
func (q *question) dayWord(i int) (s span, after int, ok bool) {
	t := q.at(i)
	probe := scan(q.text)
	for probe.next() && probe.back(0).start < t.start {
	}
	switch days, found := probe.daysOff(t); {
	case t.kind == kindToday:
		return daySpan(q.today), i + 1, !t.is("hui") || t.gap == '\''
	case found:
		return daySpan(q.today.plus(days)), i + 1, true
	}
	return s, i, false
}

// told reads last, this and next with what they stand before: last week, this
// month, next Friday, last May, last summer.
func (q *question) told(i int) (s span, after int, ok bool) {
	side, t := sideOf(q.at(i)), q.at(i+1)
	if i+1 >= q.count || !t.follows() || q.at(i).value > 1 || t.langs()&q.at(i).langs() == 0 {
		return s, i, false
	}
	switch t.kind {
	case kindUnit:
		return q.neighbour(t.value, side, i+2)
	case kindWeekday, kindWeekdayWeak:
		return q.weekday(t.value, side, i+2)
	case kindSeason, kindHoliday:
		return q.season(i+1, true, side)
	case kindMonth, kindMonthWeak:
		month := q.latest(t.value)
		switch {
		case side == sideNext:
			month += 12
		case side == sideLast && month == q.today.month():
			month -= 12
		}
		return monthSpan(month), i + 2, true
	}
	return s, i, false
}

// named reads "la semaine dernière", "vendredi dernier", "on Monday", "the
// weekend".
func (q *question) named(i int, weak bool) (s span, after int, ok bool) {
	t, next := q.at(i), q.at(i+1)
	end := i + 1
	if next.is("que") {
		end, next = i+2, q.at(i+2)
	}
	if side := sideOf(next); end < q.count && side != sideNone && next.value > 0 && next.follows() && next.langs()&t.langs() != 0 {
		if t.kind == kindUnit {
			return q.neighbour(t.value, side, end+1)
		}
		return q.weekday(t.value, side, end+1)
	}
	switch {
	case t.kind == kindWeekday && weak:
		return daySpan(q.today.plus(1).before(t.value)), i + 1, true
	case t.kind == kindUnit && t.value == unitWeekend && weak:
		return q.neighbour(unitWeekend, sideLast, i+1)
	}
	return s, i, false
}

// neighbour returns today's unit, the one before it or the one after.
func (q *question) neighbour(unit int, side side, after int) (s span, end int, ok bool) {
	switch unit {
	case unitNight, unitDay:
		if side == sideNext || side == sideNone && unit == unitNight || side == sideLast && unit == unitDay {
			return s, after, false
		}
		return daySpan(q.today.plus(int(side))), after, true
	case unitHour:
		return s, after, false
	}
	if unit == unitWeekend && side == sideLast {
		first := q.today.before(saturday)
		return span{first, first.plus(2)}, after, true
	}
	return unitSpan(q.today.unitStart(unit).move(int(side), unit), unit), after, true
}

// unitStart returns the first day of the unit of the calendar.
func (d day) unitStart(unit int) day { return unitSpan(d, unit).from }

// weekday returns the weekday on that side of today, of this week for "this".
func (q *question) weekday(weekday int, s side, after int) (span, int, bool) {
	switch s {
	case sideLast:
		return daySpan(q.today.before(weekday)), after, true
	case sideNext:
		return daySpan(q.today.after(weekday)), after, true
	}
	return daySpan(q.today.unitStart(unitWeek).plus(weekday)), after, true
}
