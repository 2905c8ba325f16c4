// This file decides which entity a passage gives a value, and which value.

package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	entityWords = 4 // at most
	valueWords  = 6
	// reach is how many bytes an entity or a value may be away from its operator. A
	// longer run without a blank is no language.
	reach = 256
	// maxTries is how many operators of a sentence are tried. A sentence in which so
	// many say nothing is no language either.
	maxTries = 64
)

// operation is a state operator in a text, from byte start to byte end.
type operation struct {
	start, end int
	sign       string // "" for words
}

// state returns the first entity of the passage that an operator gives a value.
func (c *classifier) state() (entity, value string, ok bool) {
	text := c.words.text
	ops := c.found.operators
	ops = c.voc.findSigns(ops, text)
	if len(ops) == 0 {
		return "", "", false
	}
	slices.SortStableFunc(ops, func(a, b operation) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end // the longer first
	})
	c.found.operators = ops
	from := 0
	for _, s := range sentenceExtents(text) {
		first := from
		for from < len(ops) && ops[from].start < s.end {
			from++
		}
		if first == from || asks(text[s.start:s.end]) {
			continue
		}
		in := statement{text: text[s.start:s.end]}
		for _, op := range ops[first:min(from, first+maxTries)] {
			op.start, op.end = op.start-s.start, op.end-s.start
			if op.start >= 0 && op.end <= len(in.text) {
				if entity, value, ok = in.state(op); ok {
					return entity, value, true
				}
			}
		}
	}
	return "", "", false
}

// findSigns appends the operators with a sign in text. One that begins or ends
// with a letter or digit is not found within a word.
func (v *vocabulary) findSigns(ops []operation, text string) []operation {
	for i := 0; i < len(text); i++ {
		if !v.starts[text[i]] {
			continue
		}
		for _, sign := range v.signs {
			end := i + len(sign)
			if end <= len(text) && strings.EqualFold(text[i:end], sign) && apart(text, i, end) {
				ops = append(ops, operation{start: i, end: end, sign: sign})
			}
		}
	}
	return ops
}

// apart reports whether text[start:end] doesn't continue a word or go on in one.
func apart(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:])
	before, n := utf8.DecodeLastRuneInString(text[:start])
	if n > 0 && inKey(first) && inKey(before) && !isUnspaced(before) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	after, n := utf8.DecodeRuneInString(text[end:])
	return n == 0 || !inKey(last) || !inKey(after) || isUnspaced(after)
}

// extent is part of a text.
type extent struct{ start, end int }

// sentenceExtents returns where the sentences of a text are.
func sentenceExtents(text string) []extent {
	sentences := Sentences(text)
	spans := make([]extent, 0, len(sentences))
	from := 0
	for _, s := range sentences {
		at := strings.Index(text[from:], s)
		if at < 0 {
			continue // not as it stands in the text
		}
		spans = append(spans, extent{from + at, from + at + len(s)})
		from += at + len(s)
	}
	return spans
}

// statement is a sentence that has operators.
type statement struct {
	text   string
	code   codeSigns
	looked bool // code is known
}

// state returns what an operator of the sentence says.
func (s *statement) state(op operation) (entity, value string, ok bool) {
	if op.sign != "" {
		if !s.looked {
			s.code, s.looked = codeIn(s.text), true
		}
		if !s.code.permit(s.text, op) {
			return "", "", false
		}
	}
	left, ok := tail(s.text[:op.start])
	right, ok2 := head(s.text[op.end:])
	if !ok || !ok2 {
		return "", "", false
	}
	entity = entityOf(left, op.sign)
	if entity == "" {
		return "", "", false
	}
	value = valueOf(right)
	return entity, value, value != ""
}

// tail returns the last words of a text within reach, ok being false if the last
// one is longer.
func tail(text string) (words string, ok bool) {
	if len(text) <= reach {
		return text, true
	}
	text = text[len(text)-reach:]
	blank := strings.IndexAny(text, " \t\n")
	return text[blank+1:], blank >= 0
}

// head returns the first words of a text within reach.
func head(text string) (words string, ok bool) {
	if len(text) <= reach {
		return text, true
	}
	blank := strings.LastIndexAny(text[:reach], " \t\n")
	return text[:max(blank, 0)], blank >= 0
}

