package tomledit

// This file decides where lines begin and end, and how new ones are put between
// those that are there.

import "bytes"

// lineEnd returns the line end that most lines have.
func (d *Document) lineEnd() string {
	if 2*bytes.Count(d.text, []byte("\r\n")) > bytes.Count(d.text, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

// lineStart returns where the line of a byte begins; a byte-order mark is not
// part of it.
func (d *Document) lineStart(at int) int {
	return max(d.lines[d.lineAt(at)-1], markLength(d.text))
}

// nextLine returns where the line after that of a byte begins, the end of the
// text for the last.
func (d *Document) nextLine(at int) int {
	if n := d.lineAt(at); n < len(d.lines) {
		return d.lines[n]
	}
	return len(d.text)
}

// indent returns the blanks that the line of a byte begins with.
func (d *Document) indent(at int) string {
	start := d.lineStart(at)
	end := start
	for end < len(d.text) && (d.text[end] == ' ' || d.text[end] == '\t') {
		end++
	}
	return string(d.text[start:end])
}

// beginsLine reports whether only blanks stand before a byte on its line.
func (d *Document) beginsLine(at int) bool {
	return d.lineStart(at)+len(d.indent(at)) == at
}

// lineAfter inserts a line after that on which a statement ends.
func (d *Document) lineAfter(st *statement, line string) change {
	at := d.nextLine(st.end)
	if at == len(d.text) && d.text[at-1] != '\n' {
		return change{span{at, at}, d.lineEnd() + line}
	}
	return change{span{at, at}, line + d.lineEnd()}
}

// atEnd adds lines to the text, after an empty one. A text without a line end at
// its end has none afterwards either.
func (d *Document) atEnd(lines string) change {
	at, end := len(d.text), d.lineEnd()
	content := d.text[markLength(d.text):]
	empty := len(content) == 0 || bytes.HasSuffix(content, []byte("\n\n")) || bytes.HasSuffix(content, []byte("\n\r\n"))
	switch {
	case empty:
		return change{span{at, at}, lines + end}
	case content[len(content)-1] == '\n':
		return change{span{at, at}, end + lines + end}
	}
	return change{span{at, at}, end + end + lines}
}
