// Reading a block back.

package render

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMalformed is what [Parse] returns, wrapped, for a text that [Block] can't have made.
var ErrMalformed = errors.New("render: malformed block")

var errEntry = errors.New("no whole entry")

// fieldNames are those of a label, in their order.
var fieldNames = [...]string{"time", "kind", "scope", "session", "id", "suspicious"}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrMalformed, fmt.Errorf(format, args...))
}

// Parse reads the hits of one block as [Block] made it, of any style, with
// nothing before or after it; the empty string has none. Every field comes back
// exactly, but for what the block doesn't hold: the score, fractions of a second
// and the location of a time, omitted fields, dropped characters. The error wraps [ErrMalformed].
func Parse(block string) ([]Hit, error) {
	if block == "" {
		return nil, nil
	}
	if rest, found := strings.CutPrefix(block, marker+"\n"); found {
		return markdownStyle{}.parse(rest)
	}
	if rest, found := strings.CutPrefix(block, xmlOpen); found {
		return xmlStyle{}.parse(rest)
	}
	if strings.HasPrefix(block, jsonOpen) {
		return jsonStyle{}.parse(block)
	}
	return nil, malformed("no mark at the start")
}

// setAll reads a label of the form ` name="value" name="value"`, decoding values
// by the given function first.
func (h *Hit) setAll(label string, decode func(string) (string, error)) error {
	for label != "" {
		name, rest, named := strings.Cut(label, `="`)
		value, rest, ended := strings.Cut(rest, `"`)
		name, spaced := strings.CutPrefix(name, " ")
		if !named || !ended || !spaced {
			return errEntry
		}
		value, err := decode(value)
		if err != nil {
			return err
		}
		if err := h.set(name, value); err != nil {
			return err
		}
		label = rest
	}
	return nil
}
