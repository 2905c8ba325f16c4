// Markup: roles, tags, tool calls, links.

package injection

import (
	"strings"
	"unicode/utf8"
)

// lookAround bounds how far is looked for what belongs to a word or a tag.
const lookAround = 48

// markers are tags that speak in a role; toolTags are those of tool calls.
var (
	markers = map[string]bool{
		"system": true, "sys": true, "assistant": true, "developer": true, "instructions": true, "system_prompt": true, "system-prompt": true,
		"systemprompt": true, "system-reminder": true, "system_message": true, "start_of_turn": true, "end_of_turn": true, "bos": true, "eos": true, "im_start": true, "im_end": true,
	}
	toolTags = map[string]bool{
		"tool_call": true, "tool_calls": true, "function_call": true, "function_calls": true, "tool_use": true, "tool_result": true, "tool_results": true,
		"function_results": true, "invoke": true, "tool_response": true, "tool_code": true,
	}
	activeTags = map[string]bool{"script": true, "iframe": true, "object": true, "embed": true}
	// inlineTags may be closed without having been opened: people quote halves of HTML.
	inlineTags = map[string]bool{
		"a": true, "b": true, "br": true, "div": true, "em": true, "h1": true, "h2": true, "h3": true, "i": true, "li": true, "ol": true, "p": true, "span": true,
		"strong": true, "sub": true, "sup": true, "td": true, "th": true, "tr": true, "u": true, "ul": true,
	}
)

// entity returns the length of a reference to "<" at the start of text.
func entity(text string) int {
	for _, e := range [...]string{"&lt;", "&LT;", "&#60;", "&#x3c;", "&#x3C;", "&#060;"} {
		if strings.HasPrefix(text, e) {
			return len(e)
		}
	}
	return 0
}

// tag judges the "<" at start; what follows it begins at i.
func (s *scanner) tag(start, i int) {
	rest := s.text[i:]
	if strings.HasPrefix(rest, "!--") {
		s.signal(Comment, start, i+3, "comment")
		return
	}
	if s.templateTag(start, i) {
		return
	}
	closing := false
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '/') {
		closing = closing || s.text[i] == '/'
		i++
	}
	name, end := tagName(s.text, i)
	if name == "" || !endsName(s.text[end:]) {
		return
	}
	local := name[strings.LastIndexByte(name, ':')+1:]
	switch {
	case toolTags[local]:
		s.signal(ToolCall, start, end, "tag of a tool call")
	case markers[local]:
		s.signal(RoleMarker, start, end, "tag of a role")
	case closing && !inlineTags[local] && !s.wasOpened(local):
		s.signal(DelimiterBreak, start, end, "closes a tag that wasn't opened")
	case !closing && activeTags[local]:
		s.signal(ActiveMarkup, start, end, "element that runs or loads")
	case !closing && local == "img" && carriesData(attributes(s.text[end:])):
		s.signal(Exfiltration, start, end, "image with data in its address")
	}
	if !closing {
		s.opened[s.tags%len(s.opened)] = hashOf(local)
		s.tags++
	}
}

// templateTag knows <|name|> and <<SYS>>.
func (s *scanner) templateTag(start, i int) bool {
	rest := s.text[i:]
	switch {
	case strings.HasPrefix(rest, "|"), strings.HasPrefix(rest, "｜"):
		_, size := utf8.DecodeRuneInString(rest)
		end := templateName(s.text, i+size)
		if strings.HasPrefix(s.text[end:], "|>") || strings.HasPrefix(s.text[end:], "｜>") {
			s.signal(RoleMarker, start, end, "tag of a chat template")
			return true
		}
	case strings.HasPrefix(rest, "<"):
		name, end := tagName(s.text, i+1+len(rest[1:])-len(strings.TrimPrefix(rest[1:], "/")))
		if name == "sys" {
			s.signal(RoleMarker, start, end, "tag of a chat template")
			return true
		}
	}
	return false
}

