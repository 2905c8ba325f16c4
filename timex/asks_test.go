// Tables of what questions ask for.

package timex

import "testing"

// truth is one line of a table for a function that says yes or no.
type truth struct {
	text string
	want bool
}

func checkTruths(t *testing.T, name string, f func(string) bool, table []truth) {
	t.Helper()
	for _, tt := range table {
		if got := f(tt.text); got != tt.want {
			t.Errorf("%s(%q) = %v", name, tt.text, got)
		}
	}
}

func TestAsks(t *testing.T) {
	checkTruths(t, "Asks", Asks, []truth{
		{"When did she move?", true}, {"  when's the party", true}, {"Hi! When did you go?", true}, {"“When”", true},
		{"How long did it take", true}, {"what year was it", true}, {"at which time", true}, {"how many weeks", true},
		{"Tell me when he left", false}, {"whenever", false}, {"how many people", false}, {"how many years", true},
		{"what a day", false}, {"What did she say in May?", false}, {"", false}, {"how. Long", false},
	})
}

func TestCurrent(t *testing.T) {
	checkTruths(t, "Current", Current, []truth{
		{"Where does she live now?", true}, {"Where is he right now", true}, {"What does she currently do?", true},
		{"What's Ann's current job?", true}, {"what is my current address", true}, {"the latest version we use", true},
		{"Does he still smoke?", true}, {"these days", true}, {"Who is the boss at the moment?", true}, {"as of today", true},
		{"today's plan", true}, {"most recent address", true}, {"Does she smoke anymore?", true}, {"now", true},
		{"By now I had left", false}, {"What did he just now say", false}, {"until now I worked there", false},
		{"every now and then", false}, {"now that she left", false}, {"Now, what did he say?", false}, {"from now on", false},
		{"Which still life did he paint?", false}, {"he stood still", false}, {"still-life", false}, {"a still", false},
		{"Was he still there?", false}, {"electric current", false}, {"How strong was the current?", false},
		{"the current flows", false}, {"ocean current maps", false}, {"the current of the river", false}, {"current density", false},
		{"at the latest", false}, {"Where did she live in 2019?", false}, {"", false}, {"nowhere currentness", false},
	})
}