// entityOf returns the noun phrase that ends where an operator begins, "" if
// there is none. It goes back word by word: past auxiliaries and adverbs, then
// through nouns and prepositions, until a determiner, a conjunction, a pronoun or
// the border of a clause.
func entityOf(left, sign string) string {
	tokens := strings.Fields(left)
	var phrase []string // the last word first
	if named := strings.TrimSuffix(sign, ":"); named != sign && strings.ContainsFunc(named, inKey) {
		phrase = append(phrase, named) // "server IP:" names what has the value itself
	}
	arrow := strings.HasSuffix(sign, "->") || strings.HasSuffix(sign, "→")
walk:
	for i := len(tokens) - 1; i >= 0 && len(phrase) < entityWords; i-- {
		w := bare(tokens[i])
		if len(phrase) > 0 && endsClause(tokens[i]) || w == "" && len(phrase) > 0 {
			break
		}
		switch kind := roleOf(w); {
		case len(phrase) == 0 && (w == "" && !endsClause(tokens[i]) || kind == auxiliary || kind == adverb):
		case len(phrase) == 0 && arrow && !strings.ContainsFunc(w, unicode.IsLetter):
			// The old value: "retries: 3 -> 5".
		case len(phrase) == 0 && endsClause(tokens[i]) && !(arrow && strings.HasSuffix(tokens[i], ":")):
			break walk
		case kind == breaker || kind == auxiliary:
			break walk
		case kind == determiner:
			if i == 0 || roleOf(bare(tokens[i-1])) != preposition {
				break walk
			}
		default:
			phrase = append(phrase, w)
		}
		if opensClause(tokens[i]) {
			break
		}
	}
	for n := len(phrase); n > 0 && roleOf(phrase[n-1]) != noun; n-- {
		phrase = phrase[:n-1]
	}
	if sign == "=" && len(phrase) > 0 && !strings.ContainsFunc(phrase[0], unicode.IsLetter) {
		return "" // an equation: "5 x 8 = 40"
	}
	slices.Reverse(phrase)
	entity := strings.Join(phrase, " ")
	if !strings.ContainsFunc(entity, unicode.IsLetter) {
		return ""
	}
	return entity
}

// valueOf returns the words from an operator to the end of the clause.
func valueOf(right string) string {
	var value []string
	tokens := strings.Fields(right)
	for i, token := range tokens {
		w := strings.TrimFunc(token, valueEdge)
		kind := roleOf(bare(token))
		if len(value) > 0 && (kind == breaker && !joins(tokens[i:]) || isDash(token)) {
			break
		}
		if strings.ContainsFunc(w, inKey) {
			value = append(value, w)
		}
		if len(value) == valueWords || len(value) > 0 && endsClause(token) {
			break
		}
	}
	return strings.Join(value, " ")
}

// joins reports whether a conjunction continues a value, "red and blue", rather
// than begin another clause, "80 and the host is down".
func joins(tokens []string) bool {
	switch bare(tokens[0]) {
	case "and", "or", "than":
	default:
		return false
	}
	return len(tokens) > 1 && roleOf(bare(tokens[1])) == noun
}

// bare returns a word in lower case without the punctuation around it.
func bare(token string) string {
	return strings.ToLower(strings.TrimFunc(token, func(r rune) bool { return !inKey(r) && r != '_' }))
}

// valueEdge reports whether a character around a value doesn't belong to it.
func valueEdge(r rune) bool {
	switch r {
	case '-', '+', '_', '/', '~', '#', '@', '*', '&':
		return false
	}
	return !inKey(r) && !unicode.IsSymbol(r) && r != '%' && r != '‰' || r == '`'
}

// endsClause reports whether nothing after a token belongs to the same clause.
func endsClause(token string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(token, "\"'”’`*_"))
	switch last {
	case ',', ';', ':', ')', ']', '.', '!', '?', '…', '，', '；', '：', '、', '。', '）', '」':
		return true
	}
	return isDash(token)
}

// opensClause reports whether nothing before a token belongs to the same clause.
func opensClause(token string) bool {
	first, _ := utf8.DecodeRuneInString(token)
	switch first {
	case '(', '[', '（', '「':
		return true
	}
	return false
}

// isDash reports whether a token parts clauses: "-", "--", "–", "—", "|".
func isDash(token string) bool {
	return token != "" && strings.Trim(token, "-–—―|•") == ""
}
