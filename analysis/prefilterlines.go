// This file decides how single lines are judged: speakers, JSON, shell prompts,
// paths.

package analysis

import "strings"

// withoutSpeaker drops the name of a speaker that begins a line, with the colon
// and the blanks behind it. A line without one is returned as it is.
func withoutSpeaker(line string) string {
	trimmed := strings.TrimLeft(line, " \t")
	for _, name := range [...]string{"human", "assistant", "user", "ai", "system"} {
		if !hasPrefixFold(trimmed, name) {
			continue
		}
		for _, colon := range [...]string{":", "："} {
			if said, ok := strings.CutPrefix(trimmed[len(name):], colon); ok {
				return strings.TrimLeft(said, " \t\u3000")
			}
		}
	}
	return line
}

// hasPrefixFold reports whether s begins with prefix, which is in lower-case
// ASCII, in any case.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}

// isMarker reports whether a line only says who speaks.
func isMarker(trimmed string) bool {
	return trimmed == "[user]" || trimmed == "[assistant]" || trimmed == "[tool_result]"
}

// looksLikeJSON reports whether a line begins like a JSON object, or like an
// array of something that isn't a word.
func looksLikeJSON(trimmed string) bool {
	if trimmed[0] == '{' {
		return true
	}
	array, ok := strings.CutPrefix(trimmed, "[")
	if !ok {
		return false
	}
	array = strings.TrimLeft(array, " \t")
	return array != "" && (strings.IndexByte(`{"[`, array[0]) >= 0 || isDigit(array[0]))
}

// isShellCommand reports whether a line is a shell's prompt with a command: "$ ls",
// "bash$ ls", or "who@where:folder$ ls".
func isShellCommand(trimmed string) bool {
	for _, shell := range [...]string{"", "bash", "sh", "zsh"} {
		if rest, ok := strings.CutPrefix(trimmed, shell); ok {
			if command, ok := strings.CutPrefix(rest, "$ "); ok && beginsCommand(command) {
				return true
			}
		}
	}
	at, colon := strings.IndexByte(trimmed, '@'), strings.IndexByte(trimmed, ':')
	if at < 0 || colon < 0 {
		return false
	}
	rest := trimmed[max(at, colon):]
	for {
		_, command, ok := strings.Cut(rest, "$ ")
		if !ok {
			return false
		}
		if beginsCommand(command) {
			return true
		}
		rest = command
	}
}

func beginsCommand(s string) bool {
	return s != "" && (isDigit(s[0]) || isLetter(s[0]) || strings.IndexByte("./~-(", s[0]) >= 0)
}

// withoutPaths takes the paths out of a line.
func (f *prefilter) withoutPaths(line string) string {
	if !strings.ContainsAny(line, `/\`) {
		return line
	}
	found := false
	for word := range fields(line) {
		found = found || f.isPath(word)
	}
	if !found {
		return line
	}
	kept := make([]byte, 0, len(line))
	for word := range fields(line) {
		if f.isPath(word) {
			continue
		}
		if len(kept) > 0 {
			kept = append(kept, ' ')
		}
		kept = append(kept, word...)
	}
	return string(kept)
}

// isPath reports whether a word is a path, perhaps in quotes or brackets. Dots
// are trimmed with the punctuation, so of ./ and ../ the slash remains; a prefix
// of the caller's that begins with a dot is looked for before that.
func (f *prefilter) isPath(word string) bool {
	dotted := strings.Trim(word, "\"'`,;:()[]{}<>")
	word = strings.Trim(dotted, "\"'`,.;:()[]{}<>")
	if strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~/") || hasDrive(word) {
		return true
	}
	for _, prefix := range f.prefixes {
		if prefix != "" && (strings.HasPrefix(word, prefix) || strings.HasPrefix(dotted, prefix)) {
			return true
		}
	}
	return false
}

func hasDrive(word string) bool {
	return len(word) >= 3 && isLetter(word[0]) && word[1] == ':' && (word[2] == '/' || word[2] == '\\')
}

// fields yields the words of a line between ASCII blanks.
func fields(line string) func(yield func(string) bool) {
	isBlank := func(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }
	return strings.FieldsFuncSeq(line, isBlank)
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
