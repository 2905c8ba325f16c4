// Reads the event that a question tells its time from.

package timex

import (
	"strings"
	"time"
)

// Unit is a unit of time.
type Unit int

// The units of time.
const (
	Day   Unit = unitDay
	Week  Unit = unitWeek
	Month Unit = unitMonth
	Year  Unit = unitYear
)

// Offset is where a time lies from an event.
type Offset struct {
	Side int  // -1 before the event, 1 after it, 0 during it
	N    int  // how many units away; 0 for any time on that side
	Unit Unit // meaningless when N is 0
	// Whole is whether the whole unit next to the event is meant, as in "the week
	// before the trip", and not the day a week before.
	Whole bool
}

// From returns the time that the offset means of an event at that time: whole
// days in the event's location, up to, but without, to. A time that is N days
// away is that day; one that is N weeks, months or years away is told so roughly
// that half a unit is left to either side. An open side reaches to the beginning
// of year 1 or of year 10000. Both are the zero time when the answer leaves the
// years 1 to 9999.
func (o Offset) From(event time.Time) (from, to time.Time) {
	s := o.span(dayOf(event))
	if !s.valid() {
		return time.Time{}, time.Time{}
	}
	return s.from.in(event.Location()), s.to.in(event.Location())
}

func (o Offset) span(d day) span {
	switch {
	case o.Side == 0:
		return daySpan(d)
	case o.N == 0 && o.Side < 0:
		return span{firstDay(), d}
	case o.N == 0:
		return span{d.plus(1), endOfDays()}
	case o.Whole && o.Side < 0:
		return span{d.move(-o.N, int(o.Unit)), d}
	case o.Whole:
		return span{d.plus(1), d.plus(1).move(o.N, int(o.Unit))}
	}
	middle := d.move(o.Side*o.N, int(o.Unit))
	half := 0
	switch o.Unit {
	case Week:
		half = 3
	case Month:
		half = 15
	case Year:
		half = 182
	}
	return span{middle.plus(-half), middle.plus(half + 1)}
}

// Anchor returns the event that a question tells its time from and where the time
// lies from it: for "three weeks before the trip to Rome" 3 weeks before "the
// trip to Rome"; for "after the wedding" any time after "the wedding". ok is
// false when the question names none, or a date instead, which is [Interval]'s.
// The event is a part of the query, up to the end of its sentence or the next
// comma. Only the first 64 words are read.
func Anchor(query string) (offset Offset, event string, ok bool) {
	var q question
	q.today = date(2000, 1, 1) // which day it is doesn't matter to what is a date
	q.read(query)
	for i := 0; i < q.count; i++ {
		if q.eventAfter(i) {
			return q.offset(i), q.event(i), true
		}
	}
	return Offset{}, "", false
}

// eventAfter reports whether the word i is before, after, since or during, and an
// event follows. German "vor" and "nach" and Dutch "voor" and "na", which mostly
// say where, need an amount of time before them.
func (q *question) eventAfter(i int) bool {
	t := q.at(i)
	switch {
	case t.kind == kindBefore || t.kind == kindAfter || t.kind == kindAgoFirst && t.langs()&german != 0:
		if _, unit, _ := q.amountBefore(i); unit == 0 && t.langs()&(german|dutch) != 0 {
			return false
		}
	case t.kind == kindSince, t.is("during"):
	default:
		return false
	}
	start := q.article(i + 1)
	if start >= q.count || !q.at(i+1).follows() || q.at(i+1).first {
		return false
	}
	switch first := q.at(start); {
	case first.is("that"), first.is("this"), first.is("it"), first.is("then"), first.is("when"), first.is("last"), first.kind == kindNow, first.is("long"):
		return first.is("this") && start+1 < q.count && !q.at(start+1).first
	}
	if _, _, dated := q.date(start, true); dated {
		return false
	}
	return q.event(i) != ""
}

// amountBefore reads the amount that ends before the word i: n and unit, and
// whether it is "the week" and not a number of them.
func (q *question) amountBefore(i int) (n, unit int, whole bool) {
	u := q.at(i - 1)
	if i < 2 || u.kind != kindUnit && u.kind != kindUnits && !u.is("an") || u.value > unitYear {
		return 0, 0, false
	}
	for j := i - 2; j >= max(0, i-4); j-- {
		if n, unit, after := q.amount(j); unit != 0 && after == i {
			return n, unit, false
		}
	}
	if the := q.at(i - 2); u.kind == kindUnit && (the.kind == kindThe || the.kind == kindOn || the.is("die") || the.is("de")) && u.follows() {
		return 1, u.value, u.value != unitDay
	}
	return 0, 0, false
}

// offset returns where the time lies from the event after the word i.
func (q *question) offset(i int) Offset {
	switch t := q.at(i); {
	case t.kind == kindSince:
		return Offset{Side: 1}
	case q.beside(i) == 0:
		return Offset{}
	}
	o := Offset{Side: q.beside(i)}
	if n, unit, whole := q.amountBefore(i); unit != 0 && n <= maxUnits {
		o.N, o.Unit, o.Whole = n, Unit(unit), whole
	}
	return o
}

// event returns the text after the word i up to the end of the sentence or a
// comma.
func (q *question) event(i int) string {
	rest := q.text[q.at(i).end:]
	if j := strings.IndexAny(rest, ",;?!\n"); j >= 0 {
		rest = rest[:j]
	}
	if j := strings.Index(rest, ". "); j >= 0 {
		rest = rest[:j]
	}
	rest = strings.TrimSpace(strings.TrimRight(rest, ". "))
	for _, of := range [...]string{"de ", "del ", "di ", "da ", "do "} {
		if q.at(i).langs()&(spanish|italian|portuguese) != 0 && strings.HasPrefix(rest, of) {
			return strings.TrimSpace(rest[len(of):])
		}
	}
	return rest
}
