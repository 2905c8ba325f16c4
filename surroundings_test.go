package contextforge_test

// What the look at the turns around an entry leaves alone: filters and bounds, entries
// without a session, other ways to ask; and how its scores come about.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

// sameScores reports whether two answers are the same to the bit.
func sameScores(a, b []contextforge.Hit) bool {
	return slices.EqualFunc(a, b, func(a, b contextforge.Hit) bool {
		return a.ID == b.ID && a.Score == b.Score && a.Explain.Fused == b.Explain.Fused && a.Explain.Decay == b.Explain.Decay
	})
}

var noteWords = strings.Fields("red car vehicle garden house abode cat tree stone river blue lamp paper doctor")

func noteText(rng *rand.Rand) string {
	words := make([]string, 2+rng.IntN(12))
	for i := range words {
		words[i] = noteWords[rng.IntN(len(noteWords))]
	}
	return strings.Join(words, " ")
}

// saveNotes saves notes without a session, and returns their number.
func saveNotes(t *testing.T, m *contextforge.Memory, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var items []contextforge.Item
	for i := range n {
		items = append(items, contextforge.Item{Content: noteText(rng), Kind: "note", SaveOptions: contextforge.SaveOptions{
			ID: fmt.Sprint("note", i), Timestamp: mayDay.Add(-time.Duration(i) * time.Hour),
		}})
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
}

func searchesOnly(o contextforge.QueryOptions) contextforge.QueryOptions {
	o.Ranking = searchesAlone()
	o.Ranking.Calibrate = true
	return o
}

// Notes and documents alone have the very scores of the searches.
func TestNotesKeepTheirScores(t *testing.T) {
	for _, e := range []contextforge.Embedder{nil, newBag()} {
		m := open(t, contextforge.Config{Embedder: e, Clock: func() time.Time { return mayDay }})
		saveNotes(t, m, 300)
		for _, question := range []string{"red car", "the garden of the doctor", "abode", "paper", "when did the cat climb the tree?"} {
			for _, o := range []contextforge.QueryOptions{{}, all(), {Limit: 7}, {Filter: contextforge.Filter{Kinds: []string{"note"}}}} {
				if got, want := query(t, m, question, o), query(t, m, question, searchesOnly(o)); !sameScores(got, want) || len(got) == 0 {
					t.Errorf("%s: %d and %d hits, or others", question, len(got), len(want))
				}
			}
		}
	}
}

// Beside conversations notes keep what the searches say of them, to the bit; only the
// best of all that both are divided by can be a turn with what its neighbours lend.
func TestNotesBesideConversations(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newBag(), Clock: func() time.Time { return mayDay }})
	saveNotes(t, m, 100)
	say(t, m, "s", mayDay.Add(-time.Hour), "Is the red car yours?", "The vehicle is from a doctor.", "Nice garden, too.", "The red one or the blue one?", "paper")
	share := contextforge.RankingDefault().LexicalShare
	for _, question := range []string{"red car", "garden of the doctor", "abode and tree"} {
		o := all()
		o.Ranking = uncalibrated()
		hits := query(t, m, question, o)
		words, meaning := 0.0, 0.0
		for _, h := range hits {
			words, meaning = max(words, h.Explain.Words), max(meaning, h.Explain.Meaning)
		}
		turns := 0
		for _, h := range hits {
			x := h.Explain
			if h.SessionID != "" {
				turns++
				continue
			}
			if x.Words != x.Lexical.Score || x.Meaning != x.Semantic.Score || x.Prior != 1 {
				t.Errorf("%s: %v, words %v, meaning %v, prior %v", question, x, x.Words, x.Meaning, x.Prior)
			}
			if want := share*x.Words/words + (1-share)*(1+x.Meaning)/(1+meaning); math.Abs(x.Fused-want) > 1e-12 {
				t.Errorf("%s: fused %v, want %v", question, x.Fused, want)
			}
		}
		if turns != 5 || len(hits) != 105 {
			t.Errorf("%s: %d turns of %d hits", question, turns, len(hits))
		}
	}
}

