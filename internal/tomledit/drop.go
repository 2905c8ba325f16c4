package tomledit

// This file decides which bytes go when elements of an array or pairs of an
// inline table do: they, one comma each, and the lines that are then empty.

import (
	"bytes"
	"slices"
)

// dropItems returns the changes that remove items of v.
func (d *Document) dropItems(v *value, drop func(item int) bool) (changes []change) {
	gone := goneTokens(v.tokens, drop)
	if d.leavesNothing(v, gone) {
		return []change{{span{v.start + 1, v.end - 1}, ""}}
	}
	for i := 0; i < len(v.tokens); {
		if !gone[i] {
			i++
			continue
		}
		lines, next := d.linesOf(v.tokens, gone, i)
		if d.empties(v.tokens[:next], gone, i, lines) {
			changes = append(changes, change{lines, ""})
		} else {
			for j := i; j < next; j++ {
				if gone[j] {
					changes = append(changes, change{d.withBlanks(v, v.tokens[j].span), ""})
				}
			}
		}
		i = next
	}
	return changes
}

// goneTokens marks the dropped items and a comma for each: the one behind it, or
// if there is none, the last one before it that is still there.
func goneTokens(tokens []token, drop func(item int) bool) []bool {
	gone := make([]bool, len(tokens))
	var commas []int // before the current token, still there
	item := 0
	waiting := false // for the comma behind a dropped item
	for i, t := range tokens {
		switch t.kind {
		case itemToken:
			gone[i] = drop(item)
			waiting = gone[i]
			item++
		case commaToken:
			if gone[i] = waiting; !waiting {
				commas = append(commas, i)
			}
			waiting = false
		}
	}
	if waiting && len(commas) > 0 {
		gone[commas[len(commas)-1]] = true
	}
	return gone
}

// leavesNothing reports whether v is on one line and loses everything.
func (d *Document) leavesNothing(v *value, gone []bool) bool {
	return !slices.Contains(gone, false) && !bytes.ContainsRune(d.text[v.start:v.end], '\n')
}

// linesOf returns the lines that a token that goes stands on, with those of
// others that share one of them, and the index of the first token behind these.
func (d *Document) linesOf(tokens []token, gone []bool, i int) (lines span, next int) {
	lines = span{d.lineStart(tokens[i].start), d.nextLine(tokens[i].end)}
	for next = i + 1; next < len(tokens) && tokens[next].start < lines.end; next++ {
		if gone[next] {
			lines.end = d.nextLine(tokens[next].end)
		}
	}
	return lines, next
}

// empties reports whether nothing remains on the lines but blanks and comments
// of what goes. First is the first token on them that goes, and the last token
// is the last on them.
func (d *Document) empties(tokens []token, gone []bool, first int, lines span) bool {
	for first > 0 && tokens[first-1].end > lines.start {
		first--
	}
	at, item := lines.start, false
	for i := first; i < len(tokens); i++ {
		t := tokens[i]
		comment := t.kind == commentToken && item
		if t.start < at || !gone[i] && !comment || len(bytes.TrimSpace(d.text[at:t.start])) > 0 {
			return false
		}
		item = item || t.kind == itemToken
		at = t.end
	}
	return len(bytes.TrimSpace(d.text[at:lines.end])) == 0
}

// withBlanks extends a span over the blanks behind it, unless the closing
// bracket follows.
func (d *Document) withBlanks(v *value, s span) span {
	end := s.end
	for d.text[end] == ' ' || d.text[end] == '\t' {
		end++
	}
	if end == v.end-1 {
		return s
	}
	return span{s.start, end}
}
