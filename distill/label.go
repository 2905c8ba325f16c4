// How a line shows that somebody else begins to speak.

package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// role is what sort of speaker a label names.
type role uint8

const (
	nobody role = iota // no label
	named              // a name
	user
	assistant
	system
	tool
)

// roles maps folded labels to roles.
var roles = map[string]role{
	"user": user, "human": user, "me": user, "customer": user, "client": user, "nutzer": user, "benutzer": user,
	"utilisateur": user, "usuario": user, "usuário": user, "utente": user, "пользователь": user, "用户": user, "ユーザー": user, "사용자": user,
	"assistant": assistant, "ai": assistant, "bot": assistant, "model": assistant, "agent": assistant, "assistent": assistant,
	"asistente": assistant, "assistente": assistant, "ассистент": assistant, "助手": assistant, "アシスタント": assistant,
	"system": system, "developer": system, "系统": system, "システム": system,
	"tool": tool, "function": tool, "tool_use": tool, "tool_call": tool, "tool_result": tool, "tool_output": tool, "observation": tool,
}

// label is the beginning of a turn: who speaks, and where the words begin.
type label struct {
	role role
	name string // as it is spelled
	body int    // offset in the line
}

// maxLabel bounds, in bytes, how far into a line a label may reach, so that
// looking for one costs the same for any line.
const maxLabel = 96

// labelOf returns the label that a line begins with. It knows "Name: …",
// "[user] …", "### User", "**User:** …", "<user>", "<|im_start|>user", each
// also behind a time of day or date.
func labelOf(line string) label {
	head := line[:min(len(line), maxLabel)]
	pos := len(head) - len(strings.TrimLeft(head, " \t>"))
	pos += stampLength(head[pos:])
	rest := head[pos:]
	switch {
	case strings.HasPrefix(rest, "["):
		return bracketed(rest, pos, "[", "]")
	case strings.HasPrefix(rest, "<|im_start|>"):
		return heading(rest, pos, len("<|im_start|>"))
	case strings.HasPrefix(rest, "<"):
		return bracketed(rest, pos, "<", ">")
	case strings.HasPrefix(rest, "#"):
		return heading(rest, pos, len(rest)-len(strings.TrimLeft(rest, "# ")))
	}
	return colon(rest, pos)
}

// stampLength returns the length of a date or time, with brackets and a dash,
// that text begins with, 0 for none.
func stampLength(text string) int {
	end := 0
	for end < len(text) && strings.IndexByte("0123456789[]()-/:.,+ TZ\t", text[end]) >= 0 {
		end++
	}
	for _, half := range []string{"AM", "PM", "am", "pm"} {
		if strings.HasPrefix(text[end:], half) {
			end += len(half)
			end += len(text[end:]) - len(strings.TrimLeft(text[end:], "])- "))
			break
		}
	}
	if !strings.ContainsAny(text[:end], ":/-.") || !strings.ContainsAny(text[:end], "0123456789") {
		return 0
	}
	// A bracket or T that opens the name isn't part of the time.
	for end > 0 && strings.IndexByte(" \t])-", text[end-1]) < 0 {
		end--
	}
	return end
}

// bracketed reads a role between brackets; a name there is no label.
func bracketed(rest string, pos int, open, shut string) label {
	inner, _, found := strings.Cut(rest[len(open):], shut)
	word, _, _ := strings.Cut(inner, " ")
	word = strings.TrimSuffix(word, ":")
	r := roles[fold(word)]
	if r == nobody || !found && r != tool {
		return label{}
	}
	return label{r, word, pos + min(len(rest), len(open)+len(inner)+len(shut))}
}

// heading reads a role that is all there is on the line.
func heading(rest string, pos, skip int) label {
	word := strings.TrimRight(rest[skip:], " \t\r\n:")
	if r := roles[fold(word)]; r != nobody {
		return label{r, word, pos + len(rest)}
	}
	return label{}
}

// maxName is the greatest number of words in a name.
const maxName = 4

// colon reads "Name: ".
func colon(rest string, pos int) label {
	stars := len(rest) - len(strings.TrimLeft(rest, "*_"))
	end, width := strings.IndexAny(rest, ":："), 0
	if end <= stars {
		return label{}
	}
	_, width = utf8.DecodeRuneInString(rest[end:])
	name := strings.Trim(rest[stars:end], "*_ ")
	body := end + width
	after := strings.TrimLeft(rest[body:], "*_")
	if width == 1 && after != "" && strings.IndexByte(" \t\r\n", after[0]) < 0 || !plausible(name) {
		return label{}
	}
	r := roles[fold(name)]
	if r == nobody {
		if first, _ := utf8.DecodeRuneInString(name); unicode.IsLower(first) {
			return label{}
		}
		r = named
	}
	return label{r, name, pos + len(rest) - len(after)}
}

// notNames are words before a colon that announce something other than a
// speaker.
var notNames = map[string]bool{
	"note": true, "notes": true, "warning": true, "error": true, "result": true, "results": true, "example": true, "examples": true,
	"edit": true, "update": true, "summary": true, "important": true, "hint": true, "tip": true, "output": true, "input": true,
	"caution": true, "reminder": true, "date": true, "time": true, "subject": true, "from": true, "to": true, "cc": true,
	"re": true, "ps": true, "p.s.": true, "total": true, "status": true, "usage": true, "info": true, "debug": true,
	"decision": true, "reason": true, "goal": true, "plan": true, "step": true, "facts": true, "context": true, "question": true,
	"option": true, "pros": true, "cons": true, "source": true, "title": true, "file": true, "path": true, "version": true,
	"the": true, "a": true, "my": true, "our": true, "this": true, "that": true, "these": true, "here": true, "here's": true, "and": true,
	"but": true, "so": true, "if": true, "when": true, "what": true, "why": true, "how": true, "it": true, "i": true, "we": true, "one": true,
	"todo": true, "fixme": true, "task": true, "tasks": true, "action": true, "actions": true, "agenda": true, "budget": true, "answer": true,
	"hinweis": true, "achtung": true, "beispiel": true, "nota": true, "remarque": true, "exemple": true, "ejemplo": true,
}

// plausible reports whether a text may be the name of a speaker.
func plausible(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	if len(name) > 64 || !unicode.IsLetter(first) && first != '@' || notNames[fold(name)] {
		return false
	}
	words := strings.Fields(name)
	if len(words) > maxName || notNames[fold(words[0])] {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .-_'’()@&", r)
	})
}

// fold returns text without the difference of case.
func fold(text string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, text)
}