// templateName returns where a name of letters, digits, "_" and "▁" ends.
func templateName(text string, i int) int {
	limit := min(len(text), i+lookAround)
	for i < limit {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != '_' && r != '▁' && fold(r) <= apart {
			break
		}
		i += size
	}
	return min(i, len(text))
}

// tagName reads a name and folds it; letters stay letters, digits digits.
func tagName(text string, i int) (name string, end int) {
	var buf [lookAround]byte
	n := 0
	for i < len(text) && n < len(buf) {
		r, size := utf8.DecodeRuneInString(text[i:])
		f := fold(r)
		switch {
		case r < utf8.RuneSelf && (r == '_' || r == '-' || r == ':' || '0' <= r && r <= '9'):
			f = r
		case f == skip && r != '\'' && r != '’':
			i += size
			continue
		case f < 'a' || f > 'z' || r == '@' || r == '$':
			return string(buf[:n]), i
		}
		buf[n] = byte(f)
		n++
		i += size
	}
	return string(buf[:n]), i
}

// endsName reports what may follow the name of a tag.
func endsName(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || strings.ContainsRune(" \t\r\n>/=＞﹥", r) || strings.HasPrefix(after, "&gt;") || strings.HasPrefix(after, "&#62;")
}

func (s *scanner) wasOpened(name string) bool {
	if s.tags > len(s.opened) {
		return true // too many to remember
	}
	h := hashOf(name)
	for _, o := range s.opened[:s.tags] {
		if o == h {
			return true
		}
	}
	return false
}

// attributes returns the rest of a tag, or the beginning of it.
func attributes(rest string) string {
	rest = rest[:min(len(rest), 8*lookAround)]
	if end := strings.IndexByte(rest, '>'); end >= 0 {
		return rest[:end]
	}
	return rest
}

// role judges the word [start, end) as the name of a speaker; it begins a line, or stands after a mark.
func (s *scanner) role(start, end int, c class) {
	after := s.text[end:min(len(s.text), end+lookAround)]
	called := c&systemRole != 0 || c&blockRole != 0 && s.afterBlank || c&headingRole != 0 && s.hashes > 1
	if s.lineStart && called && colonFollows(after) || c&systemRole != 0 && s.roleInData(start, after) {
		s.signal(RoleMarker, start, end, "speaks in a role")
	}
}

// roleInData reports a role in a template, in a cell of a table, or as the value of "role".
func (s *scanner) roleInData(start int, after string) bool {
	before := strings.TrimRight(s.text[max(0, start-lookAround):start], " \t")
	switch {
	case strings.HasSuffix(before, "{{"), strings.HasSuffix(before, "{{#"):
		return true
	case strings.HasSuffix(before, "|"):
		return strings.HasPrefix(strings.TrimLeft(after, " \t"), "|")
	}
	return roleKey(before) && (after == "" || strings.IndexByte("\"'`,;}\r\n", after[0]) >= 0)
}

// colonFollows reports a colon, after closing marks and perhaps one word of those that go with roles.
func colonFollows(after string) bool {
	const marks = " \t*_`\"'])"
	after = strings.TrimLeft(after, marks)
	if strings.HasPrefix(after, ":") || strings.HasPrefix(after, "：") {
		return true
	}
	name, end := tagName(after, 0)
	word, _, colon := strings.Cut(name, ":")
	switch word {
	case "message", "prompt", "note", "notice", "override", "instruction", "instructions", "update":
		after = strings.TrimLeft(after[end:], marks)
		return colon || strings.HasPrefix(after, ":") || strings.HasPrefix(after, "：")
	}
	return false
}

// roleKey reports `role:` or `"role":` at the end, quotation marks included.
func roleKey(before string) bool {
	before, colon := strings.CutSuffix(strings.TrimRight(before, "\"' \t"), ":")
	before = strings.TrimRight(before, "\"' \t")
	return colon && (strings.HasSuffix(before, "role") && (len(before) == 4 || strings.IndexByte(" \t\r\n\"'{,", before[len(before)-5]) >= 0))
}

