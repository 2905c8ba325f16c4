package twins

// Which statements say the same, and which only look like it.

import (
	"fmt"
	"strings"
	"testing"
)

// long is a statement with so many words that one of them hardly counts.
const long = "the release train of the payments team leaves on Friday at four in the afternoon after the tests of all services have passed and " +
	"the engineer on duty has signed the list that hangs beside the door of the small kitchen on the third floor %s"

func TestRestates(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"The API port is 81.", "The API port is 81.", true},
		{"The API port is 81.", "the  api port is\n81", true},
		{"The API port is now 81.", "API port is 81", true},
		{"“Ana prefers tea”", "Ana prefers tea!", true},
		{"Don’t deploy on Fridays.", "Don't deploy on Fridays.", true},
		{"部署在周五。", "部署在周五", true},
		{"ПОРТ РАВЕН 81", "порт равен 81", true},

		{"The API port is 81.", "The API port is 82.", false},
		{"The API port is 81.", "The admin port is 81.", false},
		{"We use C.", "We use C++.", false},
		{"We use C#.", "We use C.", false},
		{"Version 1.5 is out.", "Version 15 is out.", false},
		{"The offset is -5.", "The offset is 5.", false},
		{"We deploy on Fridays.", "We don't deploy on Fridays.", false},
		{"We deploy on Fridays.", "We never deploy on Fridays.", false},
		{"We chose Postgres over MySQL.", "We chose MySQL over Postgres.", false},
		{"The port is 81.", "The port was 81.", false},
		{"Ana prefers tea.", "Ana preferred tea.", false}, // short: a form may matter
		{"We follow plan A.", "We follow the plan.", false},
		{"", "", true},
		{"A  the", "A the", true},
		{"…", "!", false},
		{"the", "a", false},
		{"The port is 81.", "", false},

		{fmt.Sprintf(long, "today"), fmt.Sprintf(long, "today"), true},
		{fmt.Sprintf(long, "today"), strings.Replace(fmt.Sprintf(long, "today"), "signed", "signs", 1), true},
		{fmt.Sprintf(long, "today"), strings.Replace(fmt.Sprintf(long, "today"), "tests", "test", 1), true},
		{fmt.Sprintf(long, "today"), strings.Replace(fmt.Sprintf(long, "today"), "services", "service", 1), true},
		{fmt.Sprintf(long, "today"), strings.Replace(fmt.Sprintf(long, "today"), "Friday", "Fridays", 1), false},
		{fmt.Sprintf(long, "today"), strings.Replace(fmt.Sprintf(long, "today"), "Friday", "Monday", 1), false},
		{fmt.Sprintf(long, "today"), fmt.Sprintf(long, "tomorrow"), false},
		{fmt.Sprintf(long, "at 9"), fmt.Sprintf(long, "at 8"), false},
		{fmt.Sprintf(long, "is useful"), fmt.Sprintf(long, "is useless"), false},
		{fmt.Sprintf(long, "that could"), fmt.Sprintf(long, "that couldn't"), false},
		{fmt.Sprintf(long, "that can"), fmt.Sprintf(long, "that cannot"), false},
		{fmt.Sprintf(long, "ja"), strings.Replace(fmt.Sprintf(long, "ja"), "has passed", "has not passed", 1), true}, // not in it: unchanged
		{fmt.Sprintf(long, "ja"), strings.Replace(fmt.Sprintf(long, "ja"), "have passed", "have not passed", 1), false},
		{fmt.Sprintf(long, "ja"), strings.Replace(fmt.Sprintf(long, "ja"), "before", "after", 1), true}, // nor is that
		{fmt.Sprintf(long, "ja"), strings.Replace(fmt.Sprintf(long, "ja"), "after the", "before the", 1), false},
	} {
		if got := Restates(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
		if got := Restates(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

func FuzzRestates(f *testing.F) {
	for _, s := range []string{"", "The API port is 81.", "we don’t", "\xff\xfe C++", "部署 在 周五。", "((a)) ’tis"} {
		f.Add(s, "The port is 81")
		f.Add(s, s+".")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !Restates(a, a) || !Restates(b, b) {
			t.Errorf("%q or %q doesn't restate itself", a, b)
		}
		if Restates(a, b) != Restates(b, a) {
			t.Errorf("%q and %q: it depends on the order", a, b)
		}
		if words := strings.Join(strings.Fields(a), "  "); !Restates(a, words) {
			t.Errorf("%q doesn't restate %q", a, words)
		}
	})
}

func BenchmarkRestates(b *testing.B) {
	for _, n := range []int{1, 10} {
		x := strings.Repeat(fmt.Sprintf(long, "today "), n)
		y := strings.Replace(x, "tests", "test", 1)
		b.Run(fmt.Sprint(len(x)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Restates(x, y)
			}
		})
	}
}
