// Resolves the relative dates of a text: which days, months and years
// "yesterday", "last Friday" and "two weeks ago" were when it was said.

package timex

import (
	"strconv"
	"strings"
	"time"
)

const (
	// maxUnits bounds the number in "N days ago"; beyond it nothing is resolved.
	maxUnits = 200
	// maxResolved bounds the dates of one text.
	maxResolved = 64
)

// Resolve appends to dst the dates that the relative expressions of text mean
// when it is said at that time, in that time's location, and those that it
// writes in digits (2023-05-07, 7.5.2023) or in another language than English.
// They come in order of appearance, none twice, at most 64. A day is written
// like "7 May 2023", a month "May 2023", a year "2022"; a text in another
// language has the month's name in that language after it, "7 May 2023 Mai".
// Nothing is allocated when the text holds none.
func Resolve(dst []string, text string, at time.Time) []string {
	r := resolver{scanner: scan(text), today: dayOf(at), dst: dst, start: len(dst)}
	if !r.today.valid() {
		return dst
	}
	r.run()
	return r.dst
}

// resolver appends the dates of one text.
type resolver struct {
	scanner
	today day
	dst   []string
	start int
}

func (r *resolver) run() {
	for r.next() && len(r.dst)-r.start < maxResolved {
		if t := r.back(0); t.kind != kindNone {
			r.word(t)
		}
	}
}

// word resolves the expression that ends in the current word.
func (r *resolver) word(t *token) {
	switch t.kind {
	case kindDay, kindDayWeak, kindEve:
		if days, ok := r.daysOff(t); ok {
			r.day(r.today.plus(days), t.langs())
		}
	case kindWeekday, kindWeekdayWeak:
		r.weekday(t.value, r.sideBefore(0, t.langs()), t.langs())
	case kindFeira:
		if before := r.back(1); t.gap == '-' && before.kind == kindWeekdayWeak && before.langs()&portuguese != 0 {
			r.weekday(before.value, r.sideBefore(1, portuguese), portuguese)
		}
	case kindUnit, kindUnits, kindEnd, kindNumber:
		r.unit(t)
	case kindAgo, kindAgoWeak:
		if a, ok := r.amountAt(1); ok && t.follows() && a.langs&t.langs() != 0 {
			r.shift(-a.n, a.unit, a.langs&t.langs())
		}
	case kindLast, kindNext:
		r.sideAfter(t)
	case kindShift:
		r.shift(max(-1, min(t.value, 1)), max(t.value, -t.value), t.langs())
	case kindNow, kindToday:
		if r.back(1).kind == kindFrom && t.follows() {
			if a, ok := r.amountAt(2); ok && r.back(1).follows() && a.langs&english != 0 {
				r.shift(a.n, a.unit, english)
			}
		}
	case kindDigits, kindMonth, kindMonthWeak, kindSign:
		r.written(t)
	}
}

// weekday resolves "last Friday" and "next Friday": the nearest on that side,
// never the day itself.
func (r *resolver) weekday(weekday int, s side, l langs) {
	switch s {
	case sideLast:
		r.day(r.today.before(weekday), l)
	case sideNext:
		r.day(r.today.after(weekday), l)
	}
}

// sideAfter resolves "vendredi dernier", "semaine prochaine", "mes que viene".
func (r *resolver) sideAfter(t *token) {
	i, s := r.named(t), sideOf(t)
	if i == 0 {
		return
	}
	named := r.back(i)
	if unit, width, l := r.unitAt(i); unit != 0 {
		if l &= t.langs(); l != 0 && i+width < history {
			r.side(unit, s, l)
		}
		return
	}
	switch l := named.langs() & t.langs(); {
	case l == 0:
	case named.kind == kindWeekday || named.kind == kindWeekdayWeak:
		r.weekday(named.value, s, l)
	case named.kind == kindFeira && r.back(i+1).kind == kindWeekdayWeak:
		r.weekday(r.back(i+1).value, s, l)
	}
}

const saturday = 5

// unit resolves last and next week, month and year, last night, the weekend,
// "vor zwei Wochen" and "in two weeks".
func (r *resolver) unit(t *token) {
	unit, width, l := r.unitAt(0)
	if unit == 0 {
		return
	}
	s := sideNone
	if t.kind != kindUnits {
		s = r.sideBefore(width-1, l)
	}
	switch {
	case unit == unitWeekend && t.kind != kindUnits:
		after := r.ahead() // week-end dernier, week-end prochain
		if s != sideNext && !(sideOf(&after) != sideNone && after.value > 0 && after.follows()) {
			r.day(r.today.before(saturday), l)
		}
	case s != sideNone && t.kind != kindNumber && !r.anotherOne(unit, s):
		r.side(unit, s, l&r.back(width).langs())
	case s == sideNone:
		r.counted()
	}
}

