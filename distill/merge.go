// Joining the memories of several chunks into one.

package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Merge joins the memories of consecutive chunks of one transcript, oldest
// first, within the limits of [Cap]; no parts give the empty memory.
//
// Facts stand in the order of the parts. Of facts with the same kind and the
// same text but for case, blanks and punctuation at the end, the first is kept;
// empty ones are dropped. When there are more than MaxFacts, places are given out
// in rounds: in each the parts, from the newest to the oldest, may place their
// next fact that isn't placed yet. So every part keeps its first facts, and where
// places don't suffice for a whole round, it is the oldest parts that go without.
//
// Summaries that aren't empty are joined by a blank line. When they are longer
// than MaxSummaryChars together, that is shared out: a summary within an equal
// share stays whole, and what it leaves is shared by the others; those are cut at
// the end of a cluster. When that would leave less than 64 chars for each, the
// oldest summaries are left out.
//
// The parts aren't changed. Like Cap, Merge wants texts that are scrubbed.
func Merge(parts ...DistilledMemory) DistilledMemory {
	return Cap(DistilledMemory{Summary: mergeSummaries(parts), Facts: mergeFacts(parts)})
}

// identity is what makes two facts the same.
type identity struct {
	kind Kind
	text string
}

// identify returns the identity of a fact, with an empty text when nothing is in
// it.
func identify(fact Fact) identity {
	words := strings.Join(strings.Fields(fold(fact.Text)), " ")
	text := strings.TrimRightFunc(words, func(r rune) bool { return unicode.IsPunct(r) || r == ' ' })
	if text == "" {
		text = words
	}
	return identity{fact.Kind, text}
}

// mergeFacts implements the rule of Merge on facts.
func mergeFacts(parts []DistilledMemory) []Fact {
	var unique []Fact
	number := map[identity]int{} // in unique
	lists := make([][]int, len(parts))
	for i, part := range parts {
		for _, fact := range part.Facts {
			key := identify(fact)
			if key.text == "" {
				continue
			}
			n, seen := number[key]
			if !seen {
				n = len(unique)
				number[key] = n
				unique = append(unique, fact)
			}
			lists[i] = append(lists[i], n)
		}
	}
	if len(unique) <= MaxFacts {
		return unique
	}
	placed := places(lists, len(unique))
	kept := make([]Fact, 0, MaxFacts)
	for n, fact := range unique {
		if placed[n] {
			kept = append(kept, fact)
		}
	}
	return kept
}

// places gives MaxFacts places to the n > MaxFacts facts that the lists name by
// number, in rounds from the last list to the first.
func places(lists [][]int, n int) []bool {
	placed := make([]bool, n)
	for left := MaxFacts; left > 0; {
		for i := len(lists) - 1; i >= 0 && left > 0; i-- {
			for len(lists[i]) > 0 {
				next := lists[i][0]
				lists[i] = lists[i][1:]
				if !placed[next] {
					placed[next] = true
					left--
					break
				}
			}
		}
	}
	return placed
}

const (
	blankLine = "\n\n"
	// minShare is the least of a summary, in chars, that is worth its place.
	minShare = 64
)

// mergeSummaries implements the rule of Merge on summaries.
func mergeSummaries(parts []DistilledMemory) string {
	var texts []string
	total := -len(blankLine)
	for _, part := range parts {
		if strings.TrimSpace(part.Summary) != "" {
			texts = append(texts, part.Summary)
			total += utf8.RuneCountInString(part.Summary) + len(blankLine)
		}
	}
	if total <= MaxSummaryChars || len(texts) == 1 {
		return strings.Join(texts, blankLine)
	}
	const most = (MaxSummaryChars + len(blankLine)) / (minShare + len(blankLine))
	texts = texts[max(0, len(texts)-most):]
	share := fairShare(texts, MaxSummaryChars-(len(texts)-1)*len(blankLine))
	kept := texts[:0]
	for _, text := range texts {
		if text = strings.TrimRightFunc(cut(text, share), unicode.IsSpace); text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, blankLine)
}

// fairShare returns the greatest limit such that the texts, each cut to it, have
// at most budget chars together.
func fairShare(texts []string, budget int) int {
	lengths := make([]int, len(texts))
	for i, text := range texts {
		lengths[i] = utf8.RuneCountInString(text)
	}
	share, left := 0, len(lengths)
	for left > 0 {
		share = budget / left
		whole := 0
		for i, n := range lengths {
			if n >= 0 && n <= share {
				budget -= n
				lengths[i] = -1
				whole++
			}
		}
		if whole == 0 {
			break
		}
		left -= whole
	}
	return share
}
