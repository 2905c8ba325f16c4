package main

// This file decides which lexicons say what matters to a query.

import (
	"fmt"
	"strings"

	"github.com/contextforge-go/contextforge/lexicon"
)

// noLexicon is the name that leaves out the English lexicon.
const noLexicon = "none"

// scorerOf returns the scorer of the lexicon files, nil for the library's own.
func scorerOf(names []string) (lexicon.Scorer, error) {
	var files []string
	for _, name := range names {
		if name != noLexicon {
			files = append(files, name)
		}
	}
	var scorer lexicon.Scorer
	if len(files) > 0 {
		loaded, err := lexicon.Load(files...)
		if err != nil {
			return nil, lexiconError(err)
		}
		scorer = loaded
	}
	if len(files) < len(names) {
		return lexicon.Only(scorer), nil
	}
	return scorer, nil
}

// mostMatched is the number of matches that an explanation names.
const mostMatched = 8

// matched names what made a boost, in the order in which it stands in the text.
func matched(matches []lexicon.Match) string {
	var b strings.Builder
	for i, m := range matches {
		if i == mostMatched {
			fmt.Fprintf(&b, ", and %d more", len(matches)-i)
			break
		}
		fmt.Fprintf(&b, "%s%s %+.3g", []string{": ", ", "}[min(i, 1)], visible(m.Pattern), m.Amount)
	}
	return b.String()
}
