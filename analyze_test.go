package contextforge_test

// The analysis over stored sessions.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/analysis"
	"github.com/contextforge-go/contextforge/lexicon"
	"github.com/contextforge-go/contextforge/sessions"
)

// sittings saves the same talk in several sessions of a scope, and something
// else in one of another; without names the sessions are told by the silence
// between them.
func sittings(t *testing.T, m *contextforge.Memory, c *clock, named bool) {
	t.Helper()
	at := c.now.Add(-40 * 24 * time.Hour)
	for i, text := range []string{
		"The staging port is set to 8080.\nIt did not change since spring.",
		"Lunch was fine.\nThe staging port is not 8080, that was wrong.",
		"The staging port is now 9090.",
		"We went for a walk along the river.",
		"The garden needs water.",
	} {
		o := contextforge.SaveOptions{Scope: "ops", Timestamp: at, ID: fmt.Sprint("e", i)}
		if named {
			o.SessionID = fmt.Sprint("s", i)
		}
		save(t, m, text, o)
		save(t, m, "A line that follows soon.", contextforge.SaveOptions{Scope: "ops", SessionID: o.SessionID, Timestamp: at.Add(time.Minute)})
		at = at.Add(24 * time.Hour)
	}
	save(t, m, "The staging port is a harbour in a play.", contextforge.SaveOptions{Scope: "theatre", SessionID: "s0", Timestamp: c.now})
}

func collect(t *testing.T, m *contextforge.Memory, f contextforge.Filter, o contextforge.AnalyzeOptions) []analysis.Segment {
	t.Helper()
	var out []analysis.Segment
	for s, err := range m.Analyze(ctx, f, o) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func TestAnalyzeStoredSessions(t *testing.T) {
	for _, named := range []bool{true, false} {
		c := newClock()
		m := open(t, contextforge.Config{Clock: c.Now})
		sittings(t, m, c, named)
		got := collect(t, m, contextforge.Filter{Scope: "ops"}, contextforge.AnalyzeOptions{})
		by := map[string]analysis.Segment{}
		for _, s := range got {
			by[s.EntryID] = s
		}
		if s := by["e1"]; !slices.Contains(s.Categories, analysis.Corrective) {
			t.Errorf("named %v: the correction is %+v", named, s)
		}
		if s := by["e2"]; !slices.Contains(s.Categories, analysis.Stateful) || s.SessionFrequency != 3 {
			t.Errorf("named %v: the newest state is %+v", named, s)
		}
		if named && by["e2"].SessionID != "s2" || !named && by["e2"].SessionID[:len(sessions.FallbackPrefix)] != sessions.FallbackPrefix {
			t.Errorf("named %v: session %q", named, by["e2"].SessionID)
		}
		// Recency is that of the memory's clock: the newest of these is a month old.
		if r := by["e2"].Recency; !(r > 0 && r < 0.05) {
			t.Errorf("recency %v", r)
		}
		if fresh := collect(t, m, contextforge.Filter{Scope: "ops"}, contextforge.AnalyzeOptions{Config: analysis.Config{Now: c.now.Add(-38 * 24 * time.Hour)}}); fresh[0].Recency < 0.5 {
			t.Errorf("recency then %v", fresh[0].Recency)
		}
		// The other scope's session of the same name is another session.
		if s := collect(t, m, contextforge.Filter{}, contextforge.AnalyzeOptions{}); len(s) == 0 || s[0].SessionFrequency != 4 {
			t.Errorf("named %v: over all scopes %+v", named, s)
		}
		if s := collect(t, m, contextforge.Filter{Scope: "ops"}, contextforge.AnalyzeOptions{Config: analysis.Config{Budget: 20}}); len(s) != 1 || s[0].Tokens > 20 {
			t.Errorf("20 tokens of it: %+v", s)
		}
	}
}

// Sessions of one name in several scopes are several, also where it is counted who
// confirmed something.
func TestAnalyzeTellsScopesApart(t *testing.T) {
	m := open(t, contextforge.Config{})
	const confirmed = "Yes, correct, the gateway cluster uses Postgres."
	for scope, text := range map[string]string{"a": confirmed, "b": confirmed, "c": confirmed, "d": "Lunch.", "e": "A walk."} {
		save(t, m, text, contextforge.SaveOptions{Scope: scope, SessionID: "s1"})
	}
	got := collect(t, m, contextforge.Filter{}, contextforge.AnalyzeOptions{})
	if len(got) != 1 || !slices.Equal(got[0].Categories, []analysis.Category{analysis.Reinforcing}) || got[0].SessionID != "s1" {
		t.Errorf("got %+v", got)
	}
}

func TestAnalyzeFailsPlainly(t *testing.T) {
	c := newClock()
	m := open(t, contextforge.Config{Clock: c.Now})
	sittings(t, m, c, false)
	only := func(ctx context.Context, o contextforge.AnalyzeOptions) (errs []error) {
		for s, err := range m.Analyze(ctx, contextforge.Filter{}, o) {
			if err == nil {
				t.Errorf("a segment %+v", s)
			}
			errs = append(errs, err)
		}
		return errs
	}
	if errs := only(ctx, contextforge.AnalyzeOptions{Gap: -1}); len(errs) != 1 || !errors.Is(errs[0], sessions.ErrGap) {
		t.Errorf("a negative gap: %v", errs)
	}
	dead, cancel := context.WithCancel(ctx)
	cancel()
	if errs := only(dead, contextforge.AnalyzeOptions{}); len(errs) != 1 || !errors.Is(errs[0], context.Canceled) {
		t.Errorf("cancelled: %v", errs)
	}
}

// What the analysis found can lift what it found: as a prior, and from metadata.
func TestAnalysisFeedsBack(t *testing.T) {
	c := newClock()
	first := open(t, contextforge.Config{Clock: c.Now})
	sittings(t, first, c, true)
	weights := analysis.Importance(func(yield func(analysis.Segment) bool) {
		for s, err := range first.Analyze(ctx, contextforge.Filter{Scope: "ops"}, contextforge.AnalyzeOptions{}) {
			if err != nil || !yield(s) {
				return
			}
		}
	})
	if len(weights) == 0 {
		t.Fatal("nothing is important")
	}
	boosts := func(m *contextforge.Memory) map[string]float64 {
		hits, err := m.Query(ctx, "staging port river", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "ops"}})
		if err != nil || len(hits) < 3 {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
		out := map[string]float64{}
		for _, h := range hits {
			out[h.ID] = h.Explain.Boost
		}
		return out
	}
	prior := open(t, contextforge.Config{Clock: c.Now, Lexicon: lexicon.Only(lexicon.Prior(weights))})
	sittings(t, prior, c, true)
	marked := open(t, contextforge.Config{Clock: c.Now, Lexicon: lexicon.Only(lexicon.Metadata("importance", 1))})
	sittings(t, marked, c, true)
	for id, w := range weights {
		if _, err := marked.Update(ctx, id, contextforge.Change{Metadata: map[string]float64{"importance": w}}); err != nil {
			t.Fatal(err)
		}
	}
	for name, got := range map[string]map[string]float64{"prior": boosts(prior), "metadata": boosts(marked)} {
		for id, boost := range got {
			if boost != weights[id] {
				t.Errorf("%s: %s has the boost %v, want %v", name, id, boost, weights[id])
			}
		}
	}
}
