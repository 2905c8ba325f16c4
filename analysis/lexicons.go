// This file decides which words and phrases tell the categories apart, and how
// they are looked up.

package analysis

import (
	"cmp"
	"slices"
	"strings"
)

// Lists are the words that Classify looks for. A member is a word or a phrase;
// case, apostrophes and other punctuation don't matter ("Don’t" is "dont"), but
// for StateOperators that hold a sign: those are found as they are written. The
// text is never searched for a part of a word. An empty list matches nothing, so
// that its category is never given.
type Lists struct {
	Negations     []string // of Corrective
	Comparisons   []string // of Decisive, with Causes
	Causes        []string
	Confirmations []string // of Reinforcing
	// StateOperators, of Stateful, stand between an entity and its value.
	StateOperators []string
}

// DefaultLists returns the English lists, for callers who want to add to them.
// "is" alone is no state operator: nearly every sentence has it.
func DefaultLists() *Lists {
	return &Lists{
		Negations: []string{
			"not", "no", "never", "neither", "nor", "none", "nothing", "nowhere", "nobody", "without", "cannot",
			"don't", "doesn't", "didn't", "won't", "wouldn't", "can't", "couldn't", "shouldn't", "isn't", "aren't",
			"wasn't", "weren't", "haven't", "hasn't", "hadn't", "mustn't", "needn't", "mightn't", "shan't", "ain't",
			"no longer", "no more", "wrong", "incorrect", "incorrectly", "untrue", "mistaken", "mistakenly",
		},
		Comparisons: []string{
			"better", "worse", "over", "instead", "rather", "versus", "vs", "compared", "alternative", "option",
			"prefer", "prefers", "preferred", "choose", "chose", "chosen", "picked", "selected", "decided", "replaced",
			"switched", "migrated", "upgraded", "downgraded", "faster", "slower", "simpler", "cheaper", "safer",
			"superior", "inferior", "outperforms", "went with", "opted for", "settled on", "moved from", "as opposed to",
		},
		Causes: []string{
			"because", "since", "reason", "therefore", "hence", "thus", "consequently", "due to", "owing to", "thanks to",
			"caused by", "so that", "as a result", "which means", "which is why", "that's why", "in order to", "leads to",
			"led to", "given that", "on account of", "for this reason", "the reason is", "this is because",
		},
		Confirmations: []string{
			"yes", "yep", "yeah", "perfect", "correct", "exactly", "precisely", "absolutely", "indeed", "good", "great",
			"right", "agree", "agreed", "confirm", "confirmed", "approved", "lgtm", "that works", "makes sense",
		},
		StateOperators: []string{
			"=", ":=", "->", "→", "IP:", "port:", "set to", "changed to", "updated to", "now uses",
			"is now", "is set to", "is changed to", "is updated to",
		},
	}
}

// listKind tells which list a marker comes from.
type listKind uint8

const (
	negation listKind = iota
	comparison
	cause
	confirmation
	stateOperator
)

// marker is a member of a list, without its first word.
type marker struct {
	list listKind
	id   int32 // place in the list, of equal members the first
	rest []string
}

// vocabulary finds the members of all lists in one pass over the words.
type vocabulary struct {
	byFirst map[string][]marker
	signs   []string // state operators with a sign, lower-cased, longest first
	starts  [256]bool
}

func newVocabulary(lists *Lists) *vocabulary {
	if lists == nil {
		lists = DefaultLists()
	}
	v := &vocabulary{byFirst: map[string][]marker{}}
	for kind, members := range [][]string{
		negation: lists.Negations, comparison: lists.Comparisons, cause: lists.Causes,
		confirmation: lists.Confirmations, stateOperator: lists.StateOperators,
	} {
		for id, member := range members {
			v.add(listKind(kind), int32(id), member)
		}
	}
	slices.SortStableFunc(v.signs, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return v
}

func (v *vocabulary) add(kind listKind, id int32, member string) {
	member = strings.TrimSpace(member)
	if kind == stateOperator && hasSign(member) {
		v.addSign(strings.ToLower(member))
		return
	}
	var s wordScanner
	s.scan(member)
	if len(s.words) == 0 {
		return
	}
	m := marker{list: kind, id: id}
	for i := range s.words[1:] {
		m.rest = append(m.rest, s.key(i+1))
	}
	first := s.key(0)
	known := func(o marker) bool { return o.list == kind && slices.Equal(o.rest, m.rest) }
	if !slices.ContainsFunc(v.byFirst[first], known) {
		v.byFirst[first] = append(v.byFirst[first], m)
	}
}

func (v *vocabulary) addSign(sign string) {
	if slices.Contains(v.signs, sign) {
		return
	}
	v.signs = append(v.signs, sign)
	v.starts[sign[0]] = true
	if c := sign[0]; 'a' <= c && c <= 'z' {
		v.starts[c-'a'+'A'] = true
	}
}

// hasSign reports whether a state operator holds what words never do.
func hasSign(member string) bool {
	return strings.ContainsFunc(member, func(r rune) bool {
		return !inKey(r) && r != ' ' && r != '-' && !isQuoteMark(r)
	})
}

// follows reports whether the rest of a marker stands from word i on.
func (m *marker) follows(s *wordScanner, i int) bool {
	if i+len(m.rest) > len(s.words) {
		return false
	}
	for k, want := range m.rest {
		if s.key(i+k) != want {
			return false
		}
	}
	return true
}
