package tomledit

// This file decides how keys, values and comments are written, and what quoted
// text says.

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// unquote returns what a string of one line says. The decoder is asked only
// where there are escapes.
func unquote(quoted []byte) (string, error) {
	if quoted[0] == '\'' || !bytes.ContainsRune(quoted, '\\') {
		return string(quoted[1 : len(quoted)-1]), nil
	}
	tree, err := decode(append([]byte("k="), quoted...))
	if err != nil {
		return "", err
	}
	text, _ := tree["k"].(string)
	return text, nil
}

// decode returns the tree that a text stands for. The decoder panics on some
// invalid texts; that is its way of saying so.
func decode(text []byte) (tree map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			tree, err = nil, &SyntaxError{1, 1, shortened(fmt.Sprint(r))}
		}
	}()
	if err := toml.Unmarshal(text, &tree); err != nil {
		return nil, syntaxError(text, err)
	}
	if tree == nil {
		tree = map[string]any{}
	}
	return tree, nil
}

// keyText returns a key as it is written.
func keyText(key string) (string, error) {
	bare := key != ""
	for i := range len(key) {
		bare = bare && isBare(key[i])
	}
	if bare {
		return key, nil
	}
	return quote(key)
}

// quote returns a string as it is written: on one line, with everything escaped
// that could be taken for a line end or change the order of what is shown.
func quote(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("%w: %q is not UTF-8", ErrValue, s)
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case hidden(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String(), nil
}

// hidden reports whether a character is a control, ends a line in some programs,
// or changes the direction of the text around it. All are below U+10000.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

// valueText returns a value as it is written.
func valueText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return quote(v)
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return floatText(v), nil
	}
	return "", fmt.Errorf("%w: type %T", ErrValue, v)
}

// floatText returns the shortest form that reads back as v, always with what
// makes it a float in TOML.
func floatText(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64))
	}
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if strings.ContainsAny(text, ".e") {
		return text
	}
	return text + ".0"
}

// commentText returns a comment with its sign, empty if there is nothing to say:
// controls and white space of any kind become single blanks.
func commentText(comment string) string {
	plain := strings.Map(func(r rune) rune {
		if hidden(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(comment, "\ufffd"))
	plain = strings.Join(strings.Fields(plain), " ")
	if plain == "" {
		return ""
	}
	return "# " + plain
}
