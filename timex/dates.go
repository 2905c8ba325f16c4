// Calendar arithmetic and how a date is written: no time zone takes part, a day
// is a day of the given time's location.

package timex

import (
	"strconv"
	"time"
)

// Own returns the date of t, in t's location, as words to search by:
// "7 May 2023". The weekday isn't among them: it was measured to be no gain. It
// is empty for years outside 1 to 9999.
func Own(t time.Time) string {
	var buf [maxDate]byte
	return string(dayOf(t).append(buf[:0]))
}

// maxDate is enough bytes for any date with a month's name in two languages.
const maxDate = 40

// day is a date of the proleptic Gregorian calendar, kept at midnight UTC, where
// every day has 24 hours.
type day struct{ t time.Time }

func dayOf(t time.Time) day {
	y, m, d := t.Date()
	return date(y, int(m), d)
}

func date(y, m, d int) day { return day{time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)} }

// valid reports whether the year is one that dates are written for.
func (d day) valid() bool { return validYear(d.t.Year()) }

func validYear(y int) bool { return y >= 1 && y <= 9999 }

func (d day) plus(days int) day { return day{d.t.AddDate(0, 0, days)} }

// weekday counts from Monday, 0.
func (d day) weekday() int { return (int(d.t.Weekday()) + 6) % 7 }

// before returns the nearest such weekday before d, after the nearest after it.
func (d day) before(weekday int) day { return d.plus(-((d.weekday()-weekday+6)%7 + 1)) }
func (d day) after(weekday int) day  { return d.plus((weekday-d.weekday()+6)%7 + 1) }

// month counts the months since the year 0.
func (d day) month() int { return d.t.Year()*12 + int(d.t.Month()) - 1 }

var monthNames = [12]string{
	"January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December",
}

// append writes the day as 7 May 2023, or nothing.
func (d day) append(b []byte) []byte {
	if !d.valid() {
		return b
	}
	b = strconv.AppendInt(b, int64(d.t.Day()), 10)
	return appendMonth(append(b, ' '), d.month())
}

// appendMonth writes a month, counted since the year 0, as May 2023, or nothing.
func appendMonth(b []byte, month int) []byte {
	if month < 12 || !validYear(month/12) {
		return b
	}
	b = append(b, monthNames[month%12]...)
	return strconv.AppendInt(append(b, ' '), int64(month/12), 10)
}

// appendNumber writes a number in digits.
func appendNumber(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }
