// What a fact is about, so that a newer fact can replace it.

package distill

import (
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/analysis"
)

// Subject returns what the text of a fact gives a value, and the value, by the
// rules of [analysis.Classify]:
//
//   - A state ("The API port is now 81.") has the entity that the operator stands
//     behind ("api port") and the words after it ("81").
//   - A choice between two names with a reason ("We chose Postgres over MySQL
//     because …") has the two names as its entity, in alphabetic order and lower
//     case ("mysql | postgres"), and the chosen one as its value. The chosen one is
//     that before "over", "instead of", "rather than" or behind "to" after
//     "switched", "moved" and the like.
//
// Two facts with equal entities and different values contradict each other, and the
// newer may be taken to replace the older. A speaker in front of the text doesn't
// matter. ok is false if the text has no such subject.
//
// It errs on the side of false. It doesn't catch: the same thing under another
// name ("port", "API port"); what no operator announces ("Ana moved to Berlin",
// "We're on version 3"); preferences; a state that was denied or taken back ("no
// longer"); choices without a reason, or among three. In a text with several
// states only the first counts. An entity says nothing of its surroundings: "port"
// of one project equals "port" of another, so compare facts of one scope only. Pure.
func Subject(text string) (entity, value string, ok bool) {
	if l := labelOf(text); l.role != nobody {
		text = text[l.body:]
	}
	text = strings.TrimSpace(text)
	if text == "" || asks(text) {
		return "", "", false
	}
	c := analysis.Classify([]analysis.Passage{{Text: text}}, analysis.ClassifyConfig{})[0]
	switch {
	case slices.Contains(c.Categories, analysis.Stateful) && c.Entity != "" && c.Value != "":
		if newCueText(text).hasAny(hedges) {
			return "", "", false
		}
		return c.Entity, c.Value, true
	case slices.Contains(c.Categories, analysis.Decisive) && c.Pair[1] != "":
		return choice(text, c.Pair)
	}
	return "", "", false
}

// choice tells which of a pair a text chooses.
func choice(text string, pair [2]string) (entity, value string, ok bool) {
	words := newCueText(text).words
	a, b := newCueText(pair[0]).words, newCueText(pair[1]).words
	if a == b || strings.TrimSpace(a) == "" || strings.TrimSpace(b) == "" {
		return "", "", false
	}
	first, second := strings.Index(words, a), strings.Index(words, b)
	if first < 0 || second < 0 {
		return "", "", false
	}
	if first > second {
		a, b, first, second = b, a, second, first
		pair[0], pair[1] = pair[1], pair[0]
	}
	between := words[min(first+len(a)-1, second) : second+1]
	before := words[:first+1]
	names := []string{strings.TrimSpace(a), strings.TrimSpace(b)}
	slices.Sort(names)
	entity = strings.Join(names, " | ")
	cue := cueText{words: between}
	switch {
	case cue.hasAny([]string{"over", "instead of", "rather than", "not", "and not"}):
		return entity, pair[0], true
	case cue.hasAny([]string{"to", "with", "by"}) && (cueText{words: before}).hasAny([]string{"from", "switched", "moved", "migrated", "replaced", "replace"}):
		return entity, pair[1], true
	}
	return "", "", false
}
