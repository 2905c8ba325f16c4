package contextforge_test

// The time that a question speaks of.

import (
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

// moves opens a memory of someone who worked in three places.
func moves(t *testing.T, session string) *contextforge.Memory {
	m := open(t, contextforge.Config{Clock: func() time.Time { return time.Date(2025, 1, 10, 9, 0, 0, 0, time.UTC) }})
	for i, text := range []string{
		"Mara works at the bakery in Mill Lane.",
		"Mara works at the harbour office.",
		"Mara flew to Madeira.",
		"Mara works at the drone firm.",
		"The kettle is on.",
	} {
		o := contextforge.SaveOptions{ID: string(rune('a' + i)), SessionID: session, Timestamp: time.Date(2024, time.Month(2+2*i), 12, 8, 0, 0, 0, time.UTC)}
		if session != "" {
			o.SessionID += o.ID // nothing stands around anything
		}
		save(t, m, text, o)
	}
	return m
}

func TestTimesOfQuestions(t *testing.T) {
	for _, session := range []string{"", "chat"} {
		m := moves(t, session)
		for _, c := range []struct{ question, best string }{
			{"where does Mara work now?", "d"},
			{"where did Mara work in April?", "b"},
			{"where did Mara work in February 2024?", "a"},
			{"where did Mara work four months before the flight to Madeira?", "a"},
			{"where did Mara work two months before she flew to Madeira?", "b"},
			{"where did Mara work in 1999?", "d"}, // nothing is of that time: the newest of equals
		} {
			hits := ask(t, m, c.question, contextforge.QueryOptions{})
			if len(hits) > 0 && hits[0] == "c" { // the event itself
				hits = hits[1:]
			}
			if len(hits) == 0 || hits[0] != c.best {
				t.Errorf("session %q, %s: %v, want %s first", session, c.question, hits, c.best)
			}
		}
	}
}

// Each gain is what makes the difference.
func TestTimesOfQuestionsOff(t *testing.T) {
	m := moves(t, "")
	r := contextforge.RankingDefault()
	r.PeriodGain, r.EventGain, r.CurrentGain = 0, 0, 0
	r.DecayFloor = 1
	o := contextforge.QueryOptions{Ranking: &r}
	want := ask(t, m, "where did Mara work?", o)
	for _, question := range []string{"where did Mara work in April?", "where did Mara work two months before the flight?"} {
		if hits := ask(t, m, question, o); hits[0] != want[0] {
			t.Errorf("%s: %v, want %s first", question, hits, want[0])
		}
	}
}
