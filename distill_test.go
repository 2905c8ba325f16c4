package contextforge_test

// DistillAndSave: what is saved of a transcript, in which order and with what; what
// never gets that far; and that a failure leaves nothing behind.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/render"
)

// gives is a distiller that always gives the same.
func gives(summary string, facts ...distill.Fact) distill.Distiller {
	return distill.DistillerFunc(func(context.Context, string) (distill.DistilledMemory, error) {
		return distill.DistilledMemory{Summary: summary, Facts: facts}, nil
	})
}

func fact(kind distill.Kind, text string) distill.Fact { return distill.Fact{Kind: kind, Text: text} }

func states(texts ...string) (list []distill.Fact) {
	for _, text := range texts {
		list = append(list, fact(distill.State, text))
	}
	return list
}

// distillTo saves what d gives, which must succeed.
func distillTo(t *testing.T, m *contextforge.Memory, d distill.Distiller, o contextforge.DistillOptions) contextforge.DistillResult {
	t.Helper()
	res, err := m.DistillAndSave(ctx, "User: a transcript", d, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// stored returns every entry, in the order of saving.
func stored(t *testing.T, m *contextforge.Memory) (list []contextforge.Entry) {
	t.Helper()
	for e, err := range m.List(ctx, contextforge.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b contextforge.Entry) int { return strings.Compare(a.ID, b.ID) })
	return list
}

func metadata(t *testing.T, e *contextforge.Entry) map[string]any {
	t.Helper()
	out := map[string]any{}
	if len(e.Metadata) > 0 {
		if err := json.Unmarshal(e.Metadata, &out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// token is a secret, put together here so that it stands nowhere.
func token() string { return "ghp_" + strings.Repeat("a1B2", 9) }

func TestDistillRows(t *testing.T) {
	t.Run("row 48: scrubbed, in order, with kinds and metadata", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		var seen string
		d := distill.DistillerFunc(func(_ context.Context, transcript string) (distill.DistilledMemory, error) {
			seen = transcript
			return distill.DistilledMemory{Summary: "They talked of " + token(), Facts: []distill.Fact{
				fact(distill.Decision, "Deploys happen on Fridays."), fact(distill.Preference, "Ana likes "+token()+" short."),
			}}, nil
		})
		res, err := m.DistillAndSave(ctx, "User: my key is "+token()+", keep it", d, contextforge.DistillOptions{Scope: "s", SessionID: "one"})
		if err != nil {
			t.Fatal(err)
		}
		if want := "User: my key is [REDACTED:github-token], keep it"; seen != want {
			t.Errorf("distilled was %q, want %q", seen, want)
		}
		list := stored(t, m)
		if len(list) != 3 || len(res.IDs) != 3 {
			t.Fatalf("%d entries, %d ids", len(list), len(res.IDs))
		}
		for i, want := range []struct{ kind, content, meta string }{
			{contextforge.KindSummary, "They talked of [REDACTED:github-token]", ``},
			{contextforge.KindFact, "Deploys happen on Fridays.", `{"fact_kind":"decision","source":"distill"}`},
			{contextforge.KindFact, "Ana likes [REDACTED:github-token] short.", `{"fact_kind":"preference","source":"distill"}`},
		} {
			e := list[i]
			if e.ID != res.IDs[i] || e.Kind != want.kind || e.Content != want.content || string(e.Metadata) != want.meta || e.Scope != "s" || e.SessionID != "one" {
				t.Errorf("entry %d is %+v (%s), want %+v", i, e, e.Metadata, want)
			}
		}
	})
	t.Run("row 49: 84 facts are cut to 64", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		var facts []distill.Fact
		for i := range 84 {
			facts = append(facts, fact(distill.Decision, fmt.Sprintf("Fact number %d.", i)))
		}
		res := distillTo(t, m, gives("A summary.", facts...), contextforge.DistillOptions{})
		if len(res.IDs) != 65 || len(res.Facts) != 64 || len(res.Skipped) != 20 || len(stored(t, m)) != 65 {
			t.Errorf("%d ids, %d facts, %d skipped, %d entries", len(res.IDs), len(res.Facts), len(res.Skipped), len(stored(t, m)))
		}
		if res.Facts[63] != facts[63] || res.Skipped[0] != (contextforge.SkippedFact{Fact: facts[64], Reason: distill.ReasonSize}) {
			t.Errorf("the last is %v, the first skipped %v", res.Facts[63], res.Skipped[0])
		}
	})
}

func TestW19EmptyFactsLoseNothing(t *testing.T) {
	for _, c := range []struct {
		name, summary string
		facts         []distill.Fact
		saved         int
		reasons       []distill.Reason
	}{
		{"an empty fact", "Sum.", []distill.Fact{fact(distill.State, " \n"), fact(distill.State, "It rains.")}, 2, []distill.Reason{distill.ReasonEmpty}},
		{"an unknown kind", "Sum.", []distill.Fact{fact("rumour", "It snows."), fact(distill.State, "It rains.")}, 2, []distill.Reason{distill.ReasonKind}},
		{"an empty summary", " ", states("It rains."), 1, nil},
		{"only a summary", "Sum.", nil, 1, nil},
		{"nothing", "", states("", "\t"), 0, []distill.Reason{distill.ReasonEmpty, distill.ReasonEmpty}},
	} {
		t.Run(c.name, func(t *testing.T) {
			saves := 0
			m := open(t, contextforge.Config{Hooks: contextforge.Hooks{Saved: func(context.Context, contextforge.SaveTrace) { saves++ }}})
			res := distillTo(t, m, gives(c.summary, c.facts...), contextforge.DistillOptions{})
			var reasons []distill.Reason
			for _, s := range res.Skipped {
				reasons = append(reasons, s.Reason)
			}
			if n := len(stored(t, m)); n != c.saved || len(res.IDs) != c.saved || !slices.Equal(reasons, c.reasons) || saves != min(1, c.saved) {
				t.Errorf("%d entries, %d ids, skipped for %v, %d commits; want %d, %v", n, len(res.IDs), reasons, saves, c.saved, c.reasons)
			}
		})
	}
}

// A secret that a cap would cut in two is gone before that.
func TestW20SecretAtTheCap(t *testing.T) {
	secret := token()
	for _, c := range []struct {
		name string
		cap  int
		make func(text string) (string, []distill.Fact)
	}{
		{"fact", distill.MaxFactChars, func(text string) (string, []distill.Fact) { return "Sum.", states(text) }},
		{"summary", distill.MaxSummaryChars, func(text string) (string, []distill.Fact) { return text, nil }},
	} {
		for before := c.cap - len(secret); before <= c.cap; before += 4 {
			m := open(t, contextforge.Config{})
			summary, facts := c.make(strings.Repeat("été  ", c.cap)[:before+before/5*2] + " " + secret + " and more")
			distillTo(t, m, gives(summary, facts...), contextforge.DistillOptions{})
			for _, e := range stored(t, m) {
				if strings.Contains(e.Content, secret[:8]) || len([]rune(e.Content)) > c.cap {
					t.Errorf("%s, %d before: stored %d chars that end in %q", c.name, before, len([]rune(e.Content)), e.Content[max(0, len(e.Content)-40):])
				}
			}
		}
	}
}

func TestDistillProvenance(t *testing.T) {
	clock := newClock()
	m := open(t, contextforge.Config{Clock: clock.Now})
	since, until := clock.Now().Add(-48*time.Hour), clock.Now().Add(-47*time.Hour)
	berlin := time.FixedZone("Berlin", 7200)
	for _, c := range []struct {
		name string
		o    contextforge.DistillOptions
		at   time.Time
		meta map[string]any // of the summary; facts have fact_kind and source besides
	}{
		{"none", contextforge.DistillOptions{}, clock.Now(), map[string]any{}},
		{
			"span", contextforge.DistillOptions{Since: since.In(berlin), Until: until, SessionID: "s", TTL: time.Hour}, until,
			map[string]any{"distilled_since": since.Format(time.RFC3339), "distilled_until": until.Format(time.RFC3339)},
		},
		{
			"timestamp", contextforge.DistillOptions{Until: until, Timestamp: since, Scope: "x"}, since,
			map[string]any{"distilled_until": until.Format(time.RFC3339)},
		},
		{
			"metadata", contextforge.DistillOptions{Metadata: map[string]any{"n": int64(12345678901234567), "a": "<b>", "source": "chat", "fact_kind": 3}}, clock.Now(),
			map[string]any{"n": 12345678901234567.0, "a": "<b>", "source": "chat", "fact_kind": 3.0},
		},
		{"struct", contextforge.DistillOptions{Metadata: struct{ Who string }{"Ana"}}, clock.Now(), map[string]any{"Who": "Ana"}},
		{"empty object", contextforge.DistillOptions{Metadata: json.RawMessage(`{ }`)}, clock.Now(), map[string]any{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.KeepDuplicates = true
			res := distillTo(t, m, gives("Sum.", fact(distill.Correction, "It is a fact.")), c.o)
			for i, id := range res.IDs {
				e, err := m.Get(ctx, id)
				if err != nil {
					t.Fatal(err)
				}
				if !e.Timestamp.Equal(c.at) || e.SessionID != c.o.SessionID || e.Scope != c.o.Scope || e.ExpiresAt.IsZero() != (c.o.TTL == 0) || !e.CreatedAt.Equal(clock.Now()) {
					t.Errorf("%+v, want time %v", e, c.at)
				}
				want := c.meta
				if i > 0 {
					want = map[string]any{}
					for k, v := range c.meta {
						want[k] = v
					}
					want["fact_kind"], want["source"] = "correction", "distill"
				}
				if got := metadata(t, &e); !reflect.DeepEqual(got, want) {
					t.Errorf("metadata %v, want %v", got, want)
				}
				if c.name == "metadata" && !strings.Contains(string(e.Metadata), `"n":12345678901234567`) {
					t.Errorf("a number has changed: %s", e.Metadata)
				}
			}
		})
	}
}

// What a query gave is cut out; text that only looks a bit like it isn't.
func TestRecalledMemoryIsNotDistilledAgain(t *testing.T) {
	m := open(t, contextforge.Config{})
	save(t, m, "The moon base has seven doors.", contextforge.SaveOptions{})
	for _, style := range []render.Style{render.Markdown, render.XML, render.JSON} {
		block, hits, err := m.QueryBlock(ctx, "moon doors", contextforge.QueryOptions{}, render.Options{Style: style})
		if err != nil || len(hits) == 0 {
			t.Fatalf("%v, %v", hits, err)
		}
		seen := ""
		d := distill.DistillerFunc(func(_ context.Context, transcript string) (distill.DistilledMemory, error) {
			seen = transcript
			return distill.DistilledMemory{}, nil
		})
		if _, err := m.DistillAndSave(ctx, "User: how many doors?\n"+block+"\nAssistant: as the memory says.\n", d, contextforge.DistillOptions{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(seen, "seven") || !strings.Contains(seen, "how many doors?") || !strings.Contains(seen, "as the memory says.") {
			t.Errorf("style %v: distilled was %q", style, seen)
		}
		seen = "nothing"
		res, err := m.DistillAndSave(ctx, "\n"+block+"\n\n", d, contextforge.DistillOptions{})
		if err != nil || seen != "nothing" || len(res.IDs) != 0 {
			t.Errorf("style %v: a transcript of recalled memory alone was distilled as %q, %v", style, seen, err)
		}
	}
}

func TestDistillRefuses(t *testing.T) {
	m := open(t, contextforge.Config{})
	asked := false
	d := distill.DistillerFunc(func(context.Context, string) (distill.DistilledMemory, error) {
		asked = true
		return distill.DistilledMemory{}, nil
	})
	now := time.Unix(1e9, 0)
	for name, c := range map[string]struct {
		d    distill.Distiller
		o    contextforge.DistillOptions
		want error
	}{
		"no distiller":         {nil, contextforge.DistillOptions{}, contextforge.ErrInvalidConfig},
		"a list for metadata":  {d, contextforge.DistillOptions{Metadata: []int{1}}, contextforge.ErrInvalidEntry},
		"a text for metadata":  {d, contextforge.DistillOptions{Metadata: "x"}, contextforge.ErrInvalidEntry},
		"a func for metadata":  {d, contextforge.DistillOptions{Metadata: func() {}}, contextforge.ErrInvalidEntry},
		"an end before begin":  {d, contextforge.DistillOptions{Since: now, Until: now.Add(-1)}, contextforge.ErrInvalidEntry},
		"a negative TTL":       {d, contextforge.DistillOptions{TTL: -1}, contextforge.ErrInvalidEntry},
		"a scope that is long": {d, contextforge.DistillOptions{Scope: strings.Repeat("x", 1<<16)}, contextforge.ErrInvalidEntry},
		"a time far away":      {d, contextforge.DistillOptions{Timestamp: time.Unix(1<<50, 0)}, contextforge.ErrInvalidEntry},
	} {
		if _, err := m.DistillAndSave(ctx, "text", c.d, c.o); !errors.Is(err, c.want) || asked {
			t.Errorf("%s: %v, asked %v", name, err, asked)
		}
	}
	if n := len(stored(t, m)); n != 0 {
		t.Errorf("%d entries", n)
	}
}

// refusingKV is a kv.Store whose commits fail while err is set.
type refusingKV struct {
	kv.Store
	err atomic.Pointer[error]
}

func (r *refusingKV) Commit(b kv.Batch, d kv.Durability) error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return r.Store.Commit(b, d)
}

// Whatever fails, the memory is as it was, and works.
func TestDistillFailureLeavesTheMemoryAlone(t *testing.T) {
	boom := errors.New("boom")
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	facts := append(states("The API port is now 81."), fact(distill.Preference, "Ana likes tea."))
	for _, c := range []struct {
		name  string
		ctx   func() (context.Context, context.CancelFunc)
		d     func(stop context.CancelFunc) distill.Distiller
		store error
		want  error
	}{
		{"the distiller", nil, func(context.CancelFunc) distill.Distiller {
			return distill.DistillerFunc(func(context.Context, string) (distill.DistilledMemory, error) {
				return distill.DistilledMemory{Summary: "S", Facts: facts}, boom
			})
		}, nil, boom},
		{"a chunk", nil, func(context.CancelFunc) distill.Distiller {
			n := 0
			return distill.Chunking(distill.DistillerFunc(func(context.Context, string) (distill.DistilledMemory, error) {
				if n++; n == 2 {
					return distill.DistilledMemory{}, boom
				}
				return distill.DistilledMemory{Summary: "S", Facts: facts}, nil
			}), 5, distill.ChunkOptions{})
		}, nil, boom},
		{"the context before", func() (context.Context, context.CancelFunc) { return cancelled, cancel }, func(context.CancelFunc) distill.Distiller { return gives("S", facts...) }, nil, context.Canceled},
		{"the context meanwhile", nil, func(stop context.CancelFunc) distill.Distiller {
			return distill.DistillerFunc(func(context.Context, string) (distill.DistilledMemory, error) {
				stop()
				return distill.DistilledMemory{Summary: "S", Facts: facts}, nil
			})
		}, nil, context.Canceled},
		{"the store", nil, func(context.CancelFunc) distill.Distiller { return gives("S", facts...) }, boom, boom},
	} {
		t.Run(c.name, func(t *testing.T) {
			pairs := &refusingKV{Store: memkv.New()}
			m := open(t, contextforge.Config{KV: pairs})
			distillTo(t, m, gives("Before.", states("The API port is now 80.", "It rains.")...), contextforge.DistillOptions{})
			before := stored(t, m)
			goroutines := runtime.NumGoroutine()
			use, stop := context.WithCancel(ctx)
			defer stop()
			if c.ctx != nil {
				use, _ = c.ctx()
			}
			if c.store != nil {
				pairs.err.Store(&c.store)
			}
			res, err := m.DistillAndSave(use, "User: hello there, this is long", c.d(stop), contextforge.DistillOptions{})
			if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "contextforge: distill: ") || !reflect.DeepEqual(res, contextforge.DistillResult{}) {
				t.Errorf("%+v, %v", res, err)
			}
			pairs.err.Store(nil)
			if after := stored(t, m); !reflect.DeepEqual(before, after) {
				t.Errorf("before\n%+v\nafter\n%+v", before, after)
			}
			if n := runtime.NumGoroutine(); n > goroutines {
				t.Errorf("%d goroutines, %d before", n, goroutines)
			}
			if res := distillTo(t, m, gives("After.", facts...), contextforge.DistillOptions{}); len(res.IDs) != 3 || len(res.Superseded) != 1 {
				t.Errorf("afterwards: %+v", res)
			}
			if err := m.Verify(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	m := open(t, contextforge.Config{})
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.DistillAndSave(ctx, "x", gives("S", facts...), contextforge.DistillOptions{}); !errors.Is(err, contextforge.ErrClosed) {
		t.Errorf("a closed memory: %v", err)
	}
}

// A distiller that was told to go on has its part saved, and says so.
func TestDistillPartly(t *testing.T) {
	m := open(t, contextforge.Config{})
	n := 0
	inner := distill.DistillerFunc(func(_ context.Context, chunk string) (distill.DistilledMemory, error) {
		if n++; n == 1 {
			return distill.DistilledMemory{}, errors.New("busy")
		}
		return distill.DistilledMemory{Summary: "Part.", Facts: states("Chunk: " + strings.TrimSpace(chunk))}, nil
	})
	d := distill.Chunking(inner, 8, distill.ChunkOptions{Policy: distill.KeepSucceeded})
	res, err := m.DistillAndSave(ctx, "a first\nb second\n", d, contextforge.DistillOptions{})
	if err != nil || res.Partial == nil || len(res.Partial.Failed) != 1 || len(res.IDs) != len(stored(t, m)) || len(res.IDs) < 2 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestDistillDryRun(t *testing.T) {
	m := open(t, contextforge.Config{})
	distillTo(t, m, gives("Before.", states("The API port is now 80.", "It rains.")...), contextforge.DistillOptions{})
	before := stored(t, m)
	o := contextforge.DistillOptions{DryRun: true}
	facts := states("The API port is now 81.", "It rains.", "The deploy day is now Monday.", "The deploy day is now Friday.", "the deploy day is Friday")
	res := distillTo(t, m, gives("After.", facts...), o)
	if after := stored(t, m); !reflect.DeepEqual(before, after) {
		t.Errorf("a dry run changes\n%+v\nto\n%+v", before, after)
	}
	want := contextforge.DistillResult{
		IDs: []string{}, Summary: "After.", Facts: []distill.Fact{facts[0], facts[2], facts[3]},
		Skipped: []contextforge.SkippedFact{{facts[1], contextforge.SkippedStored, before[2].ID}, {facts[4], contextforge.SkippedRepeated, ""}},
		Superseded: []contextforge.Supersession{
			{Content: facts[2].Text, ByContent: facts[3].Text}, {ID: before[1].ID, Content: before[1].Content, ByContent: facts[0].Text},
		},
	}
	if !reflect.DeepEqual(res, want) {
		t.Errorf("\n%+v, want\n%+v", res, want)
	}
	o.DryRun = false
	wet := distillTo(t, m, gives("After.", facts...), o)
	if !reflect.DeepEqual(wet.Facts, res.Facts) || len(wet.Superseded) != 2 || len(wet.Skipped) != 2 || len(wet.IDs) != 4 {
		t.Errorf("then it does %+v", wet)
	}
	text, err := json.Marshal(contextforge.DistillResult{IDs: []string{"x"}})
	if want := `{"ids":["x"],"summary":"","facts":null,"skipped":null,"superseded":null}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// Secrets are reported and redacted, unless that is switched off.
func TestDistillScrubSwitchedOff(t *testing.T) {
	m := open(t, contextforge.Config{Scrub: contextforge.ScrubConfig{Disabled: true}})
	distillTo(t, m, gives("S "+token()), contextforge.DistillOptions{})
	if e := stored(t, m)[0]; e.Content != "S "+token() {
		t.Errorf("%q", e.Content)
	}
}
