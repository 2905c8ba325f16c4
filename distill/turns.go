// Who says what in a transcript, without what isn't talk.

package distill

import (
	"encoding/json"
	"strings"
)

// turn is what one speaker says in a row.
type turn struct {
	role role
	name string // as it is spelled, empty for nobody
	text string // lines joined by line breaks
}

// turnsOf reads a transcript. Left out are tools, system prompts, code fences and
// recalled memory. Text before the first label is a turn of nobody.
func turnsOf(transcript string) []turn {
	r := turnReader{lines: strings.Split(lineEnds.Replace(transcript), "\n")}
	r.names = namesCount(r.lines)
	for r.next < len(r.lines) {
		r.read()
	}
	r.end()
	return r.turns
}

// namesCount tells which labels that aren't roles name speakers: in a transcript
// that begins with one, all do; in one whose first label is a role, none does,
// unless that is the only role that speaks ("Customer" and "Support"); then, and
// where text comes before the first label, those do that come back.
func namesCount(lines []string) func(string) bool {
	seen := map[string]int{}
	first, begins := nobody, false
	speak := map[role]bool{}
	talk := false
	for _, line := range lines {
		l := labelOf(line)
		if l.role == named {
			seen[fold(l.name)]++
		}
		speak[l.role] = true
		if first == nobody && l.role != nobody {
			first, begins = l.role, !talk
		}
		talk = talk || strings.TrimSpace(line) != ""
	}
	return func(name string) bool {
		returns := seen[fold(name)] > 1
		return first == named && (begins || returns) || returns && speak[user] != speak[assistant]
	}
}

// turnReader reads line by line.
type turnReader struct {
	lines []string
	next  int
	names func(string) bool

	turns   []turn
	current turn
	text    []string
	open    bool // a block that nothing ends was met: no more ends are looked for
	looked  int  // lines read in search of an end
}

// end ends the current turn.
func (r *turnReader) end() {
	text := strings.TrimSpace(strings.Join(r.text, "\n"))
	if text != "" && r.current.role != tool && r.current.role != system {
		r.current.text = text
		r.turns = append(r.turns, r.current)
	}
	r.text = r.text[:0]
}

func (r *turnReader) begin(role role, name string) {
	r.end()
	r.current = turn{role: role, name: name}
}

// read takes in one line, or a block of lines that isn't talk.
func (r *turnReader) read() {
	line := r.lines[r.next]
	r.next++
	trimmed := strings.TrimLeft(line, " \t>")
	switch {
	case r.skipFence(trimmed), r.skipRecalled(trimmed):
		r.text = append(r.text, "") // what is around doesn't belong together
		return
	case strings.HasPrefix(trimmed, "{") && objectLine(trimmed):
		r.object(trimmed)
		return
	}
	l := labelOf(line)
	if l.role == nobody || l.role == named && !r.names(l.name) {
		r.text = append(r.text, line)
		return
	}
	r.begin(l.role, l.name)
	r.text = append(r.text, line[l.body:])
}

// skipFence skips a code block. The rest of a text isn't lost for a fence that
// nothing closes.
func (r *turnReader) skipFence(trimmed string) bool {
	fence := fenceOf(trimmed)
	if fence == "" {
		return false
	}
	for end := r.next; end < len(r.lines) && !r.open; end++ {
		r.looked++
		rest := strings.TrimLeft(r.lines[end], " \t>")
		if strings.HasPrefix(rest, fence) && strings.Trim(rest, fence[:1]+" \t") == "" {
			r.next = end + 1
			return true
		}
	}
	r.open = true
	return true
}

// fenceOf returns the fence that a line begins with, "" for none.
func fenceOf(trimmed string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(trimmed) - len(strings.TrimLeft(trimmed, mark)); n >= 3 && !strings.Contains(trimmed[n:], mark) {
			return trimmed[:n]
		}
	}
	return ""
}

// recalledMarks begin blocks of memory that was put into the conversation. A
// fence marked that way is a fence.
var recalledMarks = []string{"<contextforge-recalled", "<recalled", "<memory", "<memories", "<relevant-memor", "<relevant_memor"}

// skipRecalled skips a block of recalled memory: an element of one of the names
// above up to its end, or a JSON object with our mark up to a line that ends it.
func (r *turnReader) skipRecalled(trimmed string) bool {
	if strings.HasPrefix(trimmed, `{"contextforge-recalled"`) {
		r.skipTo(trimmed, func(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " \t"), "]}") })
		return true
	}
	for _, mark := range recalledMarks {
		if strings.HasPrefix(strings.ToLower(trimmed[:min(len(trimmed), maxLabel)]), mark) {
			name := trimmed[1:]
			if i := strings.IndexAny(name, " \t>/"); i >= 0 {
				name = name[:i]
			}
			r.skipTo(trimmed, func(line string) bool { return strings.Contains(line, "</"+name) })
			return true
		}
	}
	return false
}

// skipTo skips the lines up to the one that ends a block, the first included. A
// block without an end is only its first line.
func (r *turnReader) skipTo(first string, ends func(string) bool) {
	if ends(first) || r.open {
		return
	}
	for end := r.next; end < len(r.lines); end++ {
		r.looked++
		if ends(r.lines[end]) {
			r.next = end + 1
			return
		}
	}
	r.open = true
}

// object reads a line that is a JSON object with a speaker and text. Any other
// object isn't talk.
func (r *turnReader) object(line string) {
	var fields map[string]any
	if json.Unmarshal([]byte(line), &fields) != nil {
		r.text = append(r.text, "")
		return
	}
	if inner, ok := fields["message"].(map[string]any); ok {
		fields = inner
	}
	text := contentOf(firstOf(fields, "content", "text", "body", "message", "value"))
	name, _ := firstOf(fields, "speaker", "name", "author", "role", "from", "sender").(string)
	if text == "" || name == "" {
		r.text = append(r.text, "")
		return
	}
	speaks := named
	if known := roles[fold(name)]; known != nobody {
		speaks = known
	}
	if kind, _ := fields["role"].(string); roles[fold(kind)] == tool || roles[fold(kind)] == system {
		speaks = roles[fold(kind)]
	}
	r.begin(speaks, name)
	r.text = append(r.text, withoutFences(text))
}

func firstOf(fields map[string]any, keys ...string) any {
	for _, key := range keys {
		if value, ok := fields[key]; ok && value != nil {
			return value
		}
	}
	return nil
}

// contentOf returns a text, or the text parts of a list joined.
func contentOf(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case []any:
		var texts []string
		for _, part := range value {
			if fields, ok := part.(map[string]any); ok {
				if text, ok := fields["text"].(string); ok {
					texts = append(texts, text)
				}
			}
		}
		return strings.Join(texts, "\n")
	}
	return ""
}

// withoutFences takes code and recalled memory out of the text of one turn.
func withoutFences(text string) string {
	r := turnReader{lines: strings.Split(text, "\n")}
	for r.next < len(r.lines) {
		line := r.lines[r.next]
		r.next++
		trimmed := strings.TrimLeft(line, " \t>")
		if r.skipFence(trimmed) || r.skipRecalled(trimmed) {
			line = ""
		}
		r.text = append(r.text, line)
	}
	return strings.Join(r.text, "\n")
}

// lineEnds brings line ends to one form and drops the mark that ends a turn.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "<|im_end|>", "")
