// The label of an entry: which fields it shows, and how they are read back.

package render

import (
	"fmt"
	"strings"
	"time"
)

// field is one value of a label, escaped.
type field struct{ name, value string }

// labelOf returns the fields to show, in a fixed order.
func labelOf(h *Hit, o Options) (label []field) {
	add := func(f Fields, name, value string) {
		if o.Omit&f != 0 {
			return
		}
		if value = escapeValue(value, o); value != "" { // it may have been invisible
			label = append(label, field{name, value})
		}
	}
	add(FieldTime, "time", timeText(h.Timestamp))
	add(FieldKind, "kind", h.Kind)
	add(FieldScope, "scope", h.Scope)
	add(FieldSession, "session", h.SessionID)
	add(FieldID, "id", h.ID)
	if len(h.Suspicious) > 0 && o.Omit&FieldSuspicious == 0 {
		label = append(label, field{"suspicious", listText(h.Suspicious, o)})
	}
	return label
}

// timeText is empty for a time that RFC 3339 can't express.
func timeText(t time.Time) string {
	t = t.UTC()
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return ""
	}
	return t.Format(time.RFC3339)
}

// listText joins values by commas; those inside of a value are escaped.
func listText(values []string, o Options) string {
	escaped := make([]string, len(values))
	for i, v := range values {
		escaped[i] = strings.ReplaceAll(escapeValue(v, o), ",", `\u{2c}`)
	}
	return strings.Join(escaped, ",")
}

// set reads an escaped value back.
func (h *Hit) set(name, value string) (err error) {
	switch name {
	case "time":
		h.Timestamp, err = time.Parse(time.RFC3339, value)
	case "kind":
		h.Kind, err = unescape(value)
	case "scope":
		h.Scope, err = unescape(value)
	case "session":
		h.SessionID, err = unescape(value)
	case "id":
		h.ID, err = unescape(value)
	case "suspicious":
		h.Suspicious, err = listValues(value)
	default:
		err = fmt.Errorf("unknown field %q", name)
	}
	return err
}

func listValues(text string) ([]string, error) {
	values := strings.Split(text, ",")
	for i, v := range values {
		value, err := unescape(v)
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}
