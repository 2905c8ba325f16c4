package tomledit

// This file decides what a document knows of its text and how a key is found
// in it.

import (
	"bytes"
	"errors"
	"sort"
)

// Document is a TOML text that can be looked at and edited.
type Document struct {
	text       []byte
	tree       map[string]any
	statements []statement
	lines      []int // where each line begins
	index      map[address]place
}

// Parse reads a text. A text that isn't TOML gives a *SyntaxError, one that is
// too deeply nested or has too long keys ErrUnsupported. The text is copied.
func Parse(text []byte) (*Document, error) {
	d := &Document{text: bytes.Clone(text), lines: lineStarts(text)}
	var err error
	if d.statements, err = scan(d.text); err != nil {
		return nil, d.refused(err)
	}
	if d.tree, err = decode(d.text); err != nil {
		return nil, err
	}
	if n := skeleton(d.statements); n == nil || !n.matches(d.tree) {
		return nil, unsupported(1, "the tables of the document can't be told apart for certain")
	}
	d.index = indexOf(d.statements)
	return d, nil
}

// manyBrackets is how many opening brackets a text may have for the decoder,
// which recurses, to be asked what is wrong with it.
const manyBrackets = 10_000

// refused says why the scanner can't read a text. The decoder knows better what is
// wrong with an invalid one.
func (d *Document) refused(err error) error {
	var lost *scanError
	if !errors.As(err, &lost) {
		return err
	}
	if lost.limit {
		return unsupported(d.lineAt(lost.at), "%s", lost.reason)
	}
	brackets := bytes.Count(d.text, []byte("[")) + bytes.Count(d.text, []byte("{"))
	dots := bytes.Count(d.text, []byte("."))
	if brackets < manyBrackets && dots < manyBrackets {
		if _, err := decode(d.text); err != nil {
			return err
		}
		return unsupported(d.lineAt(lost.at), "%s", lost.reason)
	}
	line := d.lineAt(lost.at)
	return &SyntaxError{line, lost.at - d.lines[line-1] + 1, lost.reason}
}

func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt returns the number of the line of a byte, from 1.
func (d *Document) lineAt(at int) int { return sort.SearchInts(d.lines, at+1) }

// Bytes returns the text. It must not be changed.
func (d *Document) Bytes() []byte { return d.text }

// Tree returns what the text stands for, as the decoder gives it: tables as
// map[string]any, arrays as []any or []map[string]any. It must not be changed.
func (d *Document) Tree() map[string]any { return d.tree }

// Line returns the line, from 1, of the key in a table of the top level, of a key
// of the top level itself if table is empty, and 0 if there is none. A key that
// stands for a table is where it is first spoken of.
func (d *Document) Line(table, key string) int {
	if p, ok := d.find(table, key); ok {
		return d.lineAt(p.at())
	}
	return 0
}

// ElementLine returns the line, from 1, of an element of an array, counted from
// 0, and 0 if there is none.
func (d *Document) ElementLine(table, key string, index int) int {
	p, ok := d.find(table, key)
	if !ok || p.pair == nil || index < 0 || index >= len(p.pair.value.elements) {
		return 0
	}
	return d.lineAt(p.pair.value.elements[index].start)
}

func (d *Document) find(table, key string) (place, bool) {
	at := address{2, table, key}
	if table == "" {
		at = address{1, key, ""}
	}
	p, ok := d.index[at]
	return p, ok
}