// anotherOne reports whether "last" and "next" don't count from today: "the last
// week of June", "the next week".
func (r *resolver) anotherOne(unit int, s side) bool {
	if a := r.ahead(); a.is("of") && a.follows() {
		return true
	}
	return s == sideNext && unit == unitWeek && r.back(2).kind == kindThe && r.back(1).langs()&english != 0
}

// side resolves the unit before or after today's.
func (r *resolver) side(unit int, s side, l langs) {
	switch unit {
	case unitWeek, unitMonth, unitYear:
		r.shift(int(s), unit, l)
	case unitNight:
		if s == sideLast {
			r.day(r.today.plus(-1), l)
		}
	case unitWeekend:
		if s == sideLast {
			r.day(r.today.before(saturday), l)
		}
	}
}

// counted resolves a number of units by the words before it: "vor zwei Wochen"
// is in the past; "in two weeks" in the future, unless it says how long something
// took.
func (r *resolver) counted() {
	a, ok := r.amountAt(0)
	if !ok || !r.back(a.rest-1).follows() {
		return
	}
	t := r.back(a.rest)
	l := a.langs & t.langs()
	if t.is("a") { // il y a deux jours, daqui a dois dias
		l = a.langs & (french | portuguese)
	}
	if l == 0 {
		return
	}
	switch {
	case t.kind == kindAgoFirst && (t.value == 0 || t.accented), l == french && r.yBefore(a.rest):
		r.shift(-a.n, a.unit, l)
	case t.is("de") && r.back(a.rest+1).is("dentro"), t.is("a") && r.back(a.rest+1).is("daqui"):
		r.shift(a.n, a.unit, l)
	case t.kind == kindInFirst && a.langs&english == 0, t.kind == kindIn && t.value == 0 && a.unit <= unitYear && !r.howLong(a.rest):
		r.shift(a.n, a.unit, l)
	}
}

// yBefore reports whether "y a" ends i words back.
func (s *scanner) yBefore(i int) bool {
	return i+1 < history && s.back(i).is("a") && !s.back(i).accented && s.back(i+1).is("y")
}

// howLong reports whether "in two weeks", whose "in" is i words back, says how
// long something took: a word of the past stands before it.
func (r *resolver) howLong(i int) bool {
	if a := r.ahead(); a.follows() && (a.kind == kindAgo || a.is("of")) {
		return true
	}
	for i++; i < history && !r.back(i-1).first; i++ {
		if r.back(i).kind == kindDone {
			return true
		}
	}
	return false
}

// shift appends the day, the month or the year that is n units from today.
func (r *resolver) shift(n, unit int, l langs) {
	if n < -maxUnits || n > maxUnits {
		return
	}
	switch unit {
	case unitDay, unitNight:
		r.day(r.today.plus(n), l)
	case unitWeek:
		r.day(r.today.plus(7*n), l)
	case unitWeekend:
		if n < 0 {
			r.day(r.today.before(saturday).plus(7*(n+1)), l)
		}
	case unitMonth:
		r.month(r.today.month()+n, l)
	case unitYear:
		if y := r.today.t.Year() + n; validYear(y) {
			var buf [maxDate]byte
			r.append(strconv.AppendInt(buf[:0], int64(y), 10))
		}
	}
}

// day appends a day, and the name of its month in the language of the
// expression.
func (r *resolver) day(d day, l langs) {
	if d.valid() {
		var buf [maxDate]byte
		r.append(r.local(d.append(buf[:0]), d.month(), l))
	}
}

func (r *resolver) month(month int, l langs) {
	var buf [maxDate]byte
	if b := appendMonth(buf[:0], month); len(b) > 0 {
		r.append(r.local(b, month, l))
	}
}

// local adds the name of the month in the language of the text, if that is
// another than English.
func (r *resolver) local(b []byte, month int, l langs) []byte {
	if l&english != 0 && l != anyLanguage {
		return b
	}
	if l&(l-1) != 0 { // more than one
		if spoken := r.language(); spoken&l != 0 {
			l = spoken
		} else if l == anyLanguage {
			return b
		}
	}
	if name := localMonth(l, month%12); name != "" && !strings.EqualFold(name, monthNames[month%12]) {
		return append(append(b, ' '), name...)
	}
	return b
}

// append appends a date that the text hasn't got yet.
func (r *resolver) append(written []byte) {
	for _, other := range r.dst[r.start:] {
		if other == string(written) {
			return
		}
	}
	r.dst = append(r.dst, string(written))
}
