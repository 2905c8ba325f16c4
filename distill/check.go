// Whether what a model answered can stem from the transcript.

package distill

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// DefaultMinOverlap is the share of a fact's content words that must be in the
// transcript.
const DefaultMinOverlap = 0.5

// runaway is how many times its cap a text may have before it is taken for
// babble rather than cut.
const runaway = 4

// echoWords is the number of words in a row that only a copy shares with the
// instructions.
const echoWords = 6

// CheckOptions are the settings of [Check]. The zero value checks all.
type CheckOptions struct {
	// Off lets everything pass.
	Off bool
	// KeepUnsupported leaves out the comparison with the transcript (ReasonWords,
	// ReasonNumber, ReasonName).
	KeepUnsupported bool
	// MinOverlap is the least share of content words, 0 to 1; 0 is
	// DefaultMinOverlap, negative no least share.
	MinOverlap float64
	// Prompts are further texts that the model was given and must not repeat, such
	// as a schema. SystemPrompt is always among them.
	Prompts []string
}

// Check parts what can have come out of a transcript from what a model made up
// or was talked into, and returns the rest of m in its order. transcript is the
// text as the model got it, without delimiters. What fails is reported, at most
// once, with the first reason of these:
//
//   - ReasonKind, ReasonEmpty: a kind that isn't one of Kinds, no text.
//   - ReasonSize: the fact is one of more than MaxFacts, or four times longer than
//     MaxFactChars; shorter ones are left for [Clean] to cut once it has scrubbed.
//   - ReasonEcho: the text holds the delimiter, or six words in a row from the
//     instructions that aren't in the transcript.
//   - ReasonNumber: a number isn't in the transcript. 10,000, 10000 and 10k are one
//     number, and so are 3 and three.
//   - ReasonName: a name isn't in the transcript. Names are words with a capital
//     inside of a sentence, words with a capital that isn't their first letter, and
//     a sentence's first word before what only persons do ("… prefers"). In
//     languages that write all nouns with capitals, none are names.
//   - ReasonWords: less than MinOverlap of the fact's different content words are in
//     the transcript. Content words are those that [analysis.Tokenizer] keeps but
//     for words about conversations ("user", "prefers", "decided"). Case and accents
//     don't matter, and a word counts as found if one with the same beginning is
//     there: four chars and two thirds of it. Chinese and Japanese count by pairs of
//     chars, without pairs that have hiragana in them.
//
// The summary must not be an echo or four times longer than MaxSummaryChars, and
// half of MinOverlap suffices for it; numbers and names in it aren't looked at. If it
// fails, kept has an empty one.
//
// The comparison can't tell who said or denied something, and a true fact in
// other words than the transcript's, or in another language, fails it. Time is
// linear in the transcript but for sorting its words. Pure.
func Check(m DistilledMemory, transcript string, o CheckOptions) (kept DistilledMemory, dropped []Dropped) {
	if o.Off {
		return m, nil
	}
	if o.MinOverlap == 0 {
		o.MinOverlap = DefaultMinOverlap
	}
	c := newChecker(transcript, o)
	kept.Summary = m.Summary
	if reason, detail := c.summary(m.Summary); reason != "" {
		kept.Summary = ""
		dropped = append(dropped, Dropped{Index: -1, Fact: Fact{Text: m.Summary}, Reason: reason, Detail: detail})
	}
	for i, fact := range m.Facts {
		reason, detail := c.fact(fact)
		if reason == "" && len(kept.Facts) == MaxFacts {
			reason, detail = ReasonSize, fmt.Sprintf("more than %d facts", MaxFacts)
		}
		if reason != "" {
			dropped = append(dropped, Dropped{Index: i, Fact: fact, Reason: reason, Detail: detail})
			continue
		}
		kept.Facts = append(kept.Facts, fact)
	}
	return kept, dropped
}

// checker judges texts against one transcript.
type checker struct {
	o        CheckOptions
	code     string              // in the delimiter
	evidence *evidence           // nil if unsupported facts are kept
	prompts  map[string]struct{} // runs of echoWords words
	words    string              // of the transcript, each between spaces
}

func newChecker(transcript string, o CheckOptions) *checker {
	c := &checker{o: o, code: codeFor(transcript), prompts: map[string]struct{}{}}
	words := allWords(transcript)
	c.words = " " + strings.Join(words, " ") + " "
	if !o.KeepUnsupported {
		c.evidence = newEvidence(transcript, words)
	}
	for _, prompt := range append([]string{systemPrompt}, o.Prompts...) {
		for run := range runs(prompt) {
			c.prompts[run] = struct{}{}
		}
	}
	return c
}

