// This file decides how segments are summed up for people.

package analysis

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"
)

// SummaryConfig is how detailed a Report is.
type SummaryConfig struct {
	// Terms is how many terms are listed; 0 means 20, a negative number all.
	Terms int
	// Points is the greatest number of points of the timeline; 0 and less mean 40.
	// A point is for 80 years at most.
	Points int
}

// Report sums up segments. All lists are in a fixed order.
type Report struct {
	Segments int `json:"segments"`
	Tokens   int `json:"tokens"`
	Entries  int `json:"entries"`  // with a segment
	Sessions int `json:"sessions"` // with a segment
	// Categories has one element for each category, and one with the name "" for the
	// segments without any. A segment counts in each of its categories.
	Categories []CategoryCount `json:"categories"`
	// Terms are those in the most sessions, then of the most importance, then in
	// alphabetical order.
	Terms []TermCount `json:"terms"`
	// Timeline has a point for every interval from the first segment to the last,
	// those without a segment included.
	Timeline []TimelinePoint `json:"timeline"`
	// Interval is the length of time that a point stands for.
	Interval time.Duration `json:"interval"`
}

// CategoryCount is how much there is of a category.
type CategoryCount struct {
	Category   Category `json:"category"`
	Segments   int      `json:"segments"`
	Importance float64  `json:"importance"` // the sum
}

// TermCount is how much there is of a term.
type TermCount struct {
	Text       string  `json:"text"`
	Sessions   int     `json:"sessions"` // with a segment that has the term
	Segments   int     `json:"segments"`
	Importance float64 `json:"importance"` // the greatest
}

// TimelinePoint is how much there is of a time.
type TimelinePoint struct {
	Start      time.Time `json:"start"` // UTC
	Segments   int       `json:"segments"`
	Importance float64   `json:"importance"` // the sum
}

// Summary returns the report on some segments. It depends on nothing else.
func Summary(segments iter.Seq[Segment], cfg SummaryConfig) Report {
	s := summary{terms: map[string]*termSummary{}, entries: map[string]bool{}, sessions: map[string]bool{}}
	s.report.Categories = []CategoryCount{{Category: Corrective}, {Category: Stateful}, {Category: Decisive}, {Category: Reinforcing}, {}}
	for segment := range segments {
		s.add(&segment)
	}
	s.report.Entries, s.report.Sessions = len(s.entries), len(s.sessions)
	s.report.Terms = s.topTerms(cfg.Terms)
	if cfg.Points <= 0 {
		cfg.Points = 40
	}
	s.report.Timeline, s.report.Interval = timeline(s.moments, cfg.Points)
	return s.report
}

// summary is a report in the making.
type summary struct {
	report            Report
	terms             map[string]*termSummary
	entries, sessions map[string]bool
	moments           []TimelinePoint // of single segments
}

type termSummary struct {
	TermCount
	in map[string]bool // sessions
}

func (s *summary) add(segment *Segment) {
	s.report.Segments++
	s.report.Tokens += segment.Tokens
	s.entries[segment.EntryID] = true
	s.sessions[segment.SessionID] = true
	for i := range s.report.Categories {
		c := &s.report.Categories[i]
		if slices.Contains(segment.Categories, c.Category) || c.Category == "" && len(segment.Categories) == 0 {
			c.Segments++
			c.Importance += segment.Importance
		}
	}
	for _, term := range segment.Terms {
		t := s.terms[term]
		if t == nil {
			t = &termSummary{TermCount: TermCount{Text: term}, in: map[string]bool{}}
			s.terms[term] = t
		}
		t.Segments++
		t.Importance = max(t.Importance, segment.Importance)
		t.in[segment.SessionID] = true
	}
	s.moments = append(s.moments, TimelinePoint{Start: segment.Timestamp.UTC().Round(0), Segments: 1, Importance: segment.Importance})
}

// topTerms returns the first n terms.
func (s *summary) topTerms(n int) []TermCount {
	list := make([]TermCount, 0, len(s.terms))
	for _, t := range s.terms {
		t.Sessions = len(t.in)
		list = append(list, t.TermCount)
	}
	slices.SortFunc(list, func(a, b TermCount) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(b.Importance, a.Importance), strings.Compare(a.Text, b.Text))
	})
	switch {
	case n == 0:
		n = 20
	case n < 0:
		n = len(list)
	}
	return slices.Clip(list[:min(n, len(list))])
}

// intervals are the lengths of time that a point of a timeline may stand for.
// Longer ones are multiples of the last.
var intervals = [...]time.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour,
}

// timeline adds up what happened in the same interval, the shortest one with which
// there are not too many points. Intervals are counted from the year 1, so weeks
// begin on Mondays. moments are sorted.
func timeline(moments []TimelinePoint, most int) ([]TimelinePoint, time.Duration) {
	if len(moments) == 0 {
		return []TimelinePoint{}, 0
	}
	slices.SortStableFunc(moments, func(a, b TimelinePoint) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Importance, b.Importance)) // sums depend on their order
	})
	first, last := moments[0].Start, moments[len(moments)-1].Start
	interval := intervalFor(first, last, most)
	var points []TimelinePoint
	start := first.Truncate(interval)
	for _, m := range moments {
		for len(points) == 0 || !m.Start.Before(start) {
			points = append(points, TimelinePoint{Start: start})
			start = start.Add(interval)
		}
		p := &points[len(points)-1]
		p.Segments++
		p.Importance += m.Importance
	}
	return points, interval
}

// intervalFor returns the shortest interval of which so many reach from first to
// last.
func intervalFor(first, last time.Time, most int) time.Duration {
	enough := func(d time.Duration) bool {
		return (last.Unix()-first.Truncate(d).Unix())/int64(d/time.Second) < int64(most) // Sub reaches 292 years
	}
	for _, d := range intervals {
		if enough(d) {
			return d
		}
	}
	d := intervals[len(intervals)-1]
	for !enough(d) && d < 1<<61 {
		d *= 2
	}
	return d
}
