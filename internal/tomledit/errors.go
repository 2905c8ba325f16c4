package tomledit

// This file decides which failures callers can tell apart.

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// ErrUnsupported says that a document is valid but written in a form that can't
// be edited safely. The message names the line.
var ErrUnsupported = errors.New("tomledit: unsupported form")

// ErrSyntax says that a text isn't TOML. Every *SyntaxError is one.
var ErrSyntax = errors.New("tomledit: not TOML")

// ErrValue says that a value can't be written as TOML: of an unknown type, or a
// string that isn't UTF-8.
var ErrValue = errors.New("tomledit: not a value of TOML")

// SyntaxError tells where a text stops being TOML, and why.
type SyntaxError struct {
	Line, Column int // from 1; columns count bytes
	Reason       string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// Is makes errors.Is(err, ErrSyntax) true.
func (e *SyntaxError) Is(target error) bool { return target == ErrSyntax }

func unsupported(line int, format string, args ...any) error {
	return fmt.Errorf("%w: line %d: %s", ErrUnsupported, line, fmt.Sprintf(format, args...))
}

// syntaxError takes over what the decoder says. Its lines are sometimes off by
// one, its offsets aren't.
func syntaxError(text []byte, err error) error {
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		return &SyntaxError{1, 1, shortened(err.Error())}
	}
	mark := markLength(text)
	before := text[mark:min(len(text), mark+max(0, parse.Position.Start))]
	return &SyntaxError{
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
		Reason: shortened(parse.Message),
	}
}

// shortened cuts a message of the decoder, which may quote all of a value.
func shortened(message string) string {
	const most = 200
	if len(message) <= most {
		return message
	}
	return strings.ToValidUTF8(message[:most], "") + "…"
}
