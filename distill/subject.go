// What a fact is about, so that a newer fact can replace it.

package distill

import (
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/analysis"
)

// Claim is what a fact gives a value.
type Claim struct {
	Entity, Value string
	// Plain says that nothing but "is" stands between the two, so that they may as
	// well be a thing and one of many things that can be said about it.
	Plain bool
}

// Subject returns what the text of a fact gives a value, and the value: the
// fields of [ClaimOf].
func Subject(text string) (entity, value string, ok bool) {
	c, ok := ClaimOf(text)
	return c.Entity, c.Value, ok
}

// ClaimOf returns what the text of a fact gives a value, by the rules of
// [analysis.Classify] and some more:
//
//   - A state ("The API port is now 81.") has the entity that the operator stands
//     behind ("api port") and the words after it ("81"). A place behind the value
//     belongs to the entity ("port on staging").
//   - A sentence that says with "is" or "are" that something is a number, with or
//     without a unit, a date with a number, a time of day, a version, or an address
//     ("The API port is 81.", "The release is on May 6.") has the same entity and
//     value as if it said "is now". It must be all of the text, and nothing but the
//     value, or a reason, may follow.
//   - A choice between two names with a reason ("We chose Postgres over MySQL
//     because …") has the two names as its entity, in alphabetic order and lower
//     case ("mysql | postgres"), and the chosen one as its value. The chosen one is
//     that before "over", "instead of", "rather than" or behind "to" after
//     "switched", "moved" and the like.
//
// "My" thing is that of who speaks: "Ana: My port …" is about "ana's port", as is
// "Ana's port …". Otherwise a speaker in front of the text doesn't matter.
//
// It errs on the side of false. It doesn't catch: the same thing under another
// name ("port", "API port"); what no operator and no plain value announces ("Ana
// moved to Berlin", "We're on version 3", "The lead is Ben"); preferences; a state
// that was denied or taken back ("no longer"); choices without a reason, or among
// three; "your", "her" and "their" things, as it doesn't know whose these are; one
// of several things ("a port", "another port"); what holds in a place that stands in
// front ("On staging the port …"), or in somebody's opinion; weekdays without a date,
// and numbers of things that there are many of, as tickets and orders, if only "is"
// announces them. In a text with several states only the first counts. An entity
// says nothing of its surroundings: "port" of one project equals "port" of another,
// so compare facts of one scope only. Pure.
func ClaimOf(text string) (c Claim, ok bool) {
	speaker := ""
	if l := labelOf(text); l.role != nobody {
		text, speaker = text[l.body:], l.name
	}
	text = strings.TrimSpace(text)
	if text == "" || asks(text) {
		return Claim{}, false
	}
	found := analysis.Classify([]analysis.Passage{{Text: text}}, analysis.ClassifyConfig{})[0]
	switch {
	case slices.Contains(found.Categories, analysis.Stateful) && found.Entity != "" && found.Value != "":
		return stated(text, speaker, found)
	case slices.Contains(found.Categories, analysis.Decisive) && found.Pair[1] != "":
		c.Entity, c.Value, ok = choice(text, found.Pair)
		return c, ok
	}
	return plainly(text, speaker)
}

// Rivals reports whether two claims are about the same, so that one can take the
// place of the other if their values differ. If one of them is plain, the values
// must be of one sort: a port that is 80 may also be open, and a meeting that is at
// nine may be on May 6. Sorts are numbers without a unit, numbers with units of one
// kind (sizes, durations, money, …), dates, times of day, and the sorts of
// addresses.
func (c Claim) Rivals(d Claim) bool {
	if c.Entity == "" || c.Entity != d.Entity {
		return false
	}
	sort := sortOf(c.Value)
	return !c.Plain && !d.Plain || sort != "" && sort == sortOf(d.Value)
}

// stated returns the claim of a state that package analysis found, unless it is
// about something else than it looks like.
func stated(text, speaker string, found analysis.Classified) (Claim, bool) {
	if newCueText(text).hasAny(hedges) {
		return Claim{}, false
	}
	c := Claim{Entity: found.Entity, Value: found.Value}
	for _, sentence := range analysis.Sentences(text) {
		front, ok := frontOf(sentence, found.Entity)
		if !ok {
			continue
		}
		if denied(sentence, found.Value) || front.elsewhere() || !front.definite() {
			return Claim{}, false
		}
		break
	}
	front, _ := frontOf(text, found.Entity)
	if c.Entity = front.owned(c.Entity, speaker); c.Entity == "" {
		return Claim{}, false
	}
	c.Value, c.Entity = placed(c.Value, c.Entity)
	return c, true
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
