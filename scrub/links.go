// What stands between a name and its value, piece by piece: brackets, quotes, signs,
// types, lines.

package scrub

import "strings"

// particles join a name to its value in scripts without blanks.
var particles = [...]string{"是", "为", "為", "は", "が", "는", "은", "이", "가"}

// bracket returns the length of the bracket that ends a tag, as it is or escaped.
func bracket(text string) int {
	for _, b := range [...]string{">", `\u003e`, `\u003E`, "&gt;"} {
		if strings.HasPrefix(text, b) {
			return len(b)
		}
	}
	return 0
}

// opensElement reports that text ends in the bracket that begins a tag.
func opensElement(text string) bool {
	return strings.HasSuffix(text, "<") || strings.HasSuffix(text, `\u003c`) || strings.HasSuffix(text, `\u003C`) || strings.HasSuffix(text, "&lt;")
}

// closers returns the length of what closes a name: its quotes, brackets, marks
// of emphasis.
func closers(text string) (n int, closed bool) {
	for n < len(text) && n < 10 {
		if q := entity(text[n:]); q > 0 {
			n, closed = n+q, true
			continue
		}
		switch text[n] {
		case '"', '\'', '`':
			closed = true
		case ']', '*', '!':
		case '?':
			if strings.HasPrefix(text[n:], "?=") {
				return n, closed
			}
		case '}':
			if !strings.HasPrefix(text[n:], "} =") && !strings.HasPrefix(text[n:], "}=") {
				return n, closed
			}
		case '\\':
			if n+1 >= len(text) || text[n+1] != '"' && text[n+1] != '\'' && text[n+1] != '\\' {
				return n, closed
			}
		case '[':
			if n+1 >= len(text) || text[n+1] != ']' {
				return n, closed
			}
		case ')':
			if !closed {
				return n, closed
			}
		default:
			return n, closed
		}
		n++
	}
	return n, closed
}

// entity returns the length of a quotation mark as HTML escapes it.
func entity(text string) int {
	if text[0] == '&' {
		for _, e := range [...]string{"&quot;", "&#34;", "&#39;", "&apos;"} {
			if strings.HasPrefix(text, e) {
				return len(e)
			}
		}
	}
	return 0
}

func skipBlanks(text string) int {
	n := 0
	for n < len(text) && n < 32 && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	return n
}

// separator returns the length of what assigns, at the start of text, with the
// marks of emphasis behind it; -1 when it is something else.
func separator(text string) int {
	n := 1
	switch {
	case strings.HasPrefix(text, "::"), strings.HasPrefix(text, "=~"):
		return -1
	case strings.HasPrefix(text, ":="), strings.HasPrefix(text, "=>"), strings.HasPrefix(text, "=="), strings.HasPrefix(text, "?="):
		n = 2
		if strings.HasPrefix(text, "===") {
			n = 3
		}
	case strings.HasPrefix(text, `=\u003e`), strings.HasPrefix(text, `=\u003E`):
		n = 7
	case strings.HasPrefix(text, "=&gt;"):
		n = 5
	case text[0] != ':' && text[0] != '=': // wide, or escaped
		n = 3
	}
	if strings.HasPrefix(text, "=3D") { // quoted-printable
		n = 3
	}
	if strings.HasPrefix(text[n:], "%22") {
		n += 3
	}
	for n < len(text) && text[n] == '*' && n < 6 {
		n++
	}
	return n
}

// hop returns the length of a type that stands between the separator and the
// value, as in "password: str = ".
func hop(text string) int {
	i := skipBlanks(text)
	start := i
	for i < len(text) && i < 40 && (isNameByte(text[i]) || strings.IndexByte("<>[]?|.*&'", text[i]) >= 0) {
		i++
	}
	if i == start || i >= 40 {
		return 0
	}
	n := skipBlanks(text[i:])
	if n == 0 || i+n+1 >= len(text) || text[i+n] != '=' || text[i+n+1] == '=' {
		return 0
	}
	return i + n + 1
}

// valueLine returns the length of a line end and the "value:" that begins the
// next line, as Kubernetes writes variables.
func valueLine(text string) int {
	trimmed := strings.TrimLeft(text, " \t\r\n\"'+>#/-")
	n := len(text) - len(trimmed)
	if n > 64 || !strings.HasPrefix(trimmed, "value") {
		return 0
	}
	rest := strings.TrimLeft(trimmed[len("value"):], "\"' \t")
	if rest == "" || rest[0] != ':' && rest[0] != '=' {
		return 0
	}
	return len(text) - len(rest) + 1
}

// stringElement returns the length of what stands between a name and its value in
// a property list: </key> <string>.
func stringElement(rest string) int {
	after := strings.TrimLeft(rest[len("</key>"):], " \t\r\n+>#/")
	if !strings.HasPrefix(after, "<string>") {
		return 0
	}
	return len(rest) - len(after) + len("<string>")
}

// defaultOf returns the length of a block of Terraform up to the value of its
// default.
func defaultOf(rest string) int {
	end := strings.IndexByte(rest+"}", '}')
	n := strings.Index(rest[:end], "default")
	if n < 0 {
		return 0
	}
	n += len("default")
	n += skipBlanks(rest[n:])
	if n >= end || rest[n] != '=' {
		return 0
	}
	return n + 1
}

// blockSigns returns the length of what announces a text on the next lines: |
// and > of YAML, << and a word of the shell.
func blockSigns(rest string) int {
	n := 0
	switch {
	case rest == "":
	case rest[0] == '|' || rest[0] == '>':
		for n = 1; n < len(rest) && strings.IndexByte("-+0123456789", rest[n]) >= 0; n++ {
		}
	case strings.HasPrefix(rest, "<<"):
		for n = 2; n < len(rest) && n < 24 && (isLetter(rest[n]) || strings.IndexByte("-~_'\"", rest[n]) >= 0); n++ {
		}
	}
	if n < len(rest) && rest[n] != '\n' && rest[n] != '\r' {
		return 0
	}
	return n
}

func particle(rest string) int {
	for _, p := range particles {
		if strings.HasPrefix(rest, p) {
			return len(p)
		}
	}
	return 0
}

// points reports an arrow or a dash.
func points(rest string) bool {
	for _, p := range [...]string{"->", "- ", "– ", "— ", "→"} {
		if strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}

// offers reports what comes between a name and the value in its default.
func offers(rest string) bool {
	return strings.HasPrefix(rest, "||") || strings.HasPrefix(rest, "??") || strings.HasPrefix(rest, "!=") || strings.HasPrefix(rest, "or ")
}

// aside returns the length of a remark in brackets between a name and its link.
func aside(text string) int {
	blank := skipBlanks(text)
	if blank == 0 || blank == len(text) || text[blank] != '(' && text[blank] != '[' {
		return 0
	}
	n := strings.IndexAny(text[blank+1:min(len(text), blank+48)], ")]\n")
	if n < 0 || text[blank+1+n] == '\n' {
		return 0
	}
	n += blank + 2
	if rest := text[n:]; rest != "" && (rest[0] == ':' || rest[0] == '=' || strings.HasPrefix(rest, " is ")) {
		return n
	}
	return 0
}

func wordLength(text string) int {
	n := 0
	for n < len(text) && (isLetter(text[n]) || text[n] >= 0x80) {
		n++
	}
	return n
}

// ended reports that a word ends where text begins.
func ended(text string) bool {
	return text == "" || strings.IndexByte(" ,.;:!?)\n\r\"'", text[0]) >= 0
}
