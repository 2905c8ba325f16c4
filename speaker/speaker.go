// Decides what a name before a colon looks like, and what is left to the text.

package speaker

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxName bounds a name in bytes.
	maxName = 40
	// maxWords bounds the capitalised words of a name.
	maxWords = 3
)

// Of returns the name that text begins with, and the rest of it, when it is a
// turn of the form "Name: text". A name is a word for a role in any case (user,
// Assistant, "Speaker 2", 用户), or one to three words, each of which begins with
// an upper-case letter and goes on in lower case, with particles such as "de" and
// "van" between them; at most 40 bytes in all. It may stand in asterisks or
// square brackets. A colon, white space and more text must follow; after a role
// of a script without case a full-width colon suffices. Labels such as "Note:",
// "Subject:", times, addresses and keys in lower case are no names, and neither
// is a name when a later line of the text begins with another one.
func Of(text string) (name, rest string, ok bool) {
	name, rest, ok = label(text)
	if !ok || !isName(name) || others(rest, name) {
		return "", text, false
	}
	return name, rest, true
}

// label parts what stands before the first colon of a line from the text after
// it, without judging it.
func label(line string) (name, rest string, ok bool) {
	line = strings.TrimLeft(line, " \t\r\n")
	head := line[:min(len(line), maxName+8)]
	i := strings.IndexAny(head, ":：\n")
	if i < 0 || head[i] == '\n' {
		return "", "", false
	}
	name, rest = line[:i], line[i:]
	wide := strings.HasPrefix(rest, "：")
	if wide {
		rest = rest[len("："):]
	} else {
		rest = rest[1:]
	}
	name, rest = unwrap(name, rest)
	trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if trimmed == "" || len(trimmed) == len(rest) && !wide || name == "" || len(name) > maxName {
		return "", "", false
	}
	return name, trimmed, true
}

// unwrap takes the asterisks of **Name**: and **Name:** and the brackets of
// [Name]: away.
func unwrap(name, rest string) (string, string) {
	if inner, ok := strings.CutPrefix(name, "**"); ok {
		if bare, ok := strings.CutSuffix(inner, "**"); ok {
			return bare, rest
		}
		if after, ok := strings.CutPrefix(rest, "**"); ok {
			return inner, after
		}
	}
	if inner, ok := strings.CutPrefix(name, "["); ok {
		if bare, ok := strings.CutSuffix(inner, "]"); ok {
			return bare, rest
		}
	}
	return name, rest
}

// isName judges the words of a name.
func isName(name string) bool {
	if strings.TrimSpace(name) != name {
		return false
	}
	capitalised, role := 0, false
	for i := 0; name != ""; i++ {
		var word string
		word, name, _ = strings.Cut(name, " ")
		switch {
		case isRole(word):
			role = true
			capitalised++
		case isLabel(word):
			return false
		case role && i > 0 && number(word):
			return name == ""
		case capital(word):
			capitalised++
		case i == 0 || name == "" || !particle(word):
			return false
		}
	}
	return capitalised >= 1 && capitalised <= maxWords
}

func number(word string) bool {
	return word != "" && len(word) <= 3 && strings.Trim(word, "0123456789") == ""
}

// capital reports whether a word is written like a part of a name: Ana, O'Neil,
// Jean-Luc, McKay, Dr., J.
func capital(word string) bool {
	letters, lower := 0, 0
	for i, r := range word {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			letters++
		case unicode.IsLower(r):
			letters++
			lower++
		case unicode.Is(unicode.Mn, r):
		case i > 0 && (r == '\'' || r == '’' || r == '-' || r == '.'):
		default:
			return false
		}
		if i == 0 && lower > 0 {
			return false
		}
	}
	return lower > 0 || letters == 1 && strings.HasSuffix(word, ".")
}

// particle reports whether a word may stand in a name in lower case.
func particle(word string) bool {
	switch word {
	case "de", "del", "della", "di", "da", "dos", "du", "la", "le", "van", "von", "der", "den", "ten", "ter", "bin", "ibn", "al", "el", "y", "zu":
		return true
	}
	return false
}

// others reports whether a later line begins with another label.
func others(rest, name string) bool {
	for {
		i := strings.IndexByte(rest, '\n')
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
		if other, _, ok := label(rest); ok && other != name && capitalFirst(other) {
			return true
		}
	}
}

// capitalFirst reports whether a label is of the words of a name, or a role.
func capitalFirst(label string) bool {
	r, _ := utf8.DecodeRuneInString(label)
	return (unicode.IsUpper(r) || isRole(label)) && strings.Count(label, " ") < maxWords
}
