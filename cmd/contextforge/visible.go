package main

// This file decides how text of unknown origin is shown, so that nothing in it
// can act on a terminal or pass for something else.

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// joiners are invisible but needed: to write some languages and in emoji.
const (
	nonJoiner = '\u200C'
	joiner    = '\u200D'
)

// visible returns s on one line with every character that shows nothing by
// itself, or acts on what is around it, written out as an escape.
func visible(s string) string {
	return escaped(s, func(r rune) bool { return unicode.IsGraphic(r) || r == joiner || r == nonJoiner })
}

// block returns the lines of a text, each made visible, but for tabs.
func block(s string) []string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = escaped(line, func(r rune) bool {
			return unicode.IsGraphic(r) || r == '\t' || r == joiner || r == nonJoiner
		})
	}
	return lines
}

func escaped(s string, plain func(rune) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case plain(r):
			b.WriteString(s[i : i+size])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u{%04x}`, r)
		}
		i += size
	}
	return b.String()
}

// harmlessJSON writes the control and format characters of JSON text, which
// only its strings can hold, as escapes: the same value, but nothing that acts
// on a terminal.
func harmlessJSON(text []byte) []byte {
	i := bytes.IndexFunc(text, acts)
	if i < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)+64), text[:i]...)
	for _, r := range string(text[i:]) {
		switch {
		case !acts(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// acts reports whether a character of valid JSON text is for machines only.
func acts(r rune) bool {
	if r < 0x7F {
		return false
	}
	return r != joiner && r != nonJoiner && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
