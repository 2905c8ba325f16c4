// The lists: row 150, replacement, lookup.

package analysis

import (
	"slices"
	"strings"
	"testing"
)

// row 150, without the sizes: what the default lists hold.
func TestDefaultLists(t *testing.T) {
	lists := DefaultLists()
	for name, tt := range map[string]struct{ list, want []string }{
		"negations":     {lists.Negations, strings.Fields("not no never neither nor don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't isn't aren't wasn't weren't nothing nowhere nobody none without")},
		"comparisons":   {lists.Comparisons, append(strings.Fields("better worse over instead rather prefer chose picked replaced switched upgraded downgraded versus vs compared alternative option decided selected"), "went with")},
		"causes":        {lists.Causes, []string{"because", "since", "due to", "caused by", "reason", "therefore", "so that", "as a result", "which means", "in order to", "leads to", "that's why", "the reason is", "this is because"}},
		"confirmations": {lists.Confirmations, strings.Fields("yes perfect correct exactly good right agreed confirmed approved lgtm")},
		"operators":     {lists.StateOperators, []string{"=", ":=", "set to", "changed to", "now uses", "updated to", "IP:", "port:", "is now", "is set to", "is changed to", "is updated to", "→", "->"}},
	} {
		for _, member := range tt.want {
			if !slices.Contains(tt.list, member) {
				t.Errorf("%s lack %q", name, member)
			}
		}
		for i, member := range tt.list {
			if slices.Contains(tt.list[:i], member) || strings.TrimSpace(member) != member || member == "" {
				t.Errorf("%s: %q", name, member)
			}
		}
	}
	if slices.Contains(lists.StateOperators, "is") {
		t.Error(`bare "is" is a state operator`)
	}
}

func TestDefaultListsAreCopies(t *testing.T) {
	DefaultLists().Negations[0] = "changed"
	if DefaultLists().Negations[0] == "changed" {
		t.Error("a caller changed the lists")
	}
}

func TestListsReplaced(t *testing.T) {
	lists := &Lists{
		Negations: []string{"Nicht", "不", "not at all"}, Comparisons: []string{"besser"}, Causes: []string{"weil"},
		StateOperators: []string{"⇒", "beträgt nun", "WERT:", "", "   ", "!!"},
	}
	tests := []struct {
		text string
		term string
		want []Category
	}{
		{"Der Port geht nicht", "port", []Category{Corrective}},
		{"数据库不可用", "数据库", []Category{Corrective}},
		{"it is not the port", "port", nil},
		{"it is not at all the port", "port", []Category{Corrective}},
		{"The port is set to 80", "port", nil},
		{"Das Limit beträgt nun 80", "limit", []Category{Stateful}},
		{"Das Limit ⇒ 80", "limit", []Category{Stateful}},
		{"Limit wert:80", "limit", []Category{Stateful}},
		{"A ist besser weil schneller", "a", []Category{Decisive}},
		{"better because faster", "a", nil},
	}
	for _, tt := range tests {
		got := Classify([]Passage{{Text: tt.text, Terms: []string{tt.term}}}, ClassifyConfig{Lists: lists})[0]
		if !slices.Equal(got.Categories, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got.Categories, tt.want)
		}
	}
	got := Classify([]Passage{{Text: "yes, not a = 5, better because", Terms: []string{"a"}}}, ClassifyConfig{Lists: &Lists{}})[0]
	if len(got.Categories) > 0 {
		t.Errorf("empty lists give %v", got.Categories)
	}
}

func TestScannerWords(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"  \t\n ", ""},
		{"Don't don’t DON‘T", "dont dont dont"},
		{"(hello), \"World\"!", "hello world"},
		{"fix-it user@host v0.3.1", "fixit userhost v031"},
		{"a—b… c", "a b c"},
		{"ÉCOLE e\u0301cole", "école école"},
		{"数据库 です。はい", "数 据 库 で す は い"},
		{"データX1", "デ ー タ x1"},
		{"ที่นี่", "ที่ นี่"},
		{"--- !!! ...", ""},
		{"a\xffb \xff", "ab"},
		{"\u200bx\u00a0y\u3000z", "x y z"},
	}
	var s wordScanner
	for _, tt := range tests {
		s.scan(tt.text)
		if got := strings.Join(s.keyList(), " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
		for i, w := range s.words {
			if w.start < 0 || w.start >= w.end || w.end > len(tt.text) || i > 0 && s.words[i-1].end > w.start {
				t.Errorf("%q: word %d is %+v", tt.text, i, w)
			}
		}
	}
}
