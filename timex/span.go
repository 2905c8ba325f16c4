// Spans of days, and the arithmetic of units on them.

package timex

import "time"

// span is the days from the first up to, but without, the last.
type span struct{ from, to day }

// The ends of what is open: no day is before or after them.
func firstDay() day  { return date(1, 1, 1) }
func endOfDays() day { return date(lastValidYear+1, 1, 1) }

const lastValidYear = 9999

func daySpan(d day) span { return span{d, d.plus(1)} }

func monthSpan(month int) span {
	return span{date(month/12, month%12+1, 1), date(month/12, month%12+2, 1)}
}

func yearSpan(y int) span { return span{date(y, 1, 1), date(y+1, 1, 1)} }

// weekSpan is the week of the day, from Monday.
func weekSpan(d day) span {
	monday := d.plus(-d.weekday())
	return span{monday, monday.plus(7)}
}

// seasonSpan is the three months of a season that begin in the year: spring in
// March, as north of the equator.
func seasonSpan(y, season int) span {
	return span{date(y, 3+3*season, 1), date(y, 6+3*season, 1)}
}

// unitSpan is the calendar's unit that holds the day; for a weekend the Saturday
// and Sunday of its week.
func unitSpan(d day, unit int) span {
	switch unit {
	case unitWeek:
		return weekSpan(d)
	case unitMonth:
		return monthSpan(d.month())
	case unitYear:
		return yearSpan(d.t.Year())
	case unitWeekend:
		week := weekSpan(d)
		return span{week.from.plus(saturday), week.to}
	}
	return daySpan(d)
}

// move returns the day n units away; a day that the month hasn't got becomes its
// last.
func (d day) move(n, unit int) day {
	switch unit {
	case unitWeek, unitWeekend:
		return d.plus(7 * n)
	case unitMonth:
		return d.moveMonths(n)
	case unitYear:
		return d.moveMonths(12 * n)
	}
	return d.plus(n)
}

func (d day) moveMonths(n int) day {
	month := d.month() + n
	if month < 12 {
		return date(0, 1, 1)
	}
	y, m := month/12, month%12+1
	return date(y, m, min(d.t.Day(), monthLength(y, m)))
}

func (d day) less(e day) bool { return d.t.Before(e.t) }

// valid reports whether the span holds a day and lies in the years 1 to 9999.
func (s span) valid() bool {
	return s.from.less(s.to) && !s.from.less(firstDay()) && !endOfDays().less(s.to)
}

func (s span) holds(o span) bool { return !o.from.less(s.from) && !s.to.less(o.to) }

// join narrows a span to one that lies in it, and widens it to reach over one
// that doesn't.
func (s span) join(o span) span {
	switch {
	case s.holds(o):
		return o
	case o.holds(s):
		return s
	}
	if o.from.less(s.from) {
		s.from = o.from
	}
	if s.to.less(o.to) {
		s.to = o.to
	}
	return s
}

// in returns the beginning of the day in a location.
func (d day) in(l *time.Location) time.Time {
	y, m, n := d.t.Date()
	return time.Date(y, m, n, 0, 0, 0, 0, l)
}
