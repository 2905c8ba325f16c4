// Characters that aren't seen: which of them no honest text has, and where.

package injection

import (
	"unicode/utf8"
)

// suspect reports characters that are signals wherever they stand: controls, and directions of
// text that override it, tags and long selectors.
func suspect(r rune) bool {
	return 0x80 <= r && r <= 0x9F && r != 0x85 || 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 || 0xE0000 <= r && r <= 0xE01EF
}

// suspectRun takes a run of suspect characters at i, and returns where it ends.
func (s *scanner) suspectRun(first rune, i int) int {
	end, count := i, 0
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if !suspect(r) || (r <= 0x9F) != (first <= 0x9F) || (r >= 0xE0000) != (first >= 0xE0000) {
			break
		}
		end += size
		count++
	}
	switch {
	case first <= 0x9F:
		s.signal(TerminalControl, i, end, "control character")
	case first < 0xE0000:
		s.signal(HiddenUnicode, i, end, "direction override")
	case first < 0xE0100:
		if before, _ := utf8.DecodeLastRuneInString(s.text[:i]); before != '\U0001F3F4' { // flags of regions are written so
			s.signal(HiddenUnicode, i, end, "tag characters")
		}
	case count > 1:
		s.signal(HiddenUnicode, i, end, "variation selectors in a row")
	}
	return end
}

// hides reports characters that are signals in some places: zero-width ones and selectors.
func hides(r rune) bool {
	return 0x200B <= r && r <= 0x200F || 0x2060 <= r && r <= 0x2064 || r == 0xFEFF || 0xFE00 <= r && r <= 0xFE0F
}

// hiddenAt judges a zero-width character or a selector by what stands around it. Between ASCII characters
// that are seen it can only break them up; emoji and other scripts need it.
func (s *scanner) hiddenAt(r rune, i, size int) {
	before, _ := utf8.DecodeLastRuneInString(s.text[:i])
	after, _ := utf8.DecodeRuneInString(s.text[i+size:])
	if 0xFE00 <= r && r <= 0xFE0F {
		if 0xFE00 <= before && before <= 0xFE0F {
			s.signal(HiddenUnicode, i, i+size, "variation selectors in a row")
		}
		return
	}
	if seen(before) && (seen(after) || hides(after)) || hides(before) && before < 0xFE00 {
		s.signal(HiddenUnicode, i, i+size, "zero-width character inside of text")
	}
}

// seen reports ASCII that leaves a trace on paper.
func seen(r rune) bool { return '!' <= r && r <= '~' }
