// Dates that a text writes out: in digits, with the month's name of another
// language than English, with Chinese and Japanese signs.

package timex

// firstYear and lastYear bound what four digits are taken for a year.
const (
	firstYear = 1900
	lastYear  = 2099
)

// isYear reports whether the token is a year in four digits.
func (t *token) isYear() bool {
	return t.kind == kindDigits && t.value >= firstYear && t.value <= lastYear && t.end-t.start == 4
}

// monthLength returns the days of a month, 1 to 12.
func monthLength(y, m int) int { return date(y, m+1, 0).t.Day() }

func validDate(y, m, d int) bool {
	return validYear(y) && m >= 1 && m <= 12 && d >= 1 && d <= monthLength(y, m)
}

// written resolves a date that ends in the current word.
func (r *resolver) written(t *token) {
	switch {
	case t.kind == kindSign:
		r.signs(t)
	case t.kind != kindDigits:
		r.namedDay(t)
	case !r.numeric(t) && t.isYear():
		r.namedYear(t)
	}
}

// numeric resolves 2023-05-07, 7.5.2023 and 5/7/2023.
func (r *resolver) numeric(t *token) bool {
	y, m, d, ok := r.numericDate(t)
	if ok {
		r.day(date(y, m, d), anyLanguage)
	}
	return ok
}

// numericDate reads the three numbers that end in the current word. The year has
// four digits and stands first or last. After it comes the month; before it, with
// dots or hyphens, day and month. With strokes it is month and day as in the
// United States, unless only the other order is a date or the text is in one of
// the other languages.
func (r *resolver) numericDate(t *token) (y, m, d int, ok bool) {
	one, two := r.back(1), r.back(2)
	sep := t.gap
	if t.spaced || sep != '-' && sep != '.' && sep != '/' || one.gap != sep || one.spaced || one.kind != kindDigits || two.kind != kindDigits {
		return 0, 0, 0, false
	}
	if two.gap == sep && !two.spaced && r.back(3).kind == kindDigits || r.goesOn(sep) {
		return 0, 0, 0, false
	}
	switch {
	case two.isYear():
		y, m, d = two.value, one.value, t.value
	case t.isYear():
		y, m, d = t.value, one.value, two.value
		if sep == '/' && validDate(y, d, m) && (!validDate(y, m, d) || !r.dayFirst()) {
			m, d = d, m
		}
	}
	return y, m, d, validDate(y, m, d)
}

// goesOn reports whether the separator and another digit follow the current
// word, as in 1.2.2023.4.
func (r *resolver) goesOn(sep byte) bool {
	rest := r.text[r.pos:]
	return len(rest) > 1 && rest[0] == sep && rest[1] >= '0' && rest[1] <= '9'
}

// dayFirst reports whether the text is in a language that writes the day before
// the month.
func (r *resolver) dayFirst() bool {
	return r.language()&(german|french|spanish|italian|portuguese|dutch) != 0
}

// foreign reports whether a month's name is none of English.
func foreign(t *token) bool {
	return (t.kind == kindMonth || t.kind == kindMonthWeak) && t.langs()&english == 0
}

// namedDay resolves "7. Mai" and "7 de mayo" when no year follows. English words
// need no resolving.
func (r *resolver) namedDay(t *token) {
	if !foreign(t) {
		return
	}
	probe := r.scanner
	if probe.next() && probe.back(0).is("de") {
		probe.next()
	}
	if y := probe.back(0); y.isYear() && (y.follows() || y.gap == ',') {
		return
	}
	if d := r.dayBefore(0); d > 0 && d <= monthLength(2000, t.value) {
		var buf [maxDate]byte
		b := append(appendNumber(buf[:0], d), ' ')
		r.append(append(b, monthNames[t.value-1]...))
	}
}

// dayBefore returns the day of the month that stands before the month i words
// back: 7 mai, 7. Mai, 7 de mayo, 1er mai. 0 if there is none.
func (s *scanner) dayBefore(i int) int {
	month := s.back(i)
	if of := s.back(i + 1); of.kind == kindOf && month.follows() && of.follows() {
		i++
	} else if !(month.follows() || month.gap == '.' && month.spaced) {
		return 0
	}
	if d := s.back(i + 1); (d.kind == kindDigits || d.kind == kindOrdinal) && d.value >= 1 && d.value <= 31 && d.end-d.start <= 4 {
		return d.value
	}
	return 0
}

// namedYear resolves "7. Mai 2023", "mayo de 2023".
func (r *resolver) namedYear(t *token) {
	i := 1
	if of := r.back(1); of.kind == kindOf && of.follows() {
		i = 2
	}
	m := r.back(i)
	if !foreign(m) || !t.follows() && t.gap != ',' {
		return
	}
	d := r.dayBefore(i)
	switch {
	case validDate(t.value, m.value, d):
		r.day(date(t.value, m.value, d), english)
	case d == 0:
		r.month(t.value*12+m.value-1, english)
	}
}

// signs resolves 2023年5月7日, 2023年5月 and 5月7日.
func (r *resolver) signs(t *token) {
	switch t.value {
	case unitDay:
		m, d := r.signed(2), r.signed(0)
		if r.back(2).value != unitMonth || r.back(2).kind != kindSign || m == 0 || d == 0 {
			return
		}
		if y := r.signed(4); y > 0 && r.back(4).kind == kindSign && r.back(4).value == unitYear {
			if validDate(y, m, d) {
				r.day(date(y, m, d), han)
			}
		} else if m <= 12 && d <= monthLength(2000, m) {
			var buf [maxDate]byte
			b := append(appendNumber(buf[:0], d), ' ')
			r.append(append(b, monthNames[m-1]...))
		}
	case unitMonth:
		y, m := r.signed(2), r.signed(0)
		if a := r.ahead(); a.kind == kindDigits && a.gap == 0 || r.back(2).kind != kindSign || r.back(2).value != unitYear {
			return
		}
		if validDate(y, m, 1) {
			r.month(y*12+m-1, han)
		}
	}
}

// signed returns the number in digits right before the sign i words back.
func (s *scanner) signed(i int) int {
	if n := s.back(i + 1); s.back(i).gap == 0 && n.kind == kindDigits && n.value < tooBig {
		return n.value
	}
	return 0
}
