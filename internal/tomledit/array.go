package tomledit

// This file decides how elements join and leave an array.

import (
	"bytes"
	"slices"
	"strings"
)

// step is how much deeper than its array an element stands, where no other
// element shows it.
const step = "    "

// Append adds a string at the end of an array in a table, and makes the array and
// the table if there are none. A comment that isn't empty is put behind the
// element; if the array was on one line, it is spread over several.
//
// Errors are ErrValue for a string that isn't UTF-8, and ErrUnsupported, in
// particular where the key stands for something else than an array.
func (d *Document) Append(table, key, element, comment string) error {
	item, err := quote(element)
	if err != nil {
		return err
	}
	comment = commentText(comment)
	p, ok := d.find(table, key)
	if table == "" {
		return unsupported(1, "the top of the document can't be edited")
	}
	if !ok {
		return d.add(table, key, []any{element}, func(indent string) string { return d.newArray(indent, item, comment) }, "")
	}
	line := d.lineAt(p.at())
	old, isArray := d.value(table, key).([]any)
	if p.pair == nil || !isArray {
		return unsupported(line, "%q isn't an array", key)
	}
	v := &p.pair.value
	return d.apply(d.appendTo(v, item, comment), d.with(table, key, append(slices.Clip(old), any(element))), line)
}

// newArray returns an array of one element, with room for more.
func (d *Document) newArray(indent, item, comment string) string {
	return "[" + d.elementLine(indent+step, item+",", comment) + d.lineEnd() + indent + "]"
}

// elementLine returns a line end and a line with an element.
func (d *Document) elementLine(indent, item, comment string) string {
	if comment != "" {
		item += " " + comment
	}
	return d.lineEnd() + indent + item
}

func (d *Document) appendTo(v *value, item, comment string) []change {
	last, _ := v.last()
	closing := v.end - 1
	switch {
	case d.beginsLine(closing) && d.lineStart(closing) > v.start:
		return d.appendLine(v, item, comment)
	case comment == "" && last == nil:
		return []change{{span{v.start + 1, closing}, item}}
	case comment == "" && last.kind == commaToken:
		return []change{{span{last.end, last.end}, " " + item + ","}}
	case comment == "":
		return []change{{span{last.end, last.end}, ", " + item}}
	}
	return d.appendBroken(v, item, comment)
}

// appendLine adds a line to an array whose closing bracket has one of its own.
func (d *Document) appendLine(v *value, item, comment string) (changes []change) {
	last, _ := v.last()
	closing := v.end - 1
	indent := d.indent(closing) + step
	if n := len(v.elements); n > 0 && d.beginsLine(v.elements[n-1].start) {
		indent = d.indent(v.elements[n-1].start)
	}
	if last != nil && last.kind == itemToken {
		changes = []change{{span{last.end, last.end}, ","}}
	} else {
		item += ","
	}
	line := d.elementLine(indent, item, comment)
	line = strings.TrimPrefix(line, d.lineEnd()) + d.lineEnd()
	at := d.lineStart(closing)
	return append(changes, change{span{at, at}, line})
}

// appendBroken adds an element with a comment to an array whose closing bracket
// follows something else on its line: both go to lines of their own, and if the
// array was on one line, so do the other elements.
func (d *Document) appendBroken(v *value, item, comment string) []change {
	base := d.indent(v.start)
	tail := d.elementLine(base+step, item+",", comment) + d.lineEnd() + base
	last, _ := v.last()
	if !bytes.ContainsRune(d.text[v.start:v.end], '\n') {
		var all strings.Builder
		for _, e := range v.elements {
			all.WriteString(d.elementLine(base+step, string(d.text[e.start:e.end])+",", ""))
		}
		return []change{{span{v.start + 1, v.end - 1}, all.String() + tail}}
	}
	if last.kind == itemToken {
		tail = "," + tail
	}
	return []change{{span{last.end, v.end - 1}, tail}}
}

// RemoveElements removes the strings of an array that drop chooses, with the
// comments behind those that stand on a line of their own, and returns their
// number. Elements of other types stay. What is no array has none.
func (d *Document) RemoveElements(table, key string, drop func(string) bool) (n int, err error) {
	p, ok := d.find(table, key)
	if table == "" {
		return 0, unsupported(1, "the top of the document can't be edited")
	}
	old, isArray := d.value(table, key).([]any)
	if !ok || p.pair == nil || !isArray {
		return 0, nil
	}
	kept := []any{}
	dropped := make([]bool, len(old))
	for i, e := range old {
		text, isText := e.(string)
		if dropped[i] = isText && drop(text); dropped[i] {
			n++
		} else {
			kept = append(kept, e)
		}
	}
	if n == 0 {
		return 0, nil
	}
	changes := d.dropItems(&p.pair.value, func(item int) bool { return dropped[item] })
	if err := d.apply(changes, d.with(table, key, kept), d.lineAt(p.at())); err != nil {
		return 0, err
	}
	return n, nil
}
