// What stands around an entity and its value, and what a plain "is" may give a value.

package distill

import (
	"slices"
	"strings"
	"unicode"

	"github.com/contextforge-go/contextforge/analysis"
)

// front is what stands before an entity in its sentence.
type front struct {
	words      []string // bare, without the determiner
	determiner string   // the word directly before the entity, if it is one
}

// determiners begin the name of something.
var determiners = []string{
	"the", "our", "my", "your", "his", "her", "its", "their", "this", "that", "these", "those", "a", "an", "some", "any", "each", "every",
	"all", "both", "another", "either", "such",
}

// bareWord returns a word in lower case without the punctuation around it.
func bareWord(token string) string {
	word := strings.TrimFunc(token, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '_'
	})
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// frontOf finds an entity in a sentence, the words of which may have determiners
// between them.
func frontOf(sentence, entity string) (f front, ok bool) {
	var tokens []string
	for token := range strings.FieldsSeq(sentence) {
		tokens = append(tokens, bareWord(token))
	}
	var wanted []string
	for token := range strings.FieldsSeq(entity) {
		wanted = append(wanted, bareWord(token))
	}
	for start := range tokens {
		if len(wanted) == 0 || !beginsWith(tokens[start:], wanted) {
			continue
		}
		f.words = tokens[:start]
		if start > 0 && slices.Contains(determiners, tokens[start-1]) {
			f.words, f.determiner = tokens[:start-1], tokens[start-1]
		}
		return f, true
	}
	return front{}, false
}

// beginsWith reports whether tokens begin with the wanted words, but for
// determiners in between.
func beginsWith(tokens, wanted []string) bool {
	for i, token := range tokens {
		switch {
		case token == wanted[0]:
			if wanted = wanted[1:]; len(wanted) == 0 {
				return true
			}
		case i == 0 || token != "" && !slices.Contains(determiners, token):
			return false
		}
	}
	return false
}

// elsewhere reports whether what comes before makes the statement one about a
// place, or somebody's opinion: "On staging the port …", "Ben thinks the port …".
func (f front) elsewhere() bool {
	words := f.words
	if len(words) >= 3 && words[0] == "by" && words[1] == "the" && words[2] == "way" {
		words = words[3:]
	}
	for i, word := range words {
		if slices.Contains(opining, word) || slices.Contains(placing, word) && (i == 0 || i == 1 && slices.Contains(openers, words[0])) {
			return true
		}
	}
	return false
}

// opining are words behind which something is thought rather than known.
var opining = []string{
	"think", "thinks", "thought", "believe", "believes", "believed", "guess", "guesses", "hope", "hopes", "wish", "wishes", "want", "wants",
	"assume", "assumes", "assumed", "expect", "expects", "suppose", "claims", "doubt", "doubts", "if", "unless", "when", "whether",
}

// placing are words that a place begins with.
var placing = []string{"on", "in", "at", "for", "under", "inside", "within", "with", "via"}

// openers stand in front of a sentence and don't change what it says.
var openers = []string{
	"and", "but", "so", "ok", "okay", "yes", "also", "well", "now", "fyi", "btw", "note", "that", "remember", "actually", "by", "the", "way",
	"just", "to", "be", "clear", "for", "your", "information", "then", "as", "agreed", "heads", "up", "reminder", "update",
}

// definite reports whether the entity is one particular thing.
func (f front) definite() bool {
	if len(f.words) > 0 && f.determiner == "" && slices.Contains([]string{"one", "two", "some", "many", "most", "several", "other", "few"}, f.words[len(f.words)-1]) {
		return false
	}
	return !slices.Contains([]string{"a", "an", "some", "any", "another", "either", "such"}, f.determiner)
}

// owned returns the entity with the one whose it is, "" if that can't be known.
func (f front) owned(entity, speaker string) string {
	switch f.determiner {
	case "your", "his", "her", "its", "their":
		return ""
	case "my":
		if speaker == "" {
			return "my " + entity
		}
		return strings.ToLower(strings.Join(strings.Fields(speaker), " ")) + "'s " + entity
	}
	first, _, _ := strings.Cut(entity, " ")
	if slices.Contains([]string{"one", "another", "some", "other", "many", "most", "several", "longer"}, first) {
		return ""
	}
	return entity
}

