package tomledit

// This file decides how keys are set and removed, and that no edit leaves
// behind anything but what was asked for.

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
)

// change replaces a span of the text, or inserts where the span is empty.
type change struct {
	span
	text string
}

// apply makes the changes if the result decodes to want, else it leaves the
// document as it is. The line is that of the edit, for the error.
func (d *Document) apply(changes []change, want map[string]any, line int) error {
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	var text []byte
	at := 0
	for _, c := range changes {
		text = append(append(text, d.text[at:c.start]...), c.text...)
		at = c.end
	}
	edited, err := Parse(append(text, d.text[at:]...))
	if err != nil || !equal(edited.tree, want) {
		return unsupported(line, "the edit would change more than it should")
	}
	*d = *edited
	return nil
}

// with returns the tree with a key of a table set to v.
func (d *Document) with(table, key string, v any) map[string]any {
	tree := maps.Clone(d.tree)
	inner, _ := tree[table].(map[string]any)
	if inner = maps.Clone(inner); inner == nil {
		inner = map[string]any{}
	}
	inner[key] = v
	tree[table] = inner
	return tree
}

// without returns the tree without a key of a table. Where only dotted keys of
// the top level made the table, it goes with the last of them.
func (d *Document) without(table, key string, alone bool) map[string]any {
	tree := d.with(table, key, nil)
	inner, _ := tree[table].(map[string]any)
	delete(inner, key)
	if alone && len(inner) == 0 {
		delete(tree, table)
	}
	return tree
}

// value returns what a key stands for.
func (d *Document) value(table, key string) any {
	inner, _ := d.tree[table].(map[string]any)
	return inner[key]
}

// Set gives a key of a table the value v, a string, bool, int64 or float64, and
// makes the key and the table if there are none: the key behind the last one of
// its table, the table at the end. A number that is equal already keeps the form
// it has.
//
// A comment that isn't empty is put behind the value, in place of the one that
// is there; in an inline table, on a line above. Changed is false, and the text
// the same, if all of it was so already.
//
// Errors are ErrValue for what can't be written, and ErrUnsupported, in
// particular where the key stands for a table, an array, or something with
// line breaks.
func (d *Document) Set(table, key string, v any, comment string) (changed bool, err error) {
	text, err := valueText(v)
	if err != nil {
		return false, err
	}
	comment = commentText(comment)
	p, ok := d.find(table, key)
	switch {
	case table == "":
		return false, unsupported(1, "the top of the document can't be edited")
	case !ok:
		return true, d.add(table, key, v, func(string) string { return text }, comment)
	}
	line := d.lineAt(p.at())
	if p.pair == nil || p.pair.value.kind != scalar || d.lineAt(p.pair.value.start) != d.lineAt(p.pair.value.end) {
		return false, unsupported(line, "%q is more than a value on one line", key)
	}
	changes := d.comment(p, key, comment)
	want := d.tree
	if !sameValue(d.value(table, key), v) {
		changes = append(changes, change{p.pair.value.span, text})
		want = d.with(table, key, v)
	}
	if len(changes) == 0 {
		return false, nil
	}
	if err := d.apply(changes, want, line); err != nil {
		return false, err
	}
	return true, nil
}

// sameValue reports whether a decoded value needs no change to be v.
func sameValue(old, v any) bool {
	if n, ok := old.(int64); ok {
		if x, ok := v.(float64); ok {
			return float64(n) == x
		}
	}
	return equal(old, v)
}

// comment returns the change that puts a comment to a value, none if it is there.
func (d *Document) comment(p place, key, comment string) []change {
	if comment == "" {
		return nil
	}
	if p.holder != nil {
		return d.commentAbove(p.statement, key, comment)
	}
	old := p.statement.comment
	switch {
	case string(d.text[old.start:old.end]) == comment:
		return nil
	case old.end > old.start:
		return []change{{old, comment}}
	}
	return []change{{span{p.pair.end, p.pair.end}, " " + comment}}
}

// commentAbove puts a comment on a key of an inline table on a line above.
func (d *Document) commentAbove(st *statement, key, comment string) []change {
	start := d.lineStart(st.start)
	line := d.indent(st.start) + commentText(key+": "+comment[1:]) + d.lineEnd()
	if bytes.HasSuffix(d.text[:start], []byte(line)) {
		return nil
	}
	return []change{{span{start, start}, line}}
}

