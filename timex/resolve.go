// Resolves the relative dates of a text: which days, months and years
// "yesterday", "last Friday" and "two weeks ago" were when it was said.

package timex

import (
	"strconv"
	"time"
)

const (
	// maxUnits bounds the number in "N days ago"; beyond it nothing is resolved.
	maxUnits = 200
	// maxResolved bounds the dates of one text.
	maxResolved = 64
)

// Resolve appends to dst the dates that the relative expressions of text mean
// when it is said at that time, in that time's location, in order of
// appearance, none twice, at most 64. A day is written like "7 May 2023", a
// month "May 2023", a year "2022". Nothing is allocated when the text holds
// none.
func Resolve(dst []string, text string, at time.Time) []string {
	r := resolver{scanner: scan(text), today: dayOf(at), dst: dst, start: len(dst)}
	if !r.today.valid() {
		return dst
	}
	for r.next() && len(r.dst)-r.start < maxResolved {
		if t := r.back(0); t.kind != kindNone {
			r.word(t)
		}
	}
	return r.dst
}

// resolver appends the dates of one text.
type resolver struct {
	scanner
	today day
	dst   []string
	start int
}

// word resolves the expression that ends in the current word.
func (r *resolver) word(t *token) {
	switch t.kind {
	case kindDay:
		r.dayWord(t)
	case kindWeekday, kindWeekdayWeak:
		r.weekday(t)
	case kindUnit, kindUnits:
		r.unit(t)
	case kindAgo:
		if n, u, _ := r.amountBefore(1); u != 0 && t.follows() {
			r.shift(-n, u)
		}
	case kindNow, kindToday:
		if r.back(1).kind == kindFrom && t.follows() && r.back(1).follows() {
			if n, u, _ := r.amountBefore(2); u != 0 {
				r.shift(n, u)
			}
		}
	}
}

// dayWord resolves yesterday and tomorrow, and "the day before yesterday".
func (r *resolver) dayWord(t *token) {
	days := t.value
	one, two := r.back(1), r.back(2)
	if t.follows() && one.follows() && two.kind == kindUnit && two.value == unitDay {
		if days < 0 && one.kind == kindBefore || days > 0 && one.kind == kindAfter {
			days *= 2
		}
	}
	r.day(r.today.plus(days))
}

// weekday resolves "last Friday" and "next Friday": the nearest on that side,
// never the day itself.
func (r *resolver) weekday(t *token) {
	if !t.follows() {
		return
	}
	switch r.back(1).kind {
	case kindLast:
		r.day(r.today.before(t.value))
	case kindNext:
		r.day(r.today.after(t.value))
	}
}

const saturday = 5

// unit resolves last and next week, month and year, last night, the weekend, and
// "in two weeks".
func (r *resolver) unit(t *token) {
	last, next := false, false
	if t.follows() && t.kind == kindUnit {
		last, next = r.back(1).kind == kindLast, r.back(1).kind == kindNext
	}
	switch {
	case t.value == unitWeekend && t.kind == kindUnit:
		if !next {
			r.day(r.today.before(saturday))
		}
	case last && t.value == unitNight:
		r.day(r.today.plus(-1))
	case (last || next) && (t.value == unitMonth || t.value == unitYear || t.value == unitWeek):
		r.neighbour(t, last)
	default:
		r.inUnits(t)
	}
}

// neighbour resolves the week, month or year before or after this one. "The last
// week of June" is none of them, and "the next week" may follow any other.
func (r *resolver) neighbour(t *token, last bool) {
	if a := r.ahead(); a.kind == kindOf && a.follows() {
		return
	}
	switch {
	case last:
		r.shift(-1, t.value)
	case t.value != unitWeek || r.back(2).kind != kindThe:
		r.shift(1, t.value)
	}
}

// inUnits resolves "in two weeks", which is in the future unless it says how long
// something took.
func (r *resolver) inUnits(t *token) {
	n, u, i := r.amountBefore(0)
	if u == 0 || u > unitYear || r.back(i).kind != kindIn || !r.back(i-1).follows() {
		return
	}
	if a := r.ahead(); a.follows() && (a.kind == kindAgo || a.kind == kindOf) {
		return
	}
	for i++; i < history && !r.back(i-1).first; i++ {
		if r.back(i).kind == kindDone {
			return
		}
	}
	r.shift(n, t.value)
}

// amountBefore reads the number and the unit that end i words back: "a couple of
// weeks" is 2, unitWeek. rest is the place of the word before it. The unit is 0
// when there is none.
func (s *scanner) amountBefore(i int) (n, unit, rest int) {
	t := s.back(i)
	if t.kind != kindUnit && t.kind != kindUnits || !t.follows() {
		return 0, 0, 0
	}
	n, rest, ok := s.numberBefore(i + 1)
	if !ok {
		return 0, 0, 0
	}
	return n, t.value, rest
}

// numberBefore reads the number that ends i words back.
func (s *scanner) numberBefore(i int) (n, rest int, ok bool) {
	t := s.back(i)
	switch t.kind {
	case kindDigits:
		if !t.spaced && (t.gap == '.' || t.gap == ',') && s.back(i+1).kind == kindDigits {
			return 0, 0, false // the end of 1.5, of 1,000
		}
		return t.value, i + 1, true
	case kindNumber:
		if tens := s.back(i + 1); t.gap == '-' && !t.spaced && tens.kind == kindNumber && tens.value >= 20 && t.value < 10 {
			return tens.value + t.value, i + 2, true
		}
		return t.value, i + 1, true
	case kindCouple:
		return t.value, s.article(i, t), true
	case kindOf:
		if c := s.back(i + 1); c.kind == kindCouple && t.follows() {
			return c.value, s.article(i+1, c), true
		}
	}
	return 0, 0, false
}

// article returns the place before the word i places back, and before an "a" in
// front of it.
func (s *scanner) article(i int, t *token) int {
	if before := s.back(i + 1); t.follows() && before.kind == kindNumber && before.value == 1 {
		return i + 2
	}
	return i + 1
}

// shift appends the day, the month or the year that is n units from today.
func (r *resolver) shift(n, unit int) {
	if n < -maxUnits || n > maxUnits {
		return
	}
	switch unit {
	case unitDay, unitNight:
		r.day(r.today.plus(n))
	case unitWeek:
		r.day(r.today.plus(7 * n))
	case unitWeekend:
		if n < 0 {
			r.day(r.today.before(saturday).plus(7 * (n + 1)))
		}
	case unitMonth:
		var buf [maxDate]byte
		r.append(appendMonth(buf[:0], r.today.month()+n))
	case unitYear:
		if y := r.today.t.Year() + n; validYear(y) {
			var buf [maxDate]byte
			r.append(strconv.AppendInt(buf[:0], int64(y), 10))
		}
	}
}

func (r *resolver) day(d day) {
	var buf [maxDate]byte
	r.append(d.append(buf[:0]))
}

// append appends a date that the text hasn't got yet.
func (r *resolver) append(written []byte) {
	if len(written) == 0 {
		return
	}
	for _, other := range r.dst[r.start:] {
		if other == string(written) {
			return
		}
	}
	r.dst = append(r.dst, string(written))
}