// denied reports whether the clause that the value stands in denies it.
func denied(sentence, value string) bool {
	at := strings.Index(sentence, value)
	if at < 0 {
		return false
	}
	clause := sentence[:at]
	clause = clause[strings.LastIndexAny(clause, ",;:")+1:]
	for token := range strings.FieldsSeq(clause) {
		switch word := bareWord(token); {
		case word == "not", word == "never", word == "no", word == "neither", word == "nor", word == "hardly", strings.HasSuffix(word, "n't"):
			return true
		}
	}
	return false
}

// placed moves a place from the end of a value to the entity: "80 on staging" of
// "port" is "80" of "port on staging".
func placed(value, entity string) (string, string) {
	words := strings.Fields(value)
	for i := 1; i+1 < len(words); i++ {
		next := words[i+1]
		if !slices.Contains(placing, words[i]) ||
			strings.ContainsFunc(next, unicode.IsDigit) || senses()[bareWord(next)]&calendar != 0 || months[bareWord(next)] != "" {
			continue
		}
		var place []string
		for _, word := range words[i:] {
			if word = bareWord(word); word != "" && !slices.Contains(determiners, word) {
				place = append(place, word)
			}
		}
		return strings.Join(words[:i], " "), entity + " " + strings.Join(place, " ")
	}
	return value, entity
}

// plainly returns the claim of a sentence with a plain "is", if its value is of a
// sort that few things have two of.
func plainly(text, speaker string) (Claim, bool) {
	if len(analysis.Sentences(text)) != 1 || newCueText(text).hasAny(hedges) {
		return Claim{}, false
	}
	left, right, ok := cutCopula(text)
	if !ok {
		return Claim{}, false
	}
	value := plainValue(right)
	if value == "" || sortOf(value) == "" {
		return Claim{}, false
	}
	found := analysis.Classify([]analysis.Passage{{Text: left + " is now " + value + "."}}, analysis.ClassifyConfig{})[0]
	front, ok := frontOf(left, found.Entity)
	if !ok || !front.bare() || !front.definite() || manyOf(found.Entity) {
		return Claim{}, false
	}
	entity := front.owned(found.Entity, speaker)
	if entity == "" {
		return Claim{}, false
	}
	return Claim{Entity: entity, Value: value, Plain: true}, true
}

// cutCopula parts a text at its only "is" or "are".
func cutCopula(text string) (left, right string, ok bool) {
	tokens := strings.Fields(text)
	at := -1
	for i, token := range tokens {
		switch bareWord(token) {
		case "is", "are":
			if at >= 0 {
				return "", "", false
			}
			at = i
		case "was", "were", "isn't", "aren't", "not", "never", "no", "will", "would", "than":
			return "", "", false
		}
	}
	if at < 1 || strings.ContainsAny(tokens[at-1], ",;:.!?)") {
		return "", "", false
	}
	return strings.Join(tokens[:at], " "), strings.Join(tokens[at+1:], " "), true
}

// plainValue returns the value that a text begins with, up to the end or to a
// reason; "" if something else follows.
func plainValue(right string) string {
	words := strings.Fields(right)
	for i, word := range words {
		if i > 0 && (word == "because" || word == "since" || word == "as") {
			words = words[:i]
			break
		}
	}
	value := strings.TrimRight(strings.Join(words, " "), ".!,;")
	if strings.ContainsAny(value, ",;()") && !groupedNumber(value) {
		return ""
	}
	return value
}

// groupedNumber reports whether the commas in a text stand between digits.
func groupedNumber(text string) bool {
	for i, r := range text {
		if strings.ContainsRune(",;()", r) && (r != ',' || i == 0 || i+1 == len(text) || !isDigitByte(text[i-1]) || !isDigitByte(text[i+1])) {
			return false
		}
	}
	return true
}

func isDigitByte(b byte) bool { return b >= '0' && b <= '9' }

// bare reports whether nothing comes before the entity that matters.
func (f front) bare() bool {
	for _, word := range f.words {
		if word != "" && !slices.Contains(openers, word) {
			return false
		}
	}
	return true
}

// manyOf reports whether an entity is called like many others, of which each has
// its value: "The ticket number is 4821." Nor are opinions and outcomes values of
// one thing.
func manyOf(entity string) bool {
	for word := range strings.FieldsSeq(entity) {
		switch strings.TrimSuffix(word, "s") {
		case "ticket", "order", "invoice", "case", "incident", "booking", "confirmation", "tracking", "reference", "error", "answer", "problem",
			"issue", "question", "example", "result", "point", "thing", "reason", "difference", "rest", "other", "one", "line", "step", "page",
			"bug", "pr", "commit", "receipt", "transaction", "payment":
			return true
		}
	}
	return false
}
