// Tells the language of a text, where a word means different things in two, and
// names the months in it.

package timex

import "math/bits"

// language returns the one language whose common words are the most in the text,
// or 0 when there is none. It reads the text once.
func (s *scanner) language() langs {
	if !s.asked {
		all := scan(s.text)
		s.spoken, s.asked = all.mostHints(), true
		s.read += all.read
	}
	return s.spoken
}

func (s *scanner) mostHints() langs {
	var counts [8]int
	for s.next() {
		e := s.back(0).entry
		if e == nil {
			continue
		}
		hint := e.hint
		if e.langs == han {
			hint = han
		}
		for ; hint != 0; hint &= hint - 1 {
			counts[bits.TrailingZeros8(uint8(hint))]++
		}
	}
	best, tie := 0, false
	for i, n := range counts {
		if n > counts[best] {
			best, tie = i, false
		} else if i != best && n == counts[best] {
			tie = true
		}
	}
	if tie || counts[best] == 0 {
		return 0
	}
	return 1 << best
}

// localMonths names the months by language, in the order of the constants.
var localMonths = [8][12]string{
	{},
	{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
	{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
	{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
	{"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"},
	{"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"},
	{"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"},
	{"1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"},
}

// localMonth names the month, 0 to 11, in the first language of the set; it is
// empty for English.
func localMonth(l langs, month int) string {
	if l == 0 {
		return ""
	}
	return localMonths[bits.TrailingZeros8(uint8(l))][month]
}
