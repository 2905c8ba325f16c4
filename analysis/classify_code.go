// This file decides where a sign such as "=" belongs to code, a link or a
// comparison, and so says nothing about a state.

package analysis

import (
	"strings"
	"unicode/utf8"
)

// codeSigns are what makes a sentence, or part of it, code.
type codeSigns struct {
	whole bool
	quote []extent // within backquotes
}

// codeIn looks for code in a sentence.
func codeIn(sentence string) codeSigns {
	var c codeSigns
	open := -1
	for i := 0; i < len(sentence); i++ {
		switch b := sentence[i]; {
		case b == '`' && open >= 0:
			c.quote = append(c.quote, extent{open, i})
			open = -1
		case b == '`':
			open = i
		}
	}
	c.whole = isCode(strings.TrimSpace(sentence))
	return c
}

// isCode reports whether a sentence reads as a line of a program: it has braces,
// calls or markup, ends in a semicolon, or begins with a keyword of declarations.
func isCode(s string) bool {
	for i := 0; i < len(s); i++ {
		before, after := byte(' '), byte(' ')
		if i > 0 {
			before = s[i-1]
		}
		if i+1 < len(s) {
			after = s[i+1]
		}
		switch s[i] {
		case '{', '}':
			return true
		case ';':
			if after == ' ' && i+2 >= len(s) || i+1 == len(s) {
				return true
			}
		case '(', '[':
			if isIdentifier(before) {
				return true
			}
		case '$':
			if isIdentifier(after) && after > '9' {
				return true
			}
		case '<':
			if isIdentifier(after) && after > '9' || after == '/' {
				return true
			}
		}
	}
	return declares(s)
}

// declares reports whether a sentence begins as a declaration or a statement of a
// program, or is a query to a database.
func declares(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	switch first {
	case "let", "const", "var", "val", "auto", "func", "def", "fn", "import", "export", "return", "static", "public",
		"private", "final", "int", "string", "float", "double", "bool", "char", "local", "declare", "type", "SELECT", "UPDATE",
		"INSERT", "DELETE", "WHERE", "ALTER", "$", "#", "//", "/*", "--", "@":
		return true
	case "if", "while", "for", "switch":
		return strings.HasPrefix(rest, "(")
	}
	return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*") || strings.HasPrefix(s, "#!")
}

// isIdentifier reports whether a byte may be in a name of a program.
func isIdentifier(b byte) bool {
	return b == '_' || b >= utf8.RuneSelf || inKey(rune(b))
}

// permit reports whether an operator with a sign may say something here.
func (c *codeSigns) permit(sentence string, op operation) bool {
	if hasLetter(op.sign) {
		return true
	}
	if c.whole {
		return false
	}
	for _, q := range c.quote {
		if q.start < op.start && op.end <= q.end {
			return false
		}
	}
	return !compared(sentence, op) && plain(sentence, op)
}

// compared reports whether the sign is part of a longer one, as in "==", "<=",
// "+=" or "=>".
func compared(sentence string, op operation) bool {
	const around = "=<>!+*/%&|^~:?-"
	if op.start > 0 && strings.IndexByte(around, sentence[op.start-1]) >= 0 {
		return true
	}
	return op.end < len(sentence) && strings.IndexByte("=<>~&|", sentence[op.end]) >= 0
}

// plain reports whether the token that an operator stands in is a plain
// assignment such as "port=80", and no link, flag, attribute or access to a
// member.
func plain(sentence string, op operation) bool {
	left, ok := tail(sentence[:op.start])
	right, ok2 := head(sentence[op.end:])
	if !ok || !ok2 {
		return false
	}
	left = left[strings.LastIndexAny(left, " \t\n")+1:]
	if blank := strings.IndexAny(right, " \t\n"); blank >= 0 {
		right = right[:blank]
	}
	if left == "" && right == "" {
		return true
	}
	if op.sign != "=" && left != "" && right != "" && op.sign[0] < utf8.RuneSelf {
		return false // "p->next", "x:=5"
	}
	return !strings.HasPrefix(left, "-") && !strings.HasPrefix(left, "$") &&
		!strings.ContainsAny(left, "?&<>({[;/\\@#=.") && !strings.Contains(right, "://") && !strings.ContainsAny(right, "=&<>({[;")
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, inKey) }
