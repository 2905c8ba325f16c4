// Exceptions to the rules, each with its reason.

package lint

import (
	"strings"
	"testing"
)

// exception allows the findings of one rule that contain text.
type exception struct {
	rule, text, reason string
}

var exceptions = []exception{}

// report fails the test for every finding without an exception, and for every
// exception of the rule without a finding.
func report(t *testing.T, rule string, findings []string) {
	t.Helper()
	needed := make([]bool, len(exceptions))
	for _, finding := range findings {
		excepted := false
		for i, e := range exceptions {
			if e.rule == rule && strings.Contains(finding, e.text) {
				excepted, needed[i] = true, true
			}
		}
		if !excepted {
			t.Error(finding)
		}
	}
	for i, e := range exceptions {
		if e.rule == rule && !needed[i] {
			t.Errorf("no finding of rule %q needs the exception %q (%s) any more", rule, e.text, e.reason)
		}
	}
}
