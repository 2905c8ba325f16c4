package contextforge_test

// What new facts do to stored ones: which are not saved again, which take the place
// of which, and what of that is not noticed.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// holding returns the contents that a kind has in a scope, sorted.
func holding(t *testing.T, m *contextforge.Memory, scope, kind string) []string {
	t.Helper()
	out := []string{}
	for _, e := range stored(t, m) {
		if e.Scope == scope && e.Kind == kind {
			out = append(out, e.Content)
		}
	}
	slices.Sort(out)
	return out
}

// day is a time on some day.
func day(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }

func TestW42FactsAreReconciled(t *testing.T) {
	type batch struct {
		day   int
		scope string
		facts []distill.Fact
	}
	decided := func(text string) distill.Fact { return fact(distill.Decision, text) }
	for _, c := range []struct {
		name           string
		batches        []batch
		live, replaced []string // in the scope of the last batch
	}{
		{
			"the same again", []batch{{1, "", states("It rains.")}, {2, "", states("It rains.")}},
			[]string{"It rains."}, nil,
		},
		{
			"the same in other letters", []batch{{1, "", states("It rains in Oslo.")}, {2, "", states("it  rains in OSLO")}},
			[]string{"It rains in Oslo."}, nil,
		},
		{
			"the same but for a small word", []batch{{1, "", states("The lease ends in May.")}, {2, "", states("The lease now ends in May.")}},
			[]string{"The lease ends in May."}, nil,
		},
		{
			"the same twice in a transcript", []batch{{1, "", states("It rains.", "it rains")}},
			[]string{"It rains."}, nil,
		},
		{
			"the same as another kind of fact", []batch{{1, "", states("It rains.")}, {2, "", []distill.Fact{fact(distill.Correction, "It rains.")}}},
			[]string{"It rains."}, nil,
		},
		{
			"another number", []batch{{1, "", states("The lease ends in 2027.")}, {2, "", states("The lease ends in 2028.")}},
			[]string{"The lease ends in 2027.", "The lease ends in 2028."}, nil,
		},
		{
			"a denial", []batch{{1, "", states("Ana eats fish.")}, {2, "", states("Ana never eats fish.")}},
			[]string{"Ana eats fish.", "Ana never eats fish."}, nil,
		},
		{
			"another scope", []batch{{1, "a", states("The API port is now 80.")}, {2, "b", states("The API port is now 80.", "The API port is now 81.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"the global scope is one of its own", []batch{{1, "a", states("The API port is now 80.", "It rains.")}, {2, "", states("The API port is now 81.", "It rains.")}},
			[]string{"It rains.", "The API port is now 81."}, nil,
		},
		{
			"a newer state", []batch{{1, "a", states("The API port is now 80.")}, {2, "a", states("The API port is now 81.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"a newer decision", []batch{{1, "", []distill.Fact{decided("We chose MySQL over Postgres because it is there.")}}, {2, "", []distill.Fact{decided("We chose Postgres over MySQL because it is safer.")}}},
			[]string{"We chose Postgres over MySQL because it is safer."}, []string{"We chose MySQL over Postgres because it is there."},
		},
		{
			"a newer state of something else", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The admin port is now 81.")}},
			[]string{"The API port is now 80.", "The admin port is now 81."}, nil,
		},
		{
			"the same state in other words", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The API port has been changed to 80.")}},
			[]string{"The API port has been changed to 80.", "The API port is now 80."}, nil,
		},
		{
			"three in turn", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The API port is now 81.")}, {3, "", states("The API port is now 82.")}},
			[]string{"The API port is now 82."}, []string{"The API port is now 80.", "The API port is now 81."},
		},
		{
			"back to the first", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The API port is now 81.")}, {3, "", states("The API port is now 80.")}},
			[]string{"The API port is now 80."}, []string{"The API port is now 80.", "The API port is now 81."},
		},
		{
			"an older transcript comes late", []batch{{2, "", states("The API port is now 81.")}, {1, "", states("The API port is now 80.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"an older transcript comes late, twice", []batch{{2, "", states("The API port is now 81.")}, {1, "", states("The API port is now 80.")}, {1, "", states("The API port is now 80.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"a transcript that was overtaken comes again", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The API port is now 81.")}, {1, "", states("The API port is now 80.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"two of one day come again", []batch{{1, "", states("The API port is now 80.")}, {1, "", states("The API port is now 81.")}, {1, "", states("The API port is now 80.")}, {1, "", states("The API port is now 81.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"the later one of a transcript", []batch{{1, "", states("The API port is now 80.", "It rains.", "The API port is now 81.")}},
			[]string{"It rains.", "The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"the same transcript again", []batch{{1, "", states("The API port is now 80.", "The API port is now 81.")}, {1, "", states("The API port is now 80.", "The API port is now 81.")}, {2, "", states("The API port is now 80.", "The API port is now 81.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"there and back in a transcript", []batch{{1, "", states("The API port is now 80.", "The API port is now 81.", "The API port is now 80.")}},
			[]string{"The API port is now 80."}, []string{"The API port is now 81."},
		},
		{
			"there and back in other words", []batch{{1, "", states("The API port is now 80.", "The API port is now 81.", "The API port is 80.")}},
			[]string{"The API port is now 80."}, []string{"The API port is now 81."},
		},
		{
			"a plain value", []batch{{1, "", states("The API port is 80.")}, {2, "", states("The API port is 81.")}},
			[]string{"The API port is 81."}, []string{"The API port is 80."},
		},
		{
			"a plain value that is known to be older", []batch{{2, "", states("The API port is now 81.")}, {1, "", states("The API port is 80.")}},
			[]string{"The API port is now 81."}, []string{"The API port is 80."},
		},
		{
			"a plain value and what else is so", []batch{{1, "", states("The API port is 80.", "The API port is now open.")}, {2, "", states("The API port is 81.", "The API port is on May 6.")}},
			[]string{"The API port is 81.", "The API port is now open.", "The API port is on May 6."}, []string{"The API port is 80."},
		},
		{
			"what stands between two values", []batch{{1, "", states("The API port is 80.", "The API port is 81.", "The API port is now open.")}},
			[]string{"The API port is 81.", "The API port is now open."}, []string{"The API port is 80."},
		},
		{
			"not: my thing and mine", []batch{{1, "", states("Ana: My exam is now on May 6.")}, {2, "", states("Ben: My exam is now on May 8.")}},
			[]string{"Ana: My exam is now on May 6.", "Ben: My exam is now on May 8."}, nil,
		},
		{
			"not: what is no longer so", []batch{{1, "", states("The port is no longer set to 80.")}, {2, "", states("The host is no longer set to alpha.")}},
			[]string{"The host is no longer set to alpha.", "The port is no longer set to 80."}, nil,
		},
		{
			"not: in two places", []batch{{1, "", states("The port is now 80 on staging.")}, {2, "", states("The port is now 81 on production.")}},
			[]string{"The port is now 80 on staging.", "The port is now 81 on production."}, nil,
		},
		{
			"a transcript that ends with what is known", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The API port is now 81.", "The API port is now 80.")}},
			[]string{"The API port is now 80."}, []string{"The API port is now 81."},
		},
		{
			"a transcript that begins with what is known", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The API port is now 80.", "The API port is now 81.")}},
			[]string{"The API port is now 81."}, []string{"The API port is now 80."},
		},

		// What isn't noticed, by what the documentation says.
		{
			"not: preferences", []batch{{1, "", []distill.Fact{fact(distill.Preference, "The editor is now Vim.")}}, {2, "", []distill.Fact{fact(distill.Preference, "The editor is now Emacs.")}}},
			[]string{"The editor is now Emacs.", "The editor is now Vim."}, nil,
		},
		{
			"not: another name", []batch{{1, "", states("The port is now 80.")}, {2, "", states("The API port is now 81.")}},
			[]string{"The API port is now 81.", "The port is now 80."}, nil,
		},
		{
			"not: no word for a state", []batch{{1, "", states("Ana moved to Bonn.")}, {2, "", states("Ana moved to Berlin.")}},
			[]string{"Ana moved to Berlin.", "Ana moved to Bonn."}, nil,
		},
		{
			"not: taken back", []batch{{1, "", states("The API port is now 80.")}, {2, "", states("The API has no port any more.")}},
			[]string{"The API has no port any more.", "The API port is now 80."}, nil,
		},
		{
			"not: said quite differently", []batch{{1, "", states("Ana eats no meat.")}, {2, "", states("Ana is a vegetarian.")}},
			[]string{"Ana eats no meat.", "Ana is a vegetarian."}, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := open(t, contextforge.Config{})
			for i, b := range c.batches {
				distillTo(t, m, gives("", b.facts...), contextforge.DistillOptions{Scope: b.scope, Timestamp: day(b.day)})
				if i == len(c.batches)-1 {
					if got := holding(t, m, b.scope, contextforge.KindFact); !slices.Equal(got, c.live) {
						t.Errorf("live are %q, want %q", got, c.live)
					}
					if got := holding(t, m, b.scope, contextforge.KindSuperseded); !slices.Equal(got, append([]string{}, c.replaced...)) {
						t.Errorf("superseded are %q, want %q", got, c.replaced)
					}
				}
			}
		})
	}
}

func TestSupersededFact(t *testing.T) {
	clock := newClock()
	m := open(t, contextforge.Config{Clock: clock.Now, Embedder: newBag()})
	o := contextforge.DistillOptions{Scope: "s", Metadata: map[string]any{"who": "Ana"}}
	first := distillTo(t, m, gives("", states("The API port is now 80.")...), o)
	old, err := m.Get(ctx, first.IDs[0])
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	second := distillTo(t, m, gives("", states("The API port is now 81.")...), o)
	want := []contextforge.Supersession{{old.ID, old.Content, second.IDs[0], "The API port is now 81."}}
	if !reflect.DeepEqual(second.Superseded, want) {
		t.Errorf("superseded %+v, want %+v", second.Superseded, want)
	}

	now, err := m.Get(ctx, old.ID)
	if err != nil {
		t.Fatal(err)
	}
	wantMeta := fmt.Sprintf(`{"fact_kind":"state","source":"distill","superseded_by":%q,"superseded_kind":"fact","who":"Ana"}`, second.IDs[0])
	if now.Kind != contextforge.KindSuperseded || string(now.Metadata) != wantMeta || !now.UpdatedAt.Equal(clock.Now()) ||
		now.Content != old.Content || !now.Timestamp.Equal(old.Timestamp) || !now.CreatedAt.Equal(old.CreatedAt) {
		t.Errorf("it is %+v (%s) now", now, now.Metadata)
	}
	versions, err := m.History(ctx, old.ID)
	if err != nil || len(versions) != 1 || !reflect.DeepEqual(versions[0], old) {
		t.Errorf("history %+v, %v", versions, err)
	}
	if s, err := m.Stats(ctx); err != nil || s.Embedded != 2 || s.Waiting != 0 {
		t.Errorf("%d embedded, %d waiting, %v", s.Embedded, s.Waiting, err)
	}
	if n, err := m.Count(ctx, contextforge.Filter{Scope: "s"}); n != 2 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}

	both, one := []string{second.IDs[0], old.ID}, second.IDs
	for name, c := range map[string]struct {
		o    contextforge.QueryOptions
		want []string
	}{
		"plain":    {contextforge.QueryOptions{}, one},
		"scope":    {contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "s"}}, one},
		"kinds":    {contextforge.QueryOptions{Filter: contextforge.Filter{Kinds: []string{contextforge.KindFact}}}, one},
		"included": {contextforge.QueryOptions{IncludeSuperseded: true}, both},
		"named":    {contextforge.QueryOptions{Filter: contextforge.Filter{Kinds: []string{contextforge.KindSuperseded}}}, []string{old.ID}},
		"of kinds": {contextforge.QueryOptions{IncludeSuperseded: true, Filter: contextforge.Filter{Kinds: []string{contextforge.KindFact}}}, one},
	} {
		sorted := slices.Sorted(slices.Values(c.want))
		for _, question := range []string{"API port", "*"} {
			if got := slices.Sorted(slices.Values(ask(t, m, question, c.o))); !slices.Equal(got, sorted) {
				t.Errorf("%s: %q finds %q, want %q", name, question, got, sorted)
			}
		}
		hits, err := m.QueryByVector(ctx, newBag().vector("The API port is now 80."), c.o)
		if got := slices.Sorted(slices.Values(ids(hits))); err != nil || !slices.Equal(got, sorted) {
			t.Errorf("%s: by vector %q, %v, want %q", name, got, err, sorted)
		}
		if like, err := m.MoreLike(ctx, second.IDs[0], c.o); err != nil || slices.Contains(ids(like), old.ID) != slices.Contains(c.want, old.ID) {
			t.Errorf("%s: more like it are %q, %v", name, ids(like), err)
		}
	}

	// It can be brought back.
	kind := contextforge.KindFact
	if _, err := m.Update(ctx, old.ID, contextforge.Change{Kind: &kind}); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, m, "API port", contextforge.QueryOptions{}); len(got) != 2 {
		t.Errorf("brought back: %q", got)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// Superseded entries are left out however many they are, and after a reopening.
func TestSupersededEntriesTakeNoPlaces(t *testing.T) {
	pairs := memkv.New()
	m := open(t, contextforge.Config{KV: keepOpen{pairs}})
	for i := range 300 {
		distillTo(t, m, gives("", states(fmt.Sprintf("The API port is now %d.", i))...), contextforge.DistillOptions{Timestamp: day(1).Add(time.Duration(i) * time.Minute)})
	}
	want := []string{"The API port is now 299."}
	for range 2 {
		for _, question := range []string{"API port", "*"} {
			if got := contents(t, m, question, contextforge.QueryOptions{Limit: 5}); !slices.Equal(got, want) {
				t.Errorf("%q finds %q", question, got)
			}
			if got := contents(t, m, question, contextforge.QueryOptions{Limit: 5, IncludeSuperseded: true}); len(got) != 5 {
				t.Errorf("%q finds %q of all", question, got)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		m = open(t, contextforge.Config{KV: keepOpen{pairs}})
	}
}

// keepOpen is a store that outlives the memory on it.
type keepOpen struct{ *memkv.Store }

func (keepOpen) Close() error { return nil }

func TestDistillKeeps(t *testing.T) {
	facts := states("The API port is now 80.", "It rains.", "The API port is now 81.", "it rains")
	for _, c := range []struct {
		name             string
		o                contextforge.DistillOptions
		live, superseded int // after two
	}{
		{"nothing", contextforge.DistillOptions{}, 2, 1},
		{"duplicates", contextforge.DistillOptions{KeepDuplicates: true}, 6, 2},
		{"superseded", contextforge.DistillOptions{KeepSuperseded: true}, 3, 0},
		{"both", contextforge.DistillOptions{KeepDuplicates: true, KeepSuperseded: true}, 8, 0},
	} {
		m := open(t, contextforge.Config{})
		for range 2 {
			distillTo(t, m, gives("", facts...), c.o)
		}
		live, superseded := len(holding(t, m, "", contextforge.KindFact)), len(holding(t, m, "", contextforge.KindSuperseded))
		if live != c.live || superseded != c.superseded {
			t.Errorf("%s: %d live, %d superseded, want %d, %d", c.name, live, superseded, c.live, c.superseded)
		}
	}
}

// Facts that somebody saved by other means are known as duplicates, but say
// nothing of their kind; metadata may be anything.
func TestFactsOfOthers(t *testing.T) {
	m := open(t, contextforge.Config{})
	for _, meta := range []any{nil, 3, "x", []int{1}, map[string]any{"fact_kind": 7}, map[string]any{"fact_kind": "correction"}} {
		_, err := m.Save(ctx, fmt.Sprintf("The API port is now 80, says %v.", meta), contextforge.KindFact, contextforge.SaveOptions{Metadata: meta})
		if err != nil {
			t.Fatal(err)
		}
	}
	save(t, m, "It rains.", contextforge.SaveOptions{}) // no fact
	for _, kind := range []string{contextforge.KindFact, contextforge.KindFact} {
		if _, err := m.Save(ctx, "It snows.", kind, contextforge.SaveOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	res := distillTo(t, m, gives("", states("The API port is now 81.", "It rains.", "It snows.")...), contextforge.DistillOptions{})
	if len(res.Facts) != 2 || len(res.Superseded) != 0 || len(res.Skipped) != 1 || res.Skipped[0].Fact.Text != "It snows." {
		t.Errorf("%+v", res)
	}
}

// What has expired is neither a duplicate nor superseded.
func TestExpiredFactsAreGone(t *testing.T) {
	clock := newClock()
	m := open(t, contextforge.Config{Clock: clock.Now})
	facts := states("The API port is now 80.", "It rains.")
	distillTo(t, m, gives("", facts...), contextforge.DistillOptions{TTL: time.Minute})
	clock.Advance(time.Hour)
	facts[0].Text = "The API port is now 81."
	res := distillTo(t, m, gives("", facts...), contextforge.DistillOptions{})
	if len(res.Facts) != 2 || len(res.Superseded) != 0 || len(stored(t, m)) != 2 {
		t.Errorf("%+v", res)
	}
}

// Two that give the same in the same order leave the same, bit for bit.
func TestDistillIsDeterministic(t *testing.T) {
	state := func() []contextforge.Entry {
		m := open(t, contextforge.Config{Clock: newClock().Now, Rand: strings.NewReader(strings.Repeat("0123456789abcdef", 1000))})
		for i := range 10 {
			var facts []distill.Fact
			for k := range 12 {
				facts = append(facts, states(fmt.Sprintf("The setting %d is now %d.", k%5, (i*k)%7), fmt.Sprintf("Fact %d of %d.", k, i%3))...)
			}
			distillTo(t, m, gives(fmt.Sprint("Sum ", i), facts...), contextforge.DistillOptions{Timestamp: day(1 + (i*7)%10), Metadata: map[string]int{"b": 1, "a": 2}})
		}
		return stored(t, m)
	}
	if a, b := state(), state(); !reflect.DeepEqual(a, b) {
		t.Errorf("\n%+v\nand\n%+v", a, b)
	}
}

// A summary is there once, however often its transcript is distilled.
func TestSummaryOnce(t *testing.T) {
	m := open(t, contextforge.Config{})
	first := distillTo(t, m, gives("They talked of the port, then of the rain."), contextforge.DistillOptions{Scope: "s"})
	again := distillTo(t, m, gives("They talked of the port, then of the rain!"), contextforge.DistillOptions{Scope: "s"})
	if len(again.IDs) != 0 || again.StoredSummary != first.IDs[0] || len(stored(t, m)) != 1 {
		t.Errorf("%+v after %+v", again, first)
	}
	for _, c := range []struct {
		summary string
		o       contextforge.DistillOptions
	}{
		{"They talked of the port, then of the rain.", contextforge.DistillOptions{}},
		{"They talked of the port, then of the rain.", contextforge.DistillOptions{Scope: "s", KeepDuplicates: true}},
		{"They talked of the rain, then of the port.", contextforge.DistillOptions{Scope: "s"}},
	} {
		if res := distillTo(t, m, gives(c.summary), c.o); len(res.IDs) != 1 || res.StoredSummary != "" {
			t.Errorf("%q, %+v: %+v", c.summary, c.o, res)
		}
	}
}