// runs yields the runs of echoWords words in a text.
func runs(text string) func(yield func(string) bool) {
	words := allWords(text)
	return func(yield func(string) bool) {
		for i := 0; i+echoWords <= len(words); i++ {
			if !yield(strings.Join(words[i:i+echoWords], " ")) {
				return
			}
		}
	}
}

func (c *checker) fact(fact Fact) (Reason, string) {
	switch {
	case !fact.Kind.Valid():
		return ReasonKind, fmt.Sprintf("%.40q is not a kind", string(fact.Kind))
	case strings.TrimSpace(fact.Text) == "":
		return ReasonEmpty, "no text"
	}
	if reason, detail := c.form(fact.Text, MaxFactChars); reason != "" {
		return reason, detail
	}
	if c.evidence == nil {
		return "", ""
	}
	if number, ok := c.evidence.numbersIn(fact.Text); !ok {
		return ReasonNumber, fmt.Sprintf("%.40q is not in the transcript", number)
	}
	if name, ok := c.evidence.namesIn(fact.Text); !ok {
		return ReasonName, fmt.Sprintf("%.40q is not in the transcript", name)
	}
	return c.overlap(fact.Text, c.o.MinOverlap)
}

func (c *checker) summary(text string) (Reason, string) {
	reason, detail := c.form(text, MaxSummaryChars)
	if reason == "" && c.evidence != nil {
		reason, detail = c.overlap(text, c.o.MinOverlap/2)
	}
	return reason, detail
}

// form judges a text by itself.
func (c *checker) form(text string, limit int) (Reason, string) {
	if n := utf8.RuneCountInString(text); n > runaway*limit {
		return ReasonSize, fmt.Sprintf("%d chars", n)
	}
	for _, mark := range []string{strings.TrimSpace(delimiterOpen), strings.TrimSpace(delimiterWord) + delimiterShut, c.code} {
		if strings.Contains(text, mark) {
			return ReasonEcho, "holds the delimiter"
		}
	}
	for run := range runs(text) {
		if _, found := c.prompts[run]; found && !strings.Contains(c.words, " "+run+" ") {
			return ReasonEcho, fmt.Sprintf("repeats the instructions: %q", run)
		}
	}
	return "", ""
}

// overlap demands that a share of the content words is in the transcript.
func (c *checker) overlap(text string, least float64) (Reason, string) {
	content := contentWords(text)
	found := 0
	for _, word := range content {
		if c.evidence.has(word) {
			found++
		}
	}
	if float64(found) < float64(least*float64(len(content))) {
		return ReasonWords, fmt.Sprintf("%d of %d words are in the transcript", found, len(content))
	}
	return "", ""
}

// evidence is what a transcript holds, to be looked up.
type evidence struct {
	words   map[string]bool
	sorted  []string // the same, longer than their script's shortest beginning
	numbers map[string]bool
	names   bool // capitals inside of a sentence mean names
}

func newEvidence(transcript string, words []string) *evidence {
	e := &evidence{words: make(map[string]bool, len(words)), names: !writesNounsLarge(words)}
	for _, word := range words {
		e.words[word] = true
	}
	e.numbers = numbersOf(transcript, words)
	for word := range e.words {
		e.sorted = append(e.sorted, word)
	}
	slices.Sort(e.sorted)
	return e
}

// has reports whether a word, or one with the same beginning, is there.
func (e *evidence) has(word string) bool {
	if e.words[word] {
		return true
	}
	least := shortestBeginning(word)
	chars := []rune(word)
	if len(chars) < least {
		return false
	}
	if n := (2*len(chars) + 2) / 3; e.hasBeginning(string(chars[:max(least, n)])) {
		return true
	}
	for n := len(chars) - 1; n >= max(least, len(chars)/3); n-- {
		if e.words[string(chars[:n])] {
			return true
		}
	}
	return false
}

// hasBeginning reports whether a word begins that way.
func (e *evidence) hasBeginning(prefix string) bool {
	i, _ := slices.BinarySearch(e.sorted, prefix)
	return i < len(e.sorted) && strings.HasPrefix(e.sorted[i], prefix)
}

// numbersIn returns the first number in a text that isn't in the transcript.
func (e *evidence) numbersIn(text string) (number string, ok bool) {
	for _, n := range digitsOf(text) {
		if !slices.ContainsFunc(n.forms, func(form string) bool { return e.numbers[form] }) && !n.allParts(e.numbers) {
			return n.text, false
		}
	}
	for _, word := range allWords(text) {
		if value, counts := countWord(word); counts && !e.numbers[value] {
			return word, false
		}
	}
	return "", true
}

// namesIn returns the first name in a text that isn't in the transcript.
func (e *evidence) namesIn(text string) (name string, ok bool) {
	for _, name := range namesOf(text, e.names) {
		for _, word := range allWords(name) {
			if !e.has(word) {
				return name, false
			}
		}
	}
	return "", true
}
