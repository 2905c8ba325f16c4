// What segments are summed up to.

package analysis

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestSummaryNothing(t *testing.T) {
	got := Summary(slices.Values([]Segment(nil)), SummaryConfig{})
	want := Report{
		Categories: []CategoryCount{{Category: Corrective}, {Category: Stateful}, {Category: Decisive}, {Category: Reinforcing}, {}},
		Terms:      []TermCount{}, Timeline: []TimelinePoint{},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestSummary(t *testing.T) {
	segments := []Segment{
		{EntryID: "1", SessionID: "a", Tokens: 5, Importance: 0.5, Categories: []Category{Corrective, Stateful}, Terms: []string{"job", "queue"}, Timestamp: at(1)},
		{EntryID: "1", SessionID: "a", Tokens: 7, Importance: 0.25, Terms: []string{"queue"}, Timestamp: at(25)},
		{EntryID: "2", SessionID: "b", Tokens: 1, Importance: 0.125, Categories: []Category{Stateful}, Terms: []string{"disk", "job"}, Timestamp: at(1)},
	}
	want := Report{
		Segments: 3, Tokens: 13, Entries: 2, Sessions: 2,
		Categories: []CategoryCount{{Corrective, 1, 0.5}, {Stateful, 2, 0.625}, {Decisive, 0, 0}, {Reinforcing, 0, 0}, {"", 1, 0.25}},
		Terms:      []TermCount{{"job", 2, 2, 0.5}, {"queue", 1, 2, 0.5}},
		Timeline:   []TimelinePoint{{at(0), 2, 0.625}, {at(12), 0, 0}, {at(24), 1, 0.25}},
		Interval:   12 * time.Hour,
	}
	if got := Summary(slices.Values(segments), SummaryConfig{Terms: 2, Points: 3}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	slices.Reverse(segments)
	if got := Summary(slices.Values(segments), SummaryConfig{Terms: 2, Points: 3}); !reflect.DeepEqual(got, want) {
		t.Errorf("in another order %+v, want %+v", got, want)
	}
	if got := Summary(slices.Values(segments), SummaryConfig{Terms: -1}); len(got.Terms) != 3 {
		t.Errorf("all terms: %+v", got.Terms)
	}
}

// Random moments: nothing is lost, the points are few and follow one another.
func TestTimeline(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		spread := time.Duration(1) << (20 + rng.IntN(43))
		segments := make([]Segment, 1+rng.IntN(20))
		for i := range segments {
			segments[i] = Segment{Importance: 0.5, Timestamp: at(0).Add(time.Duration(rng.Int64N(int64(spread))))}
		}
		most := 1 + rng.IntN(50)
		got := Summary(slices.Values(segments), SummaryConfig{Points: most})
		if len(got.Timeline) > most || got.Interval <= 0 {
			t.Fatalf("%d points of %v, want at most %d", len(got.Timeline), got.Interval, most)
		}
		n, sum := 0, 0.0
		for i, p := range got.Timeline {
			n += p.Segments
			sum += p.Importance
			if i > 0 && p.Start.Sub(got.Timeline[i-1].Start) != got.Interval {
				t.Fatalf("%v after %v, interval %v", p.Start, got.Timeline[i-1].Start, got.Interval)
			}
		}
		if n != len(segments) || sum != 0.5*float64(n) || got.Timeline[0].Segments == 0 || got.Timeline[len(got.Timeline)-1].Segments == 0 {
			t.Fatalf("%d segments, %+v", len(segments), got.Timeline)
		}
	}
}

func TestTimelineOfAllTimes(t *testing.T) {
	segments := []Segment{{Timestamp: time.Time{}}, {Timestamp: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}}
	if got := Summary(slices.Values(segments), SummaryConfig{}); len(got.Timeline) > 130 {
		t.Errorf("%d points of %v", len(got.Timeline), got.Interval)
	}
}

// Weeks begin on Mondays.
func TestTimelineWeeks(t *testing.T) {
	segments := []Segment{{Timestamp: at(0)}, {Timestamp: at(24 * 200)}}
	got := Summary(slices.Values(segments), SummaryConfig{})
	if got.Interval != 7*24*time.Hour || got.Timeline[0].Start.Weekday() != time.Monday {
		t.Errorf("%v from %v", got.Interval, got.Timeline[0].Start)
	}
}
