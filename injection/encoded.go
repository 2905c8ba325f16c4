// Payloads in base64 and in hexadecimal digits, decoded once.

package injection

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const (
	shortestEncoded = 12      // letters and digits in a row that may belong to a payload
	shortestPayload = 16      // digits of a payload
	longestPayload  = 4 << 10 // digits of a payload that are decoded
)

func base64Digit(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// encoded looks at the run of base64 digits around a long word, once for each run.
func (s *scanner) encoded(start, end int) {
	if s.inner || start < s.decoded || !mixed(s.text[start:end]) {
		return
	}
	for start > s.decoded && base64Digit(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && base64Digit(s.text[end]) {
		end++
	}
	s.decoded = end
	if end-start < shortestPayload {
		return
	}
	run := s.text[start:min(end, start+longestPayload)]
	for _, form := range []struct {
		name   string
		decode func(string) string
	}{{"hexadecimal", decodeHex}, {"base64", decodeBase64}} {
		plain := form.decode(run)
		if plain == "" {
			continue
		}
		inner := scanner{text: plain, lex: s.lex, inner: true, first: true}
		inner.run()
		if len(inner.out) > 0 && inner.out[0].Reason != TerminalControl && inner.out[0].Reason != HiddenUnicode {
			s.signal(EncodedPayload, start, end, form.name+": "+string(inner.out[0].Reason))
			return
		}
	}
}

// mixed tells a payload from a long word: it has digits, or capitals after small letters.
func mixed(word string) bool {
	for i := 1; i < len(word); i++ {
		if c := word[i]; '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' && 'a' <= word[i-1] && word[i-1] <= 'z' {
			return true
		}
	}
	return false
}

func decodeHex(run string) string {
	plain, _ := hex.DecodeString(run[:len(run)&^1])
	return readable(plain, len(run)/2)
}

func decodeBase64(run string) string {
	run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	plain, _ := base64.RawStdEncoding.DecodeString(run)
	return readable(plain, len(run)/4*3)
}

// readable returns the decoded text when all of it was decoded, and none of it is binary.
func readable(plain []byte, want int) string {
	if len(plain) < want {
		return ""
	}
	strange := 0
	for i, size := 0, 0; i < len(plain); i += size {
		var r rune
		r, size = utf8.DecodeRune(plain[i:])
		if r == utf8.RuneError || r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			strange++
		}
	}
	if strange*20 > len(plain) {
		return ""
	}
	return string(plain)
}