// Within one scope words weigh as if the memory held that scope alone.
func TestWordsOfOneScope(t *testing.T) {
	alone, among := open(t, contextforge.Config{}), open(t, contextforge.Config{})
	for _, m := range []*contextforge.Memory{alone, among} {
		for i, text := range []string{"the red car", "a red garden", "paper on the table", "the doctor has a car"} {
			save(t, m, text, contextforge.SaveOptions{ID: fmt.Sprint(i), Scope: "mine", SessionID: strings.Repeat("s", i%2), Timestamp: mayDay})
		}
	}
	saveNotes(t, among, 200)
	o := all()
	o.Scope = "mine"
	got, want := hitsByID(query(t, among, "red car", o)), hitsByID(query(t, alone, "red car", o))
	for id, h := range want {
		if got[id].Explain.Words != h.Explain.Words || math.Abs(got[id].Score-h.Score) > 1e-12 {
			t.Errorf("%s: %v among others, %v alone", id, got[id].Explain, h.Explain)
		}
	}
	if len(got) != 3 || len(want) != 3 {
		t.Errorf("%d and %d hits", len(got), len(want))
	}
}

// gathering is a memory of conversations whose turns differ in all that a filter knows.
func gathering(t *testing.T, e contextforge.Embedder) *contextforge.Memory {
	t.Helper()
	m := open(t, contextforge.Config{Clock: func() time.Time { return mayDay }, Embedder: e})
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var items []contextforge.Item
	for i := range 400 {
		it := contextforge.Item{Content: noteText(rng), Kind: pick("turn", "turn", "note", contextforge.KindSuperseded)}
		it.ID, it.Scope, it.SessionID = fmt.Sprint(i), pick("", "a", "b"), pick("", "s", "s", "t")
		it.Timestamp = mayDay.Add(time.Duration(i/3) * time.Minute)
		if rng.IntN(5) == 0 {
			it.TTL = time.Hour
		}
		if rng.IntN(2) == 0 {
			it.Metadata = map[string]int{"n": rng.IntN(2)}
		}
		switch rng.IntN(20) {
		case 0, 1:
			it.Content = attack
		case 2, 3:
			it.Content += " zebra"
		}
		items = append(items, it)
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNeighboursRespectTheFilter(t *testing.T) {
	m := gathering(t, nil)
	for name, f := range map[string]contextforge.Filter{
		"none": {}, "scope": {Scope: "a"}, "global": {GlobalOnly: true}, "kinds": {Kinds: []string{"note"}}, "session": {SessionID: "s"},
		"superseded alone": {Kinds: []string{contextforge.KindSuperseded}},
		"since":            {Since: mayDay.Add(50 * time.Minute)}, "until": {Until: mayDay.Add(60 * time.Minute)},
		"metadata": {Metadata: map[string]any{"n": 1}}, "missing metadata": {Metadata: map[string]any{"n": nil}},
		"all": {Scope: "b", Kinds: []string{"turn", "note"}, SessionID: "s", Since: mayDay.Add(10 * time.Minute), Until: mayDay.Add(100 * time.Minute)},
	} {
		for _, o := range []contextforge.QueryOptions{{}, {IncludeSuperseded: true}, {AsOf: mayDay.Add(2 * time.Hour)}, {Suspicious: contextforge.SuspiciousExclude}} {
			o.Filter, o.TokenBudget = f, contextforge.Unlimited
			surrounded := 0
			for _, h := range query(t, m, "zebra", o) {
				superseded := h.Kind == contextforge.KindSuperseded && !o.IncludeSuperseded && len(f.Kinds) == 0
				expired := !h.ExpiresAt.IsZero() && !o.AsOf.IsZero() && !h.ExpiresAt.After(o.AsOf)
				if !matches(t, h.Entry, f) || superseded || expired || o.Suspicious == contextforge.SuspiciousExclude && len(h.Suspicious) > 0 {
					t.Errorf("%s %+v: %+v", name, o, h.Entry)
				}
				if h.Explain.Lexical.Rank == 0 {
					surrounded++
				}
			}
			if surrounded == 0 {
				t.Errorf("%s %+v: no neighbour", name, o)
			}
		}
	}
}

// matches applies a filter by hand.
func matches(t *testing.T, e contextforge.Entry, f contextforge.Filter) bool {
	t.Helper()
	var meta map[string]any
	if len(e.Metadata) > 0 {
		fine(t, json.Unmarshal(e.Metadata, &meta))
	}
	for name, want := range f.Metadata {
		if have := meta[name]; fmt.Sprint(have) != fmt.Sprint(want) {
			return false
		}
	}
	return (f.Scope == "" || e.Scope == f.Scope) && (!f.GlobalOnly || e.Scope == "") && (len(f.Kinds) == 0 || slices.Contains(f.Kinds, e.Kind)) &&
		(f.SessionID == "" || e.SessionID == f.SessionID) && (f.Since.IsZero() || !e.Timestamp.Before(f.Since)) && (f.Until.IsZero() || e.Timestamp.Before(f.Until))
}

// A hidden neighbour lends nothing: the answer is that of a memory without it.
func TestHiddenNeighboursLendNothing(t *testing.T) {
	m, without := open(t, contextforge.Config{}), open(t, contextforge.Config{})
	turns := []string{"The comet was bright.", "Really?", "The comet again.", "Yes, everybody saw it.", "Good."}
	for i, text := range turns {
		o := contextforge.SaveOptions{ID: fmt.Sprint(i), SessionID: "s", Timestamp: mayDay.Add(time.Duration(i) * time.Minute)}
		kind := "turn"
		if i == 2 {
			kind = contextforge.KindSuperseded
		} else if _, err := without.Save(ctx, text, kind, o); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Save(ctx, text, kind, o); err != nil {
			t.Fatal(err)
		}
	}
	got, want := hitsByID(query(t, m, "comet", all())), hitsByID(query(t, without, "comet", all()))
	for id, h := range want {
		if math.Abs(got[id].Score-h.Score) > 1e-12 {
			t.Errorf("%s: %v, without %v", id, got[id].Explain, h.Explain)
		}
	}
	if len(got) != len(want) || len(got) != 4 {
		t.Errorf("%d and %d hits", len(got), len(want))
	}
}

func TestBoundsHoldWithNeighbours(t *testing.T) {
	m := gathering(t, newBag())
	for _, limit := range []int{1, 2, 5, 50} {
		hits := query(t, m, "lamp stone", contextforge.QueryOptions{Limit: limit, TokenBudget: contextforge.Unlimited})
		if len(hits) != limit {
			t.Errorf("limit %d: %d hits", limit, len(hits))
		}
	}
	for _, budget := range []int{1, 10, 100, 1000} {
		sum := 0
		for _, h := range query(t, m, "lamp stone", contextforge.QueryOptions{TokenBudget: budget}) {
			sum += h.Explain.Tokens
		}
		if sum > budget || budget >= 100 && sum < budget/2 {
			t.Errorf("a budget of %d holds %d", budget, sum)
		}
	}
	for _, least := range []float64{0.3, 0.8, 1.1} {
		for _, h := range query(t, m, "lamp stone", contextforge.QueryOptions{MinScore: least}) {
			if h.Score < least {
				t.Errorf("least %v: %v", least, h.Score)
			}
		}
	}
}

// What stands beside an entry that only its meaning found has to be like the question
// itself; that it waits for its vector doesn't make it so.
func TestUnlikeNeighboursStayOut(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	say(t, m, "s", mayDay, "nothing to see", "my car", "a car")
	e.answer = failings()["error"]
	save(t, m, "waiting here", contextforge.SaveOptions{ID: "waits", SessionID: "s", Timestamp: mayDay.Add(time.Hour)})
	e.answer = nil
	for least, want := range map[float64][]string{0: {"s2", "s3"}, 0.5: {"s2", "s3"}, -1: {"s1", "s2", "s3"}} {
		got := ask(t, m, "vehicle", contextforge.QueryOptions{MinSimilarity: least})
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("a least similarity of %v: %q, want %q", least, got, want)
		}
	}
}

// Questions without words have no look around.
func TestVectorsAskAlone(t *testing.T) {
	m := gathering(t, newBag())
	vector := newBag().vector("lamp stone")
	for _, o := range []contextforge.QueryOptions{all(), {Limit: 9}, {Filter: contextforge.Filter{Scope: "a"}}} {
		got, err := m.QueryByVector(ctx, vector, o)
		want, err2 := m.QueryByVector(ctx, vector, searchesOnly(o))
		if err != nil || err2 != nil || !sameScores(got, want) || len(got) == 0 {
			t.Errorf("%d and %d hits, or others; %v, %v", len(got), len(want), err, err2)
		}
		got, err = m.MoreLike(ctx, "5", o)
		want, err2 = m.MoreLike(ctx, "5", searchesOnly(o))
		if err != nil || err2 != nil || !sameScores(got, want) || len(got) == 0 {
			t.Errorf("more like: %d and %d hits, or others; %v, %v", len(got), len(want), err, err2)
		}
		if slices.Contains(ids(got), "5") {
			t.Error("it is like itself")
		}
	}
}

// asked is a storage that notes what it is asked.
type asked struct {
	plugged
	questions []string
}

func (a *asked) Search(c context.Context, question, scope string, limit int) ([]contextforge.ScoredEntry, error) {
	a.questions = append(a.questions, question)
	return a.plugged.Search(c, "turn", scope, limit)
}

func TestPluggedSearchersAreAskedAsBefore(t *testing.T) {
	p := &asked{}
	m := open(t, contextforge.Config{Storage: p, Searcher: p, Clock: func() time.Time { return mayDay }})
	say(t, m, "s", mayDay, "turn one", "turn two?", "something", "turn three")
	for _, question := range []string{"turn", "what did we do last month?", "what is the latest turn now?", "which turn came before the move?"} {
		p.questions = nil
		got, want := query(t, m, question, contextforge.QueryOptions{}), query(t, m, question, contextforge.QueryOptions{Ranking: searchesAlone()})
		if !sameScores(got, want) || len(got) != 3 {
			t.Errorf("%s: %+v\nwant %+v", question, got, want)
		}
		for _, heard := range p.questions {
			if heard != question {
				t.Errorf("%q was asked as %q", question, heard)
			}
		}
	}
}

// The presets of the reference know nothing of sessions.
func TestReferencePresetsIgnoreSessions(t *testing.T) {
	var memories []*contextforge.Memory
	for _, c := range []struct {
		session string
		text    bool
	}{{"", false}, {"s", true}, {"s", false}} {
		m := open(t, contextforge.Config{TextOnly: c.text, Embedder: newBag(), Clock: func() time.Time { return mayDay }})
		rng := rand.New(rand.NewPCG(5, 6))
		for i := range 60 {
			save(t, m, noteText(rng)+" ?", contextforge.SaveOptions{ID: fmt.Sprint(i), SessionID: c.session, Timestamp: mayDay.Add(-time.Duration(i) * time.Hour)})
		}
		memories = append(memories, m)
	}
	for name, r := range map[string]contextforge.Ranking{"0.8": contextforge.RankingReference(), "0.9": contextforge.RankingReference09(), "alone": *searchesAlone()} {
		for _, question := range []string{"red car", "when did the doctor see the house?", "the latest lamp"} {
			o := all()
			o.Ranking = &r
			want := query(t, memories[0], question, o)
			for i, m := range memories[1:] {
				if got := query(t, m, question, o); !sameScores(got, want) || len(got) == 0 {
					t.Errorf("%s, %s: memory %d answers otherwise", name, question, i+1)
				}
			}
			for _, h := range want {
				if h.Explain.Words != 0 || h.Explain.Meaning != 0 || h.Explain.Prior != 0 {
					t.Errorf("%s: %+v", name, h.Explain)
				}
			}
		}
	}
}

// Score and Fused are what the documentation of Explanation and Ranking says.
func TestExplanationsAddUp(t *testing.T) {
	for _, e := range []contextforge.Embedder{nil, newBag()} {
		m := open(t, contextforge.Config{Embedder: e, Clock: func() time.Time { return mayDay.Add(48 * time.Hour) }})
		rng := rand.New(rand.NewPCG(7, 8))
		for i := range 80 {
			text := noteText(rng) + []string{"", "?", " important!"}[rng.IntN(3)]
			save(t, m, text, contextforge.SaveOptions{ID: fmt.Sprint(i), Scope: []string{"", "a"}[i%2], SessionID: []string{"", "s", "t"}[rng.IntN(3)], Timestamp: mayDay.Add(time.Duration(i) * time.Minute)})
		}
		r := contextforge.RankingDefault()
		for _, question := range []string{"red car of the doctor", "when was the garden blue"} {
			hits := query(t, m, question, all())
			words, meaning := 0.0, 0.0
			for _, h := range hits {
				words, meaning = max(words, h.Explain.Words), max(meaning, h.Explain.Meaning)
			}
			weighed, best := map[string]float64{}, map[string]float64{}
			for _, h := range hits {
				x := h.Explain
				if want := x.Fused * x.Decay * x.Multiplier * x.Suspicion; math.Abs(h.Score-want) > 1e-12 {
					t.Errorf("%s: %v, want %v of %+v", h.ID, h.Score, want, x)
				}
				s := x.Words / words
				if e != nil {
					s = r.LexicalShare*s + (1-r.LexicalShare)*(1+x.Meaning)/(1+meaning)
				}
				weighed[h.ID] = s * x.Prior
				best[h.Scope+" "+h.SessionID] = max(best[h.Scope+" "+h.SessionID], s*x.Prior)
			}
			for _, h := range hits {
				want := weighed[h.ID]
				if h.SessionID != "" {
					want = (want + r.SessionShare*best[h.Scope+" "+h.SessionID]) / (1 + r.SessionShare)
				}
				if math.Abs(h.Explain.Fused-want) > 1e-12 {
					t.Errorf("%s of %s: fused %v, want %v", h.ID, h.SessionID, h.Explain.Fused, want)
				}
			}
			if len(hits) < 40 {
				t.Errorf("%d hits", len(hits))
			}
		}
	}
}

// Questions while turns are saved, changed and deleted see whole states.
func TestConversationsWhileTheyGrow(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newBag()})
	say(t, m, "s", mayDay, "red car", "yes?", "no")
	var g sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		g.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				hits, err := m.Query(ctx, "red car in the garden", contextforge.QueryOptions{})
				if err != nil || len(hits) == 0 {
					t.Errorf("%d hits, %v", len(hits), err)
					return
				}
			}
		})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		id := fmt.Sprint("x", i%20)
		save(t, m, noteText(rng)+"?", contextforge.SaveOptions{ID: id, SessionID: "s", Timestamp: mayDay.Add(time.Duration(rng.IntN(9)) * time.Minute)})
		switch i % 5 {
		case 3:
			text := noteText(rng)
			if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
				t.Error(err)
			}
		case 4:
			if _, err := m.Delete(ctx, id); err != nil {
				t.Error(err)
			}
		}
	}
	close(stop)
	g.Wait()
	fine(t, m.Verify(ctx))
}
