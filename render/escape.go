// The escape form: which characters take it, and the way back.

package render

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// escapeContent escapes the text of a memory.
func escapeContent(text string, o Options) string {
	if o.Invisible == Drop {
		text = dropInvisible(text)
	}
	e := escaper{text: text, links: o.Links != Keep}
	e.colon = roleColon(text, 0)
	return e.run()
}

// escapeValue escapes a field of a label: it stays on its line and inside its
// quotation marks. No role is looked for, since a label stands in front.
func escapeValue(text string, o Options) string {
	if o.Invisible == Drop {
		text = dropInvisible(text)
	}
	e := escaper{text: text, links: o.Links != Keep, inline: true, colon: -1}
	return e.run()
}

// escaper goes once through a text.
type escaper struct {
	text          string
	links, inline bool
	colon         int // where the colon after a role stands that begins the current line; or -1
}

// hot holds the bytes at which an escape may begin.
var hot = hotBytes("\\\"<>[(:\x7f")

func hotBytes(more string) (table [256]bool) {
	for c := range table {
		table[c] = c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(more, byte(c)) >= 0
	}
	return table
}

// run returns the text itself when nothing needs an escape.
func (e *escaper) run() string {
	var out []byte
	done := 0
	for i := 0; i < len(e.text); {
		if !hot[e.text[i]] {
			i++
			continue
		}
		r, size := rune(e.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(e.text[i:])
		}
		if e.escapes(i, r, size) {
			if out == nil {
				out = make([]byte, 0, len(e.text)+len(e.text)/8+16)
			}
			out = append(out, e.text[done:i]...)
			out = appendEscape(out, r, e.text[i:i+size])
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return e.text
	}
	return string(append(out, e.text[done:]...))
}

// appendEscape writes the escape form of a character, or of a byte that is none.
func appendEscape(dst []byte, r rune, raw string) []byte {
	if r == utf8.RuneError && len(raw) == 1 {
		dst = append(dst, `\x{`...)
		r = rune(raw[0])
	} else {
		dst = append(dst, `\u{`...)
	}
	return append(strconv.AppendUint(dst, uint64(r), 16), '}')
}

// escapes decides on the character r at i. It keeps track of lines.
func (e *escaper) escapes(i int, r rune, size int) bool {
	if endsLine(r) && !e.inline {
		e.colon = roleColon(e.text, i+size)
	}
	switch r {
	case '\n', '\t', '"':
		return e.inline
	case '\\':
		return looksEscaped(e.text[i+1:])
	case '<', '＜', '﹤':
		return opensTag(e.text[i+size:], e.links)
	case '>':
		return closesMarkup(e.text[:i])
	case '[', '［':
		return opensBracket(e.text[i+size:])
	case '(':
		return e.links && i > 0 && e.text[i-1] == ']' && leadsElsewhere(e.text[i+1:])
	case ':':
		return i == e.colon || toolKey(e.text, i) || e.links && i > 0 && e.text[i-1] == ']' && leadsElsewhere(e.text[i+1:])
	case '：':
		return i == e.colon
	case utf8.RuneError:
		return size == 1
	}
	return invisible(r)
}

// endsLine reports the characters that some reader takes for the end of a line.
func endsLine(r rune) bool {
	return '\n' <= r && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// looksEscaped reports what follows the backslash of an escape form.
func looksEscaped(rest string) bool {
	return strings.HasPrefix(rest, "u{") || strings.HasPrefix(rest, "x{")
}

// invisible reports characters that aren't seen, or that direct how others are
// seen: controls but for tab and line feed, and about what Unicode calls
// default-ignorable (DerivedCoreProperties), separators of lines, noncharacters.
func invisible(r rune) bool {
	if r < 0xA0 {
		return r < ' ' && r != '\t' && r != '\n' || r >= 0x7F
	}
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5:
	case 0x180B <= r && r <= 0x180F:
	case 0x200B <= r && r <= 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
	case r == 0x3164, r == 0xFFA0, r == 0xFEFF, 0xFFF0 <= r && r <= 0xFFFB:
	case 0xFE00 <= r && r <= 0xFE0F, 0xFDD0 <= r && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
	case 0x1BCA0 <= r && r <= 0x1BCA3, 0x1D173 <= r && r <= 0x1D17A, 0xE0000 <= r && r <= 0xE0FFF:
	default:
		return false
	}
	return true
}

// dropInvisible leaves invisible characters out; see [Drop].
func dropInvisible(text string) string {
	var out []byte
	done := 0
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		if !invisible(r) {
			continue
		}
		out = append(out, text[done:i]...)
		if endsLine(r) && !strings.HasPrefix(text[i:], "\r\n") {
			out = append(out, '\n')
		}
		done = i + size
	}
	if done == 0 {
		return text
	}
	return string(append(out, text[done:]...))
}

// unescape undoes the escape form. Each backslash before u{ or x{ must begin one.
func unescape(text string) (string, error) {
	var out []byte
	for {
		i := strings.IndexByte(text, '\\')
		for i >= 0 && !looksEscaped(text[i+1:]) {
			next := strings.IndexByte(text[i+1:], '\\')
			if next < 0 {
				i = -1
				break
			}
			i += 1 + next
		}
		if i < 0 {
			break
		}
		out = append(out, text[:i]...)
		decoded, size, err := decodeEscape(out, text[i:])
		if err != nil {
			return "", err
		}
		out, text = decoded, text[i+size:]
	}
	if out == nil {
		return text, nil
	}
	return string(append(out, text...)), nil
}

// decodeEscape appends what the escape form at the start of text stands for.
func decodeEscape(dst []byte, text string) (out []byte, size int, err error) {
	const longest = len(`\u{10ffff}`)
	end := strings.IndexByte(text[:min(len(text), longest)], '}')
	if end < 0 {
		return nil, 0, fmt.Errorf("no end of the escape at %.12q", text)
	}
	n, err := strconv.ParseUint(text[len(`\u{`):end], 16, 32)
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("no number in the escape %q", text[:end+1])
	case text[1] == 'x' && utf8.RuneSelf <= n && n <= 0xFF:
		return append(dst, byte(n)), end + 1, nil
	case text[1] == 'u' && n <= utf8.MaxRune && utf8.ValidRune(rune(n)):
		return utf8.AppendRune(dst, rune(n)), end + 1, nil
	}
	return nil, 0, fmt.Errorf("no character %q", text[:end+1])
}
