// Settings: what is off, what is allowed, rules of the user in Go and in TOML.

package scrub

import (
	"errors"
	"strings"
	"testing"
)

func TestOff(t *testing.T) {
	text := "a " + awsKey(16) + " b " + githubToken(36) + " c " + "github" + "_pat_" + filler(40)
	tests := []struct {
		name string
		off  []string
		want string
	}{
		{"nothing", nil, "a " + redacted("aws-key") + " b " + redacted("github-token") + " c " + redacted("github-token")},
		{"by name", []string{"github-token"}, "a " + redacted("aws-key") + " b " + githubToken(36) + " c " + "github" + "_pat_" + filler(40)},
		{"one of a label", []string{"github-fine-grained-token"}, "a " + redacted("aws-key") + " b " + redacted("github-token") + " c " + "github" + "_pat_" + filler(40)},
		{"by label", []string{"aws-key"}, "a " + awsKey(16) + " b " + redacted("github-token") + " c " + redacted("github-token")},
	}
	for _, tt := range tests {
		if got, _ := mustNew(t, Options{Off: tt.off}).Scrub(text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := New(Options{Off: []string{"no-such-rule"}}); !errors.Is(err, ErrRule) {
		t.Errorf("unknown rule: %v", err)
	}
}

func TestAllow(t *testing.T) {
	secret := awsKey(16)
	text := "key " + secret + " and " + githubToken(36) + ", Bearer " + filler(30) + ", password=\"hunter2Xy!\""
	tests := []struct {
		name string
		o    Options
		kept []string
	}{
		{"exact", Options{Allow: []string{secret}}, []string{secret}},
		{"bearer without keyword", Options{Allow: []string{filler(30)}}, []string{"Bearer " + filler(30)}},
		{"bearer with keyword", Options{Allow: []string{"Bearer " + filler(30)}}, []string{"Bearer " + filler(30)}},
		{"without quotes", Options{Allow: []string{"hunter2Xy!"}}, []string{"hunter2Xy!"}},
		{"part of it", Options{Allow: []string{secret[:10]}}, nil},
		{"function", Options{AllowFunc: func(rule, value string) bool { return rule == "github-token" && value == githubToken(36) }}, []string{githubToken(36)}},
	}
	for _, tt := range tests {
		s := mustNew(t, tt.o)
		got, found := s.Scrub(text)
		for _, k := range tt.kept {
			if !strings.Contains(got, k) {
				t.Errorf("%s: %q is gone", tt.name, k)
			}
		}
		if len(found) != 4-len(tt.kept) {
			t.Errorf("%s: %d findings", tt.name, len(found))
		}
	}
	raw, _, err := mustNew(t, Options{Allow: []string{"hunter2Xy!"}}).JSON([]byte(`{"password":"hunter2Xy!"}`))
	if err != nil || string(raw) != `{"password":"hunter2Xy!"}` {
		t.Errorf("JSON: %s, %v", raw, err)
	}
}

func TestDisabled(t *testing.T) {
	s := mustNew(t, Options{Disabled: true})
	text := "key " + awsKey(16)
	if got, found := s.Scrub(text); got != text || found != nil || s.Has(text) || s.Rules() != nil {
		t.Errorf("%q, %v", got, found)
	}
	raw := []byte(`"` + text + `"`)
	if got, found, err := s.JSON(raw); string(got) != string(raw) || found != nil || err != nil {
		t.Errorf("JSON: %s, %v, %v", got, found, err)
	}
}

func TestCustomRules(t *testing.T) {
	s := mustNew(t, Options{Custom: []Rule{
		{Name: "acme-token", Pattern: `acme_[0-9a-f]{8}`, Literals: []string{"acme_"}, Description: "token of the build service"},
		{Name: "employee", Label: "person", Pattern: `employee no\. (\d{5})`, Group: 1, Literals: []string{"EMPLOYEE"}, Fold: true},
		{Name: "other", Pattern: `gh[a-z]_\w+`},
		{Name: "anything", Pattern: `zz+top`},
	}})
	tests := []struct{ text, want string }{
		{"acme_0123abcd", redacted("acme-token")},
		{"acme_0123abc", "acme_0123abc"},
		{"employee no. 12345", "employee no. " + redacted("person")},
		{"zzztop", redacted("anything")},
		{githubToken(36), redacted("github-token")}, // built-in rules first
	}
	for _, tt := range tests {
		if got, _ := s.Scrub(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
	rules := s.Rules()
	if last := rules[len(rules)-1]; last.Name != "anything" || rules[len(rules)-4].Description != "token of the build service" {
		t.Errorf("the rules end in %+v", last)
	}
	if n := len(mustNew(t, Options{}).Rules()); n != len(rules)-4 || n < 150 {
		t.Errorf("%d rules, %d with four custom ones", n, len(rules))
	}
	off := mustNew(t, Options{Custom: []Rule{{Name: "acme-token", Pattern: `acme_[0-9a-f]{8}`}}, Off: []string{"acme-token"}})
	if got, _ := off.Scrub("acme_0123abcd"); got != "acme_0123abcd" {
		t.Errorf("a custom rule that is off: %q", got)
	}
}

func TestBadRules(t *testing.T) {
	good := Rule{Name: "x", Pattern: "abc"}
	tests := []struct {
		name  string
		rules []Rule
	}{
		{"no name", []Rule{{Pattern: "abc"}}},
		{"capitals", []Rule{{Name: "ABC", Pattern: "abc"}}},
		{"label with a bracket", []Rule{{Name: "x", Label: "a]b", Pattern: "abc"}}},
		{"long name", []Rule{{Name: strings.Repeat("x", 65), Pattern: "abc"}}},
		{"no pattern", []Rule{{Name: "x"}}},
		{"pattern that doesn't compile", []Rule{{Name: "x", Pattern: "a("}}},
		{"pattern of nothing", []Rule{{Name: "x", Pattern: "a*"}}},
		{"start of text", []Rule{{Name: "x", Pattern: `\Aabc`}}},
		{"end of text", []Rule{{Name: "x", Pattern: `(abc$|d)`}}},
		{"group that isn't there", []Rule{{Name: "x", Pattern: "(a)bc", Group: 2}}},
		{"negative group", []Rule{{Name: "x", Pattern: "abc", Group: -1}}},
		{"short literal", []Rule{{Name: "x", Pattern: "abc", Literals: []string{"ab"}}}},
		{"two of a name", []Rule{good, good}},
		{"name of a built-in rule", []Rule{{Name: "github-token", Pattern: "abc"}}},
	}
	for _, tt := range tests {
		if _, err := New(Options{Custom: tt.rules}); !errors.Is(err, ErrRule) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestLoadRules(t *testing.T) {
	rules, err := LoadRules("acme.toml", `
[[rule]]
name = "acme-token"
label = "acme"
description = "token of the build service"
pattern = 'acme_([0-9a-f]{8})'
group = 1
literals = ["ACME_"]
fold = true

[[rule]]
name = "other"
pattern = "other_[0-9]+"
`)
	if err != nil || len(rules) != 2 || rules[0].Group != 1 || !rules[0].Fold || rules[0].Literals[0] != "ACME_" || rules[1].Name != "other" {
		t.Fatalf("%+v, %v", rules, err)
	}
	if got, _ := mustNew(t, Options{Custom: rules}).Scrub("acme_0123abcd other_7"); got != "acme_"+redacted("acme")+" "+redacted("other") {
		t.Errorf("%q", got)
	}
	tests := []struct{ name, text, want string }{
		{"no TOML", "[[rule]\nname", "line "},
		{"no TOML further down", "[[rule]]\nname = \"x\"\npattern = 7 7", "line 3"},
		{"wrong type", "[[rule]]\nname = 7", "rules.toml"},
		{"unknown field", "[[rule]]\nname = \"x\"\npatern = \"abc\"", "patern"},
		{"unknown table", "[rules]\nname = \"x\"", "rules"},
		{"bad pattern", "[[rule]]\nname = \"x\"\npattern = \"a(\"", "rule 1"},
		{"two of a name", "[[rule]]\nname = \"x\"\npattern = \"abc\"\n[[rule]]\nname = \"x\"\npattern = \"abd\"", "called x"},
	}
	for _, tt := range tests {
		_, err := LoadRules("rules.toml", tt.text)
		if !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "rules.toml") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if rules, err := LoadRules("empty.toml", ""); err != nil || len(rules) != 0 {
		t.Errorf("empty: %v, %v", rules, err)
	}
}
