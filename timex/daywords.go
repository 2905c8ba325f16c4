// The words for the days around today, some of which are other words too.

package timex

// daysOff returns how many days from today a word for a day is: yesterday, "the
// day before yesterday", avant-hier, pasado mañana.
func (s *scanner) daysOff(t *token) (days int, ok bool) {
	one, two := s.back(1), s.back(2)
	days = t.value
	switch {
	case t.follows() && one.follows() && two.kind == kindUnit && two.value == unitDay && t.langs()&two.langs() != 0 &&
		(days < 0 && one.kind == kindBefore || days > 0 && one.kind == kindAfter):
		return 2 * days, true
	case t.gap == '-' && t.is("hier") && one.is("avant"), t.gap == '-' && t.is("demain") && one.is("apres"),
		t.follows() && t.is("manana") && one.is("pasado"), t.follows() && t.is("ieri") && one.is("altro"),
		t.follows() && one.is("de") && (t.is("ayer") || t.is("ontem")) && two.is("antes"),
		t.follows() && one.is("de") && t.is("amanha") && two.is("depois"):
		return 2 * days, true
	case t.kind == kindDayWeak:
		return days, !s.morning(t, one) && (t.accented || s.language()&t.langs() != 0)
	}
	return days, true
}

// morning reports whether morgen and mañana are a part of a day, and not a day:
// heute Morgen, am Morgen, por la mañana.
func (s *scanner) morning(t, one *token) bool {
	if !t.follows() || one.entry == nil {
		return false
	}
	switch one.entry.word {
	case "heute", "gestern", "guten", "am", "jeden", "diesen", "den", "der", "einen", "goede", "gisteren", "la", "esta", "cada", "una":
		return !t.is("hier")
	}
	return false
}
