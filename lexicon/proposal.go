// This file decides what may be added to a lexicon file, and how the reason for it
// reads there.

package lexicon

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrProposal says that a proposal can't be taken over. The message, and the
// *WeightError or *PatternError that it wraps, say why.
var ErrProposal = errors.New("lexicon: invalid proposal")

// Proposal is a term or pattern that a person or a program wants a lexicon to
// have, with the reason why.
type Proposal struct {
	Sort    Sort   `json:"sort"` // Term, Affirmation or Negation
	Pattern string `json:"pattern"`
	// Weight is that of a term, in (0, MaxWeight]. Patterns have fixed amounts:
	// their Weight is 0.
	Weight float64 `json:"weight,omitempty"`
	// Rationale says why, in any text; line breaks become blanks.
	Rationale string `json:"rationale,omitempty"`
	// SourceIDs are the ids of the entries that it was derived from.
	SourceIDs []string `json:"source_ids,omitempty"`
}

// Validate returns nil if a lexicon file can take the proposal and will load
// with it, and an error that matches ErrProposal if not.
func (p Proposal) Validate() error {
	_, err := p.check()
	return err
}

// check validates the proposal and returns the folded form of its pattern.
func (p Proposal) check() (key string, err error) {
	switch {
	case p.Sort != Term && p.Sort != Affirmation && p.Sort != Negation:
		err = fmt.Errorf("the sort %q is none of %s, %s and %s", p.Sort, Term, Affirmation, Negation)
	case !utf8.ValidString(p.Pattern):
		err = &PatternError{Sort: p.Sort, Pattern: p.Pattern, Reason: "is not UTF-8"}
	case p.Sort == Term:
		err = checkWeight(p.Pattern, p.Weight)
	case p.Weight != 0: // NaN as well
		err = fmt.Errorf("%s %q has the weight %v; only terms have one", p.Sort, shortened(p.Pattern), p.Weight)
	}
	if err == nil {
		key, err = checkPattern(p.Sort, p.Pattern)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrProposal, err)
	}
	return key, nil
}

// spelling returns the pattern as it is written.
func (p Proposal) spelling() string { return strings.TrimSpace(p.Pattern) }

// comment returns what is written behind the pattern.
func (p Proposal) comment() string {
	sources := strings.Join(p.SourceIDs, ", ")
	switch {
	case len(p.SourceIDs) == 0:
		return p.Rationale
	case strings.TrimSpace(p.Rationale) == "":
		return "from " + sources
	}
	return strings.TrimSpace(p.Rationale) + " (from " + sources + ")"
}
