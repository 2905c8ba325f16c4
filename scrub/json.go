// Scrubbing within a JSON document: strings change, all else stays byte for byte.

package scrub

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrJSON reports input that isn't JSON.
var ErrJSON = errors.New("scrub: not JSON")

// JSON returns a JSON document with the secrets in its strings replaced, keys
// included, and where they were in raw. Numbers, order and blanks stay as they
// are. The name of a member counts as the name of an assignment: the value of
// "password" is redacted if it looks like one, also in an array, and so is that of
// {"name": "DB_PASSWORD", "value": …}. Two keys that are secrets may become the
// same. Without a finding it returns raw itself.
//
// Input that isn't a single JSON value is an error that matches ErrJSON.
func (s *Scrubber) JSON(raw []byte) ([]byte, []Finding, error) {
	if !json.Valid(raw) {
		var v any
		return nil, nil, fmt.Errorf("%w: %w", ErrJSON, json.Unmarshal(raw, &v))
	}
	if s.disabled {
		return raw, nil, nil
	}
	w := walker{scrubber: s, raw: string(raw), levels: make([]level, 0, 8)} // enough for most documents
	w.walk()
	if len(w.found) == 0 {
		return raw, nil, nil
	}
	return []byte(redact(w.raw, w.found)), w.found, nil
}

// walker visits the strings of a valid document.
type walker struct {
	scrubber *Scrubber
	raw      string
	found    []Finding
	levels   []level
}

// level is an object or an array around the place in the document.
type level struct {
	key    string // the last key
	object bool
	isKey  bool // the next string is a key
	kind   kind // what the last key, or that of the array, promises
	pair   kind // what the value of a member "name" promises for that of "value"
}

func (w *walker) walk() {
	for i := 0; i < len(w.raw); {
		switch c := w.raw[i]; c {
		case '{':
			w.levels = append(w.levels, level{object: true, isKey: true, kind: w.inherited()})
		case '[':
			w.levels = append(w.levels, level{kind: w.inherited()})
		case '}', ']':
			w.levels = w.levels[:len(w.levels)-1]
		case ',':
			top := w.top()
			top.isKey = top.object
		case ':':
			w.top().isKey = false
		case '"':
			end := stringEnd(w.raw, i)
			w.visit(i, end)
			i = end
			continue
		}
		i++
	}
}

func (w *walker) top() *level { return &w.levels[len(w.levels)-1] }

// inherited returns what is promised for the value at hand.
func (w *walker) inherited() kind {
	if len(w.levels) == 0 {
		return noKind
	}
	return w.top().kind
}

// stringEnd returns the end of the string that begins at i.
func stringEnd(raw string, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// visit scrubs the string at start to end, quotes included.
func (w *walker) visit(start, end int) {
	text, places := unquote(w.raw[start+1:end-1], start+1)
	if len(w.levels) > 0 && w.top().object && w.top().isKey {
		w.enter(text)
		w.report(w.scrubber.find(text), places, start+1)
		return
	}
	if rule := w.promised(text); rule != "" {
		w.whole(rule, len(text), places, start+1)
		return
	}
	found := w.scrubber.find(text)
	if len(found) > 0 {
		if rule := w.promised(redact(text, found)); rule != "" {
			w.whole(rule, len(text), places, start+1)
			return
		}
	}
	w.report(found, places, start+1)
	if len(w.levels) > 0 && w.top().object {
		if top := w.top(); namesAnother(top.key) {
			top.pair = nameKind(text)
		}
	}
}

// namesAnother reports a member whose value is the name of what the member "value"
// holds.
func namesAnother(key string) bool {
	for _, name := range [...]string{"name", "key", "field", "header", "variable", "env"} {
		if strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

// enter notes a key.
func (w *walker) enter(key string) {
	top := w.top()
	outer := noKind
	if len(w.levels) > 1 {
		outer = w.levels[len(w.levels)-2].kind
	}
	top.key, top.kind = key, nameKind(key)
	if strings.EqualFold(key, "value") || strings.EqualFold(key, "values") {
		top.kind = max(top.pair, outer)
	}
}

// promised returns the rule by which the value at hand is a secret as a whole,
// or "".
func (w *walker) promised(text string) string {
	k := w.inherited()
	if k == noKind || !secretValue(k, text, true, false) && !(k == weakKind && userPassword(text)) {
		return ""
	}
	rule := "named-token"
	if k == passwordKind {
		rule = "named-password"
	}
	if _, ok := w.label(rule); !ok || w.scrubber.leaves(rule, text) {
		return ""
	}
	return rule
}

// label returns the label of a rule, if it applies.
func (w *walker) label(name string) (string, bool) {
	set := w.scrubber.set()
	for i := range set.rules[:set.first] {
		if set.rules[i].Name == name {
			return set.rules[i].Label, true
		}
	}
	return "", false
}

func (w *walker) whole(rule string, size int, places []int, base int) {
	label, _ := w.label(rule)
	w.report([]Finding{{Label: label, Rule: rule, End: size}}, places, base)
}

// report adds findings in a string, at their places in the document.
func (w *walker) report(found []Finding, places []int, base int) {
	for _, f := range found {
		if places == nil {
			f.Start, f.End = base+f.Start, base+f.End
		} else {
			f.Start, f.End = places[f.Start], places[f.End]
		}
		w.found = append(w.found, f)
	}
}

// unquote returns what a string holds whose inside is at base, and where in the
// document each of its bytes comes from, and its end; nil when nothing was
// escaped.
func unquote(inside string, base int) (text string, places []int) {
	if strings.IndexByte(inside, '\\') < 0 {
		return inside, nil
	}
	var b strings.Builder
	for i := 0; i < len(inside); {
		size, n := 1, 1
		switch {
		case inside[i] != '\\':
			b.WriteByte(inside[i])
		case inside[i+1] == 'u':
			var r rune
			r, size = escapedRune(inside[i:])
			n, _ = b.WriteRune(r)
		default:
			b.WriteByte(unescape(inside[i+1]))
			size = 2
		}
		for range n {
			places = append(places, base+i)
		}
		i += size
	}
	return b.String(), append(places, base+len(inside))
}

// unescape returns the byte that a short escape stands for.
func unescape(c byte) byte {
	if i := strings.IndexByte("bfnrt", c); i >= 0 {
		return "\b\f\n\r\t"[i]
	}
	return c
}

// escapedRune returns the character of a \u escape, or of two that are a
// surrogate pair, and its length.
func escapedRune(text string) (rune, int) {
	unit := func(text string) rune {
		if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
			return -1
		}
		n, err := strconv.ParseUint(text[2:6], 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	first := unit(text)
	if first < 0xd800 || first > 0xdfff {
		return first, 6
	}
	if second := unit(text[6:]); first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff {
		return (first-0xd800)<<10 + second - 0xdc00 + 0x10000, 12
	}
	return utf8.RuneError, 6
}
