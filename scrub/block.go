// Multi-line keys: armoured private keys (RFC 7468, RFC 4880, OpenSSH, OpenVPN)
// and those of PuTTY, in whatever way they were pasted: with line ends, escaped
// ones or blanks, quoted, indented, behind "> " or "+ ", cut before their end.

package scrub

import (
	"bytes"
	"strings"
)

// MaxSecret is how many bytes one secret may have, and how far a rule looks.
// The longest keys in use (RSA of 16,384 bits) have 13 KB.
const MaxSecret = 64 << 10

// blockKind is a kind of armour: its first line begins with begin, goes on with
// words and ends with one of the closings; so does its last line with end.
type blockKind struct {
	begin, end string
	closings   []string
}

var blockKinds = [...]blockKind{
	{"-----BEGIN", "-----END", []string{"PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "Static key V1-----"}},
	{"---- BEGIN", "---- END", []string{"PRIVATE KEY ----"}},
}

// blockEnd remembers a search for an end marker: from is where it began (-1:
// none yet), at and end the marker that was found (at the length of the text
// when there is none).
type blockEnd struct{ from, at, end int }

// block matches one kind of armour.
type block struct{ kind int }

func (b block) match(s *scan, at int, anchor string, _ int) {
	pos := b.marker(s, at+len(anchor))
	if pos < 0 {
		return
	}
	body := s.after(pos, MaxSecret)
	if e := b.findEnd(s, pos); e.at-pos <= len(body) && e.end <= s.limit(pos) && e.at < len(s.text) && keyBody(body[:e.at-pos]) {
		s.hit(at, e.end)
		return
	}
	if n := keyLines(s, body); n > 0 {
		s.hit(at, pos+n)
	}
}

// marker returns the end of a marker line whose fixed beginning ends at pos.
func (b block) marker(s *scan, pos int) int {
	var line [80]byte
	var ends [80]int // where each byte of line ends in the text
	text := s.after(pos, len(line))
	s.work += len(text)
	n := 0
	for i := 0; i < len(text); n++ { // a marker in an address has signs for its blanks
		line[n] = text[i]
		switch {
		case text[i] == '+':
			line[n] = ' '
		case strings.HasPrefix(text[i:], "%20"):
			line[n], i = ' ', i+2
		}
		i++
		ends[n] = i
	}
	for _, closing := range blockKinds[b.kind].closings {
		i := bytes.Index(line[:n], []byte(closing))
		if i < 0 || line[0] != ' ' || bytes.ContainsFunc(line[:i], notMarker) {
			continue
		}
		return pos + ends[i+len(closing)-1]
	}
	return -1
}

// notMarker reports a character that stands in no marker.
func notMarker(r rune) bool {
	return r != ' ' && r != '_' && !('A' <= r && r <= 'Z') && !('a' <= r && r <= 'z') && !('0' <= r && r <= '9')
}

// findEnd returns the first end marker after pos. One search serves all
// beginnings before what it found.
func (b block) findEnd(s *scan, pos int) blockEnd {
	e := &s.ends[b.kind]
	if e.from >= 0 && e.from <= pos && pos <= e.at {
		return *e
	}
	*e, s.dirty = blockEnd{pos, len(s.text), len(s.text)}, true
	for i := pos; ; {
		n := strings.Index(s.text[i:], blockKinds[b.kind].end)
		if n < 0 {
			s.work += len(s.text) - i
			return *e
		}
		s.work += n
		start := i + n
		i = start + len(blockKinds[b.kind].end)
		if s.inHole(start) {
			continue
		}
		if end := b.marker(s, i); end >= 0 {
			e.at, e.end = start, end
			return *e
		}
	}
}

// keyBody reports whether the text between two markers is a key rather than
// prose or code that names them both.
func keyBody(body string) bool {
	if strings.TrimLeft(body, " \t\r") == "" {
		return false
	}
	trimmed := strings.TrimLeft(body, " \t\r")
	if strings.HasPrefix(trimmed, "\n") && strings.TrimSpace(body) != "" {
		return true // the markers stand on lines of their own
	}
	i := skipSeparators(body)
	n := base64Run(body[i:])
	switch {
	case n >= 16:
		return true
	case n == 0 && !headerAt(body[i:]):
		return false
	}
	rest := body[i+n:]
	escapedLine := strings.HasPrefix(body, `\n`) || strings.HasPrefix(body, `\r`) || strings.HasPrefix(body, `\\n`)
	return rest == "" || escapedLine && (strings.HasPrefix(rest, `\`) || headerAt(body[i:]))
}

// keyLines returns the length of the key that begins body and has no end: what
// looks like its lines.
func keyLines(s *scan, body string) int {
	i := skipSeparators(body)
	for headerAt(body[i:]) {
		i += strings.IndexByte(body[i:]+"\n", '\n')
		i = min(i, len(body))
		i += skipSeparators(body[i:])
	}
	first := base64Run(body[i:])
	if i == len(body) && i > 0 && strings.Contains(body, ": ") {
		return i // nothing but headers
	}
	if first < 16 || first < 40 && plain(body[i:i+first]) {
		return 0
	}
	end, length := i, 0
	for i < len(body) {
		n := base64Run(body[i:])
		if n == 0 || n < 16 && !lastLine(body[i:], n, length) {
			break
		}
		i += n
		end, length = i, n
		i += skipSeparators(body[i:])
	}
	s.work += i
	return end + cutMarker(body[end:])
}

// lastLine reports whether a short run that follows a line of a key is its end,
// not the beginning of prose.
func lastLine(text string, n, before int) bool {
	return before >= 16 && (text[n-1] == '=' || n == len(text) || strings.IndexByte("\n\r\"'\\`-", text[n]) >= 0 && !plain(text[:n]))
}

// cutMarker returns the length of the beginning of an end marker that ends the
// text.
func cutMarker(text string) int {
	i := skipSeparators(text)
	if rest := text[i:]; rest != "" && strings.Index("-----END ", rest) == 0 {
		return len(text)
	}
	return 0
}

// plain reports whether text is made of letters only, as words are.
func plain(text string) bool {
	for i := range len(text) {
		if !isLetter(text[i]) {
			return false
		}
	}
	return true
}

// headerAt reports whether text begins with a header of an encrypted key or of
// OpenPGP armour.
func headerAt(text string) bool {
	for _, h := range [...]string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Charset:", "Hash:", "Subject:"} {
		if strings.HasPrefix(text, h) {
			return true
		}
	}
	return false
}

var base64Chars = chars("A-Za-z0-9+/=_")

func base64Run(text string) int {
	n := 0
	for n < len(text) && base64Chars.has(text[n]) {
		n++
	}
	return n
}

// skipSeparators returns the length of what may stand between two lines of a
// key: blanks, line ends, escaped ones, quotes and the signs that join quoted
// strings, marks of quotation and of changes.
func skipSeparators(text string) int {
	i := 0
	for i < len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n', '"', '\'', '`', ',', '>', '|', '#', '*', ';', '.', '(', ')', '[', ']':
			i++
		case '+': // joins strings or marks a line; within base64 it is a digit
			if i+1 < len(text) && base64Chars.has(text[i+1]) && (i == 0 || text[i-1] != '\n') {
				return i
			}
			i++
		case '\\':
			i += escapeLength(text[i:])
		case '%':
			if !strings.HasPrefix(text[i:], "%0A") && !strings.HasPrefix(text[i:], "%0D") && !strings.HasPrefix(text[i:], "%20") {
				return i
			}
			i += 3
		default:
			return i
		}
	}
	return min(i, len(text))
}

// escapeLength returns the length of an escape such as \n, \\n, \" at the start
// of text.
func escapeLength(text string) int {
	n := 0
	for n < len(text) && text[n] == '\\' {
		n++
	}
	return n + 1
}

// putty matches the private-key files of PuTTY: from the first line to the
// code that authenticates it, or, cut, to the last line of the key.
type putty struct{}

// maxPuttyHead is how far into a file the private lines begin: behind a public
// key of up to 16,384 bits.
const maxPuttyHead = 4 << 10

func (putty) match(s *scan, at int, anchor string, _ int) {
	if !s.begins(at) {
		return
	}
	body := s.after(at, MaxSecret)
	head := body[:min(len(body), maxPuttyHead)]
	if next := strings.Index(head[len(anchor):], anchor); next >= 0 {
		head = head[:len(anchor)+next]
	}
	s.work += len(head)
	lines := strings.Index(head, "Private-Lines:")
	if lines < 0 {
		return
	}
	end := lines + len("Private-Lines:")
	end += skipDigits(body[end:])
	end += keyLines(s, body[end:])
	rest := body[end:]
	i := skipSeparators(rest)
	for _, mac := range [...]string{"Private-MAC: ", "Private-Hash: "} {
		if strings.HasPrefix(rest[i:], mac) {
			i += len(mac)
			end += i + base64Run(rest[i:])
			break
		}
	}
	s.hit(at, at+end)
}

func skipDigits(text string) int {
	n := 0
	for n < len(text) && (text[n] == ' ' || isDecimal(text[n])) {
		n++
	}
	return n
}
