// The JSON style: an object, one entry a line.

package render

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

const (
	jsonOpen  = `{"` + mark + `":1,"note":"` + marker + `","entries":[`
	jsonEnd   = "]}"
	jsonClose = jsonEnd + "\n"
	jsonNext  = ",\n"
)

type jsonStyle struct{}

func (jsonStyle) entry(dst []byte, label []field, content string) []byte {
	dst = append(dst, '{')
	for _, f := range append(label, field{"content", content}) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, f.name...)
		dst = append(dst, `":"`...)
		dst = appendJSON(dst, f.value)
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

// appendJSON escapes an escaped text, whose only controls are line feed and tab.
func appendJSON(dst []byte, text string) []byte {
	done := 0
	for i := range len(text) {
		var escape string
		switch text[i] {
		case '"':
			escape = `\"`
		case '\\':
			escape = `\\`
		case '\n':
			escape = `\n`
		case '\t':
			escape = `\t`
		case '<':
			escape = `\u003c`
		case '>':
			escape = `\u003e`
		case '&':
			escape = `\u0026`
		default:
			continue
		}
		dst = append(dst, text[done:i]...)
		dst = append(dst, escape...)
		done = i + 1
	}
	return append(dst, text[done:]...)
}

func (s jsonStyle) assemble(pieces []piece) string {
	var b strings.Builder
	b.Grow(s.size(sum(pieces)))
	b.WriteString(jsonOpen + "\n")
	for i, p := range pieces {
		if i > 0 {
			b.WriteString(jsonNext)
		}
		b.WriteString(p.text)
	}
	b.WriteString("\n" + jsonClose)
	return b.String()
}

func (jsonStyle) size(t total) int {
	return len(jsonOpen+"\n"+"\n"+jsonClose) + t.bytes + max(0, t.entries-1)*len(jsonNext)
}

func (jsonStyle) varying() int { return 0 }

var errField = errors.New("a field that no block has")

// parse reads a whole block.
func (jsonStyle) parse(block string) ([]Hit, error) {
	var object struct {
		Mark    int                 `json:"contextforge-recalled"`
		Note    string              `json:"note"`
		Entries []map[string]string `json:"entries"`
	}
	d := json.NewDecoder(strings.NewReader(block))
	d.DisallowUnknownFields()
	if err := d.Decode(&object); err != nil {
		return nil, malformed("%w", err)
	}
	if _, err := d.Token(); err != io.EOF || object.Mark != 1 || len(object.Entries) == 0 {
		return nil, malformed("no entries, or more than a block")
	}
	hits := make([]Hit, len(object.Entries))
	for i, entry := range object.Entries {
		if err := parseJSONEntry(&hits[i], entry); err != nil {
			return nil, malformed("entry %d: %w", i+1, err)
		}
	}
	return hits, nil
}

func parseJSONEntry(h *Hit, entry map[string]string) (err error) {
	content, found := entry["content"]
	if !found {
		return errEntry
	}
	if h.Content, err = unescape(content); err != nil {
		return err
	}
	known := 1
	for _, name := range fieldNames {
		if value, found := entry[name]; found {
			known++
			if err := h.set(name, value); err != nil {
				return err
			}
		}
	}
	if known != len(entry) {
		return errField
	}
	return nil
}
