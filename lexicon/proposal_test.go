// This file tests which proposals are taken, and how their reasons read.

package lexicon

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestProposalValidate(t *testing.T) {
	for _, p := range []Proposal{
		{Sort: Term, Pattern: "deploy", Weight: MaxWeight},
		{Sort: Term, Pattern: "c++", Weight: 1e-300},
		{Sort: Affirmation, Pattern: "yes!", Rationale: "\x00", SourceIDs: []string{""}},
		{Sort: Negation, Pattern: "ダメ"},
	} {
		if err := p.Validate(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for _, tt := range []struct {
		p   Proposal
		say string
	}{
		{Proposal{}, `sort ""`},
		{Proposal{Sort: Signal, Pattern: "x"}, `sort "signal"`},
		{Proposal{Sort: Term, Pattern: "x"}, "(0, 1.5]"},
		{Proposal{Sort: Term, Pattern: "x", Weight: math.NaN()}, "NaN"},
		{Proposal{Sort: Term, Pattern: " ", Weight: 1}, "blank"},
		{Proposal{Sort: Negation, Pattern: "x", Weight: 0.5}, "only terms"},
		{Proposal{Sort: Affirmation, Pattern: "x", Weight: math.NaN()}, "only terms"},
		{Proposal{Sort: Affirmation, Pattern: "…"}, "no letter"},
		{Proposal{Sort: Affirmation, Pattern: "a\x80"}, "not UTF-8"},
	} {
		if err := tt.p.Validate(); !errors.Is(err, ErrProposal) || !strings.Contains(err.Error(), tt.say) {
			t.Errorf("%+v: %v", tt.p, err)
		}
	}
}

func TestProposalComment(t *testing.T) {
	for _, tt := range []struct {
		rationale string
		sources   []string
		want      string
	}{
		{"", nil, ""},
		{"why", nil, "why"},
		{" why ", []string{"a", "b"}, "why (from a, b)"},
		{" \n", []string{"a"}, "from a"},
	} {
		if got := (Proposal{Rationale: tt.rationale, SourceIDs: tt.sources}).comment(); got != tt.want {
			t.Errorf("%q, %q: %q", tt.rationale, tt.sources, got)
		}
	}
}

func TestProposalJSON(t *testing.T) {
	const text = `{"sort":"term","pattern":"deploy","weight":0.5,"rationale":"why","source_ids":["a"]}`
	var p Proposal
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(p); err != nil || string(got) != text {
		t.Errorf("%s, %v", got, err)
	}
}
