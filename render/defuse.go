// What a model, or the prompt around a block, could take for markup of its own:
// tags, roles that begin a line, tool calls, links. Each function looks at one
// place and only as far as the next thing that could be such a place, so that
// all of them together read a text a bounded number of times.

package render

import (
	"strings"
	"unicode/utf8"
)

// tagWords are the words that make a tag or a bracketed word one of a chat
// template, a tool protocol or a frame around recalled text. A name is split
// into words at "_", "-", "." and ":".
var tagWords = map[string]bool{
	"assistant": true, "bos": true, "claude": true, "context": true, "contextforge": true,
	"conversation": true, "developer": true, "document": true, "documents": true, "entry": true, "eos": true,
	"eot": true, "function": true, "functions": true, "human": true, "inst": true, "instruction": true, "instructions": true,
	"invoke": true, "memories": true, "memory": true, "message": true, "messages": true, "parameter": true,
	"policy": true, "prompt": true, "recalled": true, "reminder": true,
	"role": true, "rules": true, "s": true, "sys": true, "system": true, "think": true, "thinking": true, "thought": true, "tool": true,
	"tools": true, "turn": true, "untrusted": true, "user": true,
}

// plainTags are elements of HTML whose closing tags are left as they are.
var plainTags = map[string]bool{
	"a": true, "abbr": true, "article": true, "b": true, "blockquote": true, "body": true, "br": true, "button": true, "code": true,
	"dd": true, "details": true, "div": true, "dl": true, "dt": true, "em": true, "figure": true, "footer": true, "form": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "head": true, "header": true, "hr": true, "html": true,
	"i": true, "kbd": true, "label": true, "li": true, "main": true, "mark": true, "nav": true, "ol": true, "option": true, "p": true,
	"pre": true, "script": true, "section": true, "select": true, "small": true, "span": true, "strong": true, "style": true,
	"sub": true, "summary": true, "sup": true, "svg": true, "table": true, "tbody": true, "td": true, "textarea": true, "th": true,
	"thead": true, "title": true, "tr": true, "u": true, "ul": true,
}

// activeTags are elements of HTML that load, lead elsewhere or run.
var activeTags = map[string]bool{
	"a": true, "audio": true, "base": true, "embed": true, "form": true, "frame": true, "iframe": true, "img": true, "image": true,
	"input": true, "link": true, "meta": true, "object": true, "script": true, "source": true, "style": true, "svg": true, "video": true,
}

// longestName bounds the names of tags and the words of roles that are looked at.
const longestName = 48

// opensTag judges what follows a "<".
func opensTag(rest string, links bool) bool {
	r, size := utf8.DecodeRuneInString(rest)
	switch r {
	case '|', '｜':
		return true
	case '<', '＜', '﹤':
		name, _ := tagName(strings.TrimPrefix(rest[size:], "/"))
		return name == "sys"
	case '!':
		return strings.HasPrefix(rest, "!--") || strings.HasPrefix(rest, "![")
	}
	tail := strings.TrimLeft(rest, " \t")
	spaced := len(tail) < len(rest)
	closing := false
	for {
		r, size = utf8.DecodeRuneInString(tail)
		if r != '/' && r != '／' && (!closing || r != ' ') {
			break
		}
		closing, tail = true, tail[size:]
	}
	name, after := tagName(tail)
	switch {
	case name == "":
		return false
	case closing:
		return !plainTags[name]
	case spaced && !strings.HasPrefix(strings.TrimLeft(after, " "), ">"):
		return false
	}
	return endsTagName(after) && hasTagWord(name) || links && (activeTags[name] || scheme(name))
}

// endsTagName reports what may follow the name of a tag.
func endsTagName(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || strings.ContainsRune(" \t\r\n\f\v>/<＞﹥=", r) || invisible(r)
}

// tagName reads a name and folds it to lower-case Latin letters.
func tagName(text string) (name, after string) {
	var buf [longestName]byte
	n := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := foldLetter(r)
		if c == 0 && ('0' <= r && r <= '9' || r == '_' || r == '-' || r == '.' || r == ':') {
			c = byte(r)
		}
		if c == 0 || n == len(buf) {
			return string(buf[:n]), text[i:]
		}
		buf[n] = c
		n++
		i += size
	}
	return string(buf[:n]), ""
}

// hasTagWord reports a word of a tag name that is in the list.
func hasTagWord(name string) bool {
	if tagWords[name] {
		return true
	}
	for name != "" {
		end := strings.IndexAny(name, "_-.:")
		if end < 0 {
			end = len(name)
		}
		if word := name[:end]; len(word) > 1 && tagWords[word] {
			return true
		}
		name = name[min(end+1, len(name)):]
	}
	return false
}

// scheme reports the beginning of an address, as in <https://example.com>.
func scheme(name string) bool {
	before, _, found := strings.Cut(name, ":")
	switch before {
	case "http", "https", "ftp", "file", "data", "javascript", "vbscript", "mailto", "ws", "wss":
		return found
	}
	return false
}

