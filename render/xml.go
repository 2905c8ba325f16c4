// The XML style: an element whose name ends with a hash of what is inside.

package render

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

const (
	xmlOpen  = "<" + mark + "-"
	xmlClose = "</" + mark + "-"
	xmlNote  = ` note="` + marker + `">`
	xmlEntry = "<item"
	xmlEnd   = "</item>\n"
	hashSize = 16 // hexadecimal digits
)

type xmlStyle struct{}

func (xmlStyle) entry(dst []byte, label []field, content string) []byte {
	dst = append(dst, xmlEntry...)
	for _, f := range label {
		dst = append(dst, ' ')
		dst = append(dst, f.name...)
		dst = append(dst, `="`...)
		dst = appendXML(dst, f.value)
		dst = append(dst, '"')
	}
	dst = append(dst, '>')
	dst = appendXML(dst, content)
	return append(dst, xmlEnd...)
}

// appendXML escapes for text and for attributes alike; a quotation mark isn't left in
// the value of an attribute.
func appendXML(dst []byte, text string) []byte {
	done := 0
	for i := range len(text) {
		var reference string
		switch text[i] {
		case '<':
			reference = "&lt;"
		case '>':
			reference = "&gt;"
		case '&':
			reference = "&amp;"
		default:
			continue
		}
		dst = append(dst, text[done:i]...)
		dst = append(dst, reference...)
		done = i + 1
	}
	return append(dst, text[done:]...)
}

func (s xmlStyle) assemble(pieces []piece) string {
	h := sha256.New()
	for _, p := range pieces {
		h.Write([]byte(p.text))
	}
	nonce := hex.EncodeToString(h.Sum(nil)[:hashSize/2])
	var b strings.Builder
	b.Grow(s.size(sum(pieces)))
	b.WriteString(xmlOpen)
	b.WriteString(nonce)
	b.WriteString(xmlNote + "\n")
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	b.WriteString(xmlClose)
	b.WriteString(nonce)
	b.WriteString(">\n")
	return b.String()
}

func (xmlStyle) size(t total) int {
	return len(xmlOpen+xmlNote+"\n"+xmlClose+">\n") + 2*hashSize + t.bytes
}

func (xmlStyle) varying() int { return 2 * hashSize }

// parse reads what follows the start of the first tag.
func (xmlStyle) parse(rest string) (hits []Hit, err error) {
	if len(rest) < hashSize {
		return nil, malformed("no hash")
	}
	nonce := rest[:hashSize]
	body, opened := strings.CutPrefix(rest[hashSize:], xmlNote+"\n")
	body, closed := strings.CutSuffix(body, xmlClose+nonce+">\n")
	if !opened || !closed {
		return nil, malformed("the element isn't closed at the end")
	}
	digest := sha256.Sum256([]byte(body))
	if hex.EncodeToString(digest[:hashSize/2]) != nonce {
		return nil, malformed("the contents have another hash")
	}
	for body != "" {
		var h Hit
		if body, err = parseXMLEntry(&h, body); err != nil {
			return nil, malformed("entry %d: %w", len(hits)+1, err)
		}
		hits = append(hits, h)
	}
	if hits == nil {
		return nil, malformed("no entry")
	}
	return hits, nil
}

func parseXMLEntry(h *Hit, text string) (rest string, err error) {
	text, opened := strings.CutPrefix(text, xmlEntry)
	label, text, labelled := strings.Cut(text, ">")
	content, rest, ended := strings.Cut(text, xmlEnd)
	if !opened || !labelled || !ended {
		return "", errEntry
	}
	if err := h.setAll(label, unescapeXML); err != nil {
		return "", err
	}
	if content, err = unescapeXML(content); err != nil {
		return "", err
	}
	h.Content, err = unescape(content)
	return rest, err
}

var references = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

var errReference = errors.New("unknown character reference")

// unescapeXML knows the references that appendXML writes, and no raw markup.
func unescapeXML(text string) (string, error) {
	plain := references.Replace(text)
	if string(appendXML(nil, plain)) != text {
		return "", errReference
	}
	return plain, nil
}
