package contextforge

// What turns are found by beside their text.

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/internal/store"
)

func TestMarksOfTurns(t *testing.T) {
	at := time.Date(2023, 5, 8, 1, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text, metadata string
		marks          string // without the control character, sorted
	}{
		{"We went home.", "", ""},
		{"Did we go home?", "", "? q"},
		{"Did we? I forgot.", "", "q"},
		{"Did we go home?  \n", "", "? q"},
		{`He said "did we?"`, "", "? q"},
		{"(Did we?)", "", "? q"},
		{"Did we?!", "", "? q"},
		{"*Did we?*", "", "? q"},
		{"回家了吗？", "", "? q"},
		{"هل ذهبنا؟", "", "? q"},
		{"?", "", "? q"},
		{"We went home yesterday.", "", "t"},
		{"Was it last week?", "", "? q t"},
		{"Hello", `{"speaker":"Ann Lee"}`, "s:ann s:lee"},
		{"Hello", `{"author":"Ann","name":"Bea"}`, "s:ann"},
		{"Hello", `{"from":"ann@example.org"}`, "s:ann s:example s:org"},
		{"Hello", `{"name":"A B C D E F"}`, "s:a s:b s:c s:d"},
		{"Hello", `{"speaker":7,"name":"ÉMILE"}`, "s:émile"},
		{"Hello", `{"speaker":"","author":"x2"}`, "s:x2"},
		{"Hello", `{"speaker":"?!"}`, ""},
		{"Hello", `["speaker"]`, ""},
		{"Hello", `{"topic":"Ann"}`, ""},
		{"Ann: Hello", "", "s:ann"},
		{"Ann: Hello", `{"speaker":"Bob"}`, "s:bob"},
	} {
		rec := &store.Record{Content: c.text, SessionID: "s", Timestamp: at, Metadata: []byte(c.metadata)}
		extra := extraOf(rec)
		var marks []string
		for _, mark := range extra.Marks {
			bare, ok := strings.CutPrefix(mark, "\x01")
			if !ok {
				t.Errorf("%q: mark %q", c.text, mark)
			}
			marks = append(marks, bare)
		}
		if slices.Sort(marks); strings.Join(marks, " ") != c.marks {
			t.Errorf("%q %s: %q, want %q", c.text, c.metadata, marks, c.marks)
		}
		if !strings.Contains(extra.Text, "8 May 2023") {
			t.Errorf("%q: %q", c.text, extra.Text)
		}
		rec.SessionID = ""
		if extra := extraOf(rec); extra.Text != "" || extra.Marks != nil {
			t.Errorf("%q without a session: %+v", c.text, extra)
		}
	}
}

func TestDatesOfTurns(t *testing.T) {
	at := time.Date(2023, 5, 8, 1, 0, 0, 0, time.UTC)
	rec := &store.Record{Content: "It was yesterday.", SessionID: "s", Timestamp: at}
	want := extraOf(rec)
	if want.Text != "8 May 2023 7 May 2023" {
		t.Errorf("%q", want.Text)
	}
	rec.Timestamp = at.In(time.FixedZone("", -7*3600)) // the same instant, on the day before
	if got := extraOf(rec); got.Text != want.Text {
		t.Errorf("%q in another zone", got.Text)
	}
}

func TestNamesInQuestions(t *testing.T) {
	if got := namesIn("Did Ann's ANN-marie meet 007, ann?"); !slices.Equal(got, []string{"did", "ann", "s", "marie", "meet", "007"}) {
		t.Errorf("%q", got)
	}
	if got := namesIn(strings.Repeat("a b c ", 1000) + strings.Repeat("x", 10)); len(got) != 4 {
		t.Errorf("%q", got)
	}
	long := ""
	for i := range 200 {
		long += " n" + strings.Repeat("o", i)
	}
	if got := namesIn(long); len(got) != mostNamesAsked {
		t.Errorf("%d names", len(got))
	}
}

func TestOnlyPerson(t *testing.T) {
	for _, c := range []struct {
		turns []uint64
		want  int
	}{{nil, -1}, {[]uint64{0, 0}, -1}, {[]uint64{0, 3}, 1}, {[]uint64{1, 0, 0}, 0}, {[]uint64{1, 0, 2}, -1}} {
		if got := onlyPerson(c.turns); got != c.want {
			t.Errorf("%v: %d", c.turns, got)
		}
	}
}