// closesMarkup judges what stands before a ">": the end of a comment or of a CDATA section.
func closesMarkup(before string) bool {
	return strings.HasSuffix(before, "--") || strings.HasSuffix(before, "--!") || strings.HasSuffix(before, "]]")
}

// opensBracket judges what follows a "[": a bracketed word of a chat template, or the label of an entry.
func opensBracket(rest string) bool {
	tail := strings.TrimLeft(rest, " \t")
	tail = strings.TrimPrefix(tail, "/")
	name, after := tagName(tail)
	if name == "" || len(name) == 1 || !hasTagWord(name) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || strings.ContainsRune(" \t]］:#", r) || name == "memory"
}

// leadsElsewhere judges the destination of a link or an image: whether it has an address of
// another place rather than a path.
func leadsElsewhere(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n<")
	if rest == "" {
		return false
	}
	if rest[0] == '&' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, `\`) {
		return true // a character reference or a backslash may hide the scheme
	}
	for i := range min(len(rest), longestName) {
		switch c := rest[i]; {
		case c == ':' || c == '&' || c == '\\':
			return i > 0
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '+', c == '-', c == '.':
		default:
			return c >= utf8.RuneSelf || c < ' '
		}
	}
	return false
}

// roles are the words that name a speaker when a colon follows at the start of a line.
var roles = map[string]bool{
	"ai": true, "admin": true, "administrator": true, "assistant": true, "bot": true, "chatbot": true, "chatgpt": true, "claude": true,
	"developer": true, "function": true, "gemini": true, "gpt": true, "human": true, "input": true, "instruction": true, "instructions": true,
	"model": true, "observation": true, "output": true, "prompt": true, "response": true, "system": true, "tool": true, "user": true,
}

// roleNotes are the words that may stand between a role and its colon.
var roleNotes = map[string]bool{
	"admin": true, "call": true, "calls": true, "instruction": true, "instructions": true, "message": true, "note": true, "notice": true,
	"output": true, "override": true, "prompt": true, "response": true, "result": true, "results": true, "turn": true, "update": true,
}

// lineMarks may stand before, around and after a role: quotation, lists, headings, emphasis, brackets.
const lineMarks = " \t>#*_`~-+=|[](){}<\"'"

// roleColon returns where the colon stands after a role that begins the line at
// start, as in "### System:" or "role: system"; or -1.
func roleColon(text string, start int) int {
	i := skipMarks(text, start)
	word, i := roleWord(text, i)
	if word == "role" {
		return roleValue(text, i)
	}
	if !roles[word] {
		return -1
	}
	i = skipMarks(text, i)
	if colonAt(text, i) {
		return i
	}
	if word, i = roleWord(text, i); !roleNotes[word] {
		return -1
	}
	if i = skipMarks(text, i); colonAt(text, i) {
		return i
	}
	return -1
}

// roleValue returns where the colon stands in "role: system", i being behind the first word.
func roleValue(text string, i int) int {
	i = skipMarks(text, i)
	if !colonAt(text, i) {
		return -1
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	if word, _ := roleWord(text, skipMarks(text, i+size)); !roles[word] {
		return -1
	}
	return i
}

func skipMarks(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < utf8.RuneSelf && strings.IndexByte(lineMarks, byte(r)) < 0 || r >= utf8.RuneSelf && (!invisible(r) || endsLine(r)) {
			if r != '　' && r != '\u00a0' && r != '＃' {
				break
			}
		}
		i += size
	}
	return i
}

func colonAt(text string, i int) bool {
	return i < len(text) && (text[i] == ':' || strings.HasPrefix(text[i:], "："))
}

// roleWord reads letters, folded, and skips what is invisible between them.
func roleWord(text string, i int) (word string, end int) {
	var buf [longestName]byte
	n := 0
	for i < len(text) && n < len(buf) {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := foldLetter(r)
		if c == 0 && (r < utf8.RuneSelf || !invisible(r) || endsLine(r)) {
			break
		}
		if c != 0 {
			buf[n] = c
			n++
		}
		i += size
	}
	return string(buf[:n]), i
}

// toolKey reports the colon at i to stand after a key of a tool call in JSON, or between "role" and
// the name of one.
func toolKey(text string, i int) bool {
	before := strings.TrimRight(text[max(0, i-longestName):i], " \t\r\n")
	if !strings.HasSuffix(before, `"`) {
		return false
	}
	before = before[:len(before)-1]
	switch before[strings.LastIndexByte(before, '"')+1:] {
	case "tool_call", "tool_calls", "tool_use", "tool_result", "tool_call_id", "function_call", "function_calls":
		return true
	case "role":
		word, _ := roleWord(text, skipMarks(text, i+1))
		return roles[word]
	}
	return false
}