// add writes a key that isn't there. Render gets the indentation of its line.
func (d *Document) add(table, key string, v any, render func(indent string) string, comment string) error {
	name, err := keyText(key)
	if err != nil {
		return err
	}
	header, err := keyText(table)
	if err != nil {
		return err
	}
	behind := ""
	if comment != "" {
		behind = " " + comment
	}
	pair := func(indent string) string { return indent + name + " = " + render(indent) + behind }
	p, ok := d.find("", table)
	var changes []change
	line := 1
	switch last, dotted := d.section(table); {
	case ok && p.pair != nil && p.pair.value.kind == inlineTable:
		line = d.lineAt(p.pair.start)
		changes = append(d.into(&p.pair.value, name+" = "+render(d.indent(p.pair.start))), d.commentAboveIf(p.statement, key, comment)...)
	case ok && (p.pair != nil || p.statement.kind == arrayStatement && len(p.statement.key) == 1):
		return unsupported(d.lineAt(p.at()), "%q isn't a table that can be edited", table)
	case last == nil:
		changes = []change{d.atEnd("[" + header + "]" + d.lineEnd() + pair(""))}
	case dotted:
		line = d.lineAt(last.start)
		indent := d.indent(last.start)
		changes = []change{d.lineAfter(last, indent+header+"."+pair(indent)[len(indent):])}
	default:
		line = d.lineAt(last.start)
		changes = []change{d.lineAfter(last, pair(d.indent(last.start)))}
	}
	return d.apply(changes, d.with(table, key, v), line)
}

func (d *Document) commentAboveIf(st *statement, key, comment string) []change {
	if comment == "" {
		return nil
	}
	return d.commentAbove(st, key, comment)
}

// section returns the last statement of a table behind which a new key can
// stand, nil if there is none. Dotted says that it names the table itself.
func (d *Document) section(table string) (last *statement, dotted bool) {
	inside, below := false, false
	for i := range d.statements {
		st := &d.statements[i]
		below = below || st.kind != pairStatement
		switch {
		case st.kind != pairStatement && inside:
			return last, false
		case st.kind == pairStatement && inside:
			last = st
		case st.kind == pairStatement && len(st.key) > 1 && st.key[0] == table && !below:
			last, dotted = st, true
		case st.kind == tableStatement && len(st.key) == 1 && st.key[0] == table:
			last, inside = st, true
		}
	}
	return last, dotted && !inside
}

// into returns the changes that put a pair into an inline table.
func (d *Document) into(v *value, pair string) []change {
	last, comments := v.last()
	switch {
	case last == nil && !comments:
		return []change{{span{v.start + 1, v.end - 1}, " " + pair + " "}}
	case last == nil:
		return []change{{span{v.end - 1, v.end - 1}, " " + pair + " "}}
	case last.kind == commaToken:
		return []change{{span{last.end, last.end}, " " + pair + ","}}
	}
	return []change{{span{last.end, last.end}, ", " + pair}}
}

// last returns the last element, pair or comma, and whether there are comments.
func (v *value) last() (last *token, comments bool) {
	for i := range v.tokens {
		if v.tokens[i].kind == commentToken {
			comments = true
		} else {
			last = &v.tokens[i]
		}
	}
	return last, comments
}

// Remove removes a key of a table with its value and the comment behind it. It
// returns false if there is no such key, and ErrUnsupported if the key stands
// for a table.
func (d *Document) Remove(table, key string) (changed bool, err error) {
	p, ok := d.find(table, key)
	switch {
	case table == "":
		return false, unsupported(1, "the top of the document can't be edited")
	case !ok:
		return false, nil
	}
	line := d.lineAt(p.at())
	if p.pair == nil {
		return false, unsupported(line, "%q is a table", key)
	}
	var changes []change
	if p.holder != nil {
		changes = d.dropItems(p.holder, func(item int) bool { return item == p.item })
	} else {
		changes = []change{{span{d.lineStart(p.statement.start), d.nextLine(p.statement.end)}, ""}}
	}
	want := d.without(table, key, p.holder == nil && len(p.statement.key) == 2)
	if err := d.apply(changes, want, line); err != nil {
		return false, err
	}
	return true, nil
}