// openBracket notes a "[", and judges what it encloses.
func (s *scanner) openBracket(i int) {
	if i > 0 && s.text[i-1] == ']' && s.bracket > 0 && s.text[s.bracket-1] == '!' {
		s.refImage = true
	}
	s.bracket = i
	closing := strings.HasPrefix(s.text[i+1:], "/")
	name, end := tagName(s.text, i+1+boolInt(closing))
	if !strings.HasPrefix(s.text[end:], "]") {
		return
	}
	switch name {
	case "inst", "sys", "system", "system_prompt", "available_tools":
		s.signal(RoleMarker, i, end+1, "tag of a chat template")
	case "tool_calls", "tool_results", "tool_call":
		s.signal(ToolCall, i, end+1, "tag of a tool call")
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// colon judges keys of JSON and definitions of links.
func (s *scanner) colon(i int) {
	if i == 0 {
		return
	}
	switch s.text[i-1] {
	case ']':
		if url := destination(s.text[i+1:]); leaks(url) || s.refImage && carriesData(url) {
			s.signal(Exfiltration, i, i+1, "link with data in its address")
		}
	case '"', ' ':
		s.toolKey(i)
	}
}

// toolKey judges the key before a colon.
func (s *scanner) toolKey(i int) {
	before := strings.TrimRight(s.text[max(0, i-lookAround):i], " ")
	if !strings.HasSuffix(before, `"`) {
		return
	}
	before = before[:len(before)-1]
	switch key := before[strings.LastIndexByte(before, '"')+1:]; key {
	case "tool_call", "tool_calls", "function_call", "function_calls", "tool_use":
		s.signal(ToolCall, i-len(key)-2, i, "key of a tool call")
	case "arguments":
		if after := strings.TrimLeft(s.text[i+1:min(len(s.text), i+lookAround)], " \""); strings.HasPrefix(after, "{") {
			s.signal(ToolCall, i-len(key)-2, i, "arguments of a tool call")
		}
	}
}

// link judges the "(" of a Markdown link or image.
func (s *scanner) link(i int) {
	if i == 0 || s.text[i-1] != ']' || s.bracket < 0 {
		return
	}
	url := destination(s.text[i+1:])
	image := s.bracket > 0 && s.text[s.bracket-1] == '!'
	switch {
	case image && carriesData(url):
		s.signal(Exfiltration, s.bracket-1, i+1+len(url), "image with data in its address")
	case leaks(url):
		s.signal(Exfiltration, s.bracket, i+1+len(url), "link with data in its address")
	}
}

// destination returns the address at the start of rest, blanks before it included.
func destination(rest string) string {
	rest = rest[:min(len(rest), 16*lookAround)]
	blanks := len(rest) - len(strings.TrimLeft(rest, " \t\n<"))
	if end := strings.IndexAny(rest[blanks:], " \t\r\n()[]<>\""); end >= 0 {
		return rest[:blanks+end]
	}
	return rest
}

// carriesData reports an address of another place with a query.
func carriesData(url string) bool {
	at := strings.Index(url, "//")
	if at < 0 {
		return false
	}
	_, query, found := strings.Cut(url[at:], "?")
	return found && strings.IndexByte(query, '=') >= 0
}

// leaks reports an address whose query names a secret, or leaves a place for one.
func leaks(url string) bool {
	if !carriesData(url) {
		return false
	}
	_, query, _ := strings.Cut(url, "?")
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		switch strings.ToLower(name) {
		case "token", "secret", "password", "passwd", "pwd", "apikey", "api_key", "key", "data", "payload", "exfil", "cookie", "prompt", "memory", "memories",
			"conversation", "history", "leak", "context":
			return true
		}
		if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "$") || strings.HasPrefix(value, "%7B") {
			return true
		}
	}
	return false
}
