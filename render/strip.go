// Finding blocks in a transcript.

package render

import "strings"

// IsRecalled reports whether text contains a block as [Block] makes them; see
// [StripRecalled] for what is recognised.
func IsRecalled(text string) bool {
	for _, b := range findBlocks(text) {
		if b.end > 0 {
			return true
		}
	}
	return false
}

// StripRecalled returns text without the blocks in it, and all else byte for byte. A block is recognised when its
// frame is whole, at the start of a line or after other text on the line where it
// begins; also when each line was indented or quoted by ">", in which case the
// quotation of the first line goes too, and when lines end with CR LF. A block that was cut is
// left as it is.
func StripRecalled(text string) string {
	var out strings.Builder
	pos := 0
	for _, b := range findBlocks(text) {
		if b.end > 0 && b.start >= pos {
			out.WriteString(text[pos:b.start])
			pos = b.end
		}
	}
	if pos == 0 {
		return text
	}
	out.WriteString(text[pos:])
	return out.String()
}

// found is a block, or what begins like one as long as end is 0.
type found struct{ start, end int }

// finder goes through the lines of a transcript once.
type finder struct {
	text   string
	blocks []found // by ascending start
	fences [2]openFences
	json   int // index in blocks of the JSON block that is open, or -1
	xml    int // the same for XML
	nonce  string
	before line // the previous one
}

// openFences are the fences of one character that aren't closed yet, longest first: a run of n
// of the character closes the open ones of that length, and shows that the
// shorter ones don't enclose it.
type openFences struct {
	char byte
	open []openFence
}

type openFence struct{ length, block int }

// line is one line: [start, end) with its terminator, core without its quotation and terminator.
type line struct {
	start, end int
	prefix     int // bytes of quotation
	core       string
}

func findBlocks(text string) []found {
	if !strings.Contains(text, mark) {
		return nil
	}
	f := finder{text: text, json: -1, xml: -1}
	f.fences[0].char, f.fences[1].char = '`', '~'
	for pos := 0; pos < len(text); {
		l := lineAt(text, pos)
		f.markdown(l)
		f.inJSON(l)
		f.inXML(l)
		f.before = l
		pos = l.end
	}
	return f.blocks
}

func lineAt(text string, start int) line {
	end := len(text)
	if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
		end = start + n + 1
	}
	whole := text[start:end]
	core := strings.TrimLeft(whole, " \t>")
	prefix := len(whole) - len(core)
	if strings.TrimRight(core, "\r\n") == "" { // an empty line may have lost the blanks of its quotation
		prefix = 0
	}
	return line{start, end, prefix, strings.TrimSuffix(strings.TrimSuffix(core, "\n"), "\r")}
}

// begin notes a block that starts at offset in the line.
func (f *finder) begin(l line, offset int) int {
	start := l.start + offset
	f.blocks = append(f.blocks, found{start: start})
	return len(f.blocks) - 1
}

// finish closes a block with the line l. If that is quoted, the quotation before the block's start
// belongs to the block.
func (f *finder) finish(block int, l line) {
	b := &f.blocks[block]
	b.end = l.end
	lineStart := 1 + strings.LastIndexByte(f.text[:b.start], '\n')
	if l.prefix > 0 && strings.Trim(f.text[lineStart:b.start], " \t>") == "" {
		b.start = lineStart
	}
}

// markdown follows the fences.
func (f *finder) markdown(l line) {
	for i := range f.fences {
		o := &f.fences[i]
		run := longestRun(l.core, o.char)
		for n := len(o.open) - 1; n >= 0 && o.open[n].length <= run; n-- {
			if top := o.open[n]; top.length == run && len(l.core) == run {
				f.finish(top.block, l)
			}
			o.open = o.open[:n]
		}
		if run < shortestFence || l.core[run:] != mark || !f.entryFollows(l) {
			continue
		}
		o.open = append(o.open, openFence{run, f.beginFence(l)})
	}
}

// entryFollows reports whether the first entry of a Markdown block follows the line.
func (f *finder) entryFollows(l line) bool {
	next := strings.TrimLeft(f.text[l.end:], " \t>")
	return strings.HasPrefix(next, entryMark+"1]")
}

// beginFence notes a block that starts with the fence l, or with the marker in the line before.
func (f *finder) beginFence(l line) int {
	if core, marked := strings.CutSuffix(f.before.core, marker); marked {
		offset := f.before.prefix + len(core)
		return f.begin(f.before, offset)
	}
	return f.begin(l, l.prefix)
}

// inJSON follows the one JSON block that can be open.
func (f *finder) inJSON(l line) {
	if f.json >= 0 {
		switch {
		case l.core == jsonEnd:
			f.finish(f.json, l)
			f.json = -1
		case !strings.HasPrefix(l.core, `{"`) || !strings.HasSuffix(strings.TrimSuffix(l.core, ","), "}"):
			f.json = -1
		}
	}
	if head, opens := strings.CutSuffix(l.core, jsonOpen); opens {
		f.json = f.begin(l, l.prefix+len(head))
	}
}

// inXML follows the one XML block that can be open: its contents hold no tag of another.
func (f *finder) inXML(l line) {
	if i := strings.Index(l.core, xmlClose); i >= 0 && f.xml >= 0 {
		if l.core == xmlClose+f.nonce+">" {
			f.finish(f.xml, l)
		}
		f.xml = -1
	}
	rest, opens := strings.CutSuffix(l.core, xmlNote)
	if !opens || len(rest) < len(xmlOpen)+hashSize {
		return
	}
	head := rest[:len(rest)-len(xmlOpen)-hashSize]
	if nonce, opens := strings.CutPrefix(rest[len(head):], xmlOpen); opens {
		f.nonce = nonce
		f.xml = f.begin(l, l.prefix+len(head))
	}
}
