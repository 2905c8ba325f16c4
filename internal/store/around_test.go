package store

// What stands around records in their sessions: conversations larger than the
// model's, hidden turns in a row, damage.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

var conversationStart = time.Unix(1_600_000_000, 0).UTC()

// turn is a record of a session.
func turn(id, scope, session string, second int) Record {
	return Record{
		ID: id, Content: "text of " + id, Scope: scope, SessionID: session, Kind: "turn",
		Timestamp: conversationStart.Add(time.Duration(second) * time.Second), TokenCount: 3,
	}
}

// withTurns is a ward that holds turns alone.
func withTurns(t *testing.T, recs ...Record) *ward {
	w := &ward{T: t, pairs: memkv.New()}
	w.opts = testOptions(w.pairs, func() time.Time { return conversationStart })
	w.open()
	if len(recs) > 0 {
		w.must(w.s.Save(t.Context(), drafts(recs...)))
	}
	return w
}

// around asks for what stands around some ids and writes the answer: the session and
// place of each.
func (w *ward) around(f Filter, extended, reach int, ids ...string) string {
	w.Helper()
	var b strings.Builder
	w.view(func(v *View) {
		var nums []uint64
		for _, id := range ids {
			num, err := v.Num(id)
			w.must(err)
			nums = append(nums, num)
		}
		turns, err := v.Around(w.Context(), f, nums, extended, reach)
		w.must(err)
		for i, t := range turns {
			if i == len(ids) {
				b.WriteString("| ")
			}
			fmt.Fprintf(&b, "%s %d.%d ", t.ID, t.Session, t.Place)
		}
	})
	return strings.TrimSpace(b.String())
}

func TestAroundByHand(t *testing.T) {
	var recs []Record
	for i, id := range strings.Fields("a b c d e f g") {
		recs = append(recs, turn(id, "", "s", i))
	}
	recs = append(recs, turn("a2", "other", "s", 0), turn("b2", "other", "s", 1), turn("n", "", "", 2), turn("t1", "", "t", 0), turn("t2", "", "t", 0))
	recs[5].Kind, recs[4].ExpiresAt = "note", conversationStart.Add(time.Hour)
	w := withTurns(t, recs...)
	sec := func(n int64) *Time { return &Time{Sec: conversationStart.Unix() + n} }
	for _, c := range []struct {
		name            string
		f               Filter
		extended, reach int
		ids, want       string
	}{
		{"nothing", Filter{}, 0, 3, "", ""},
		{"none extended", Filter{}, 0, 3, "d b", "d 0.2 b 0.4"},
		{"no reach", Filter{}, 2, 0, "d c", "d 0.2 c 0.4"},
		{"one", Filter{}, 1, 1, "d", "d 0.3 | c 0.2 e 0.4"},
		{"the first", Filter{}, 1, 2, "a", "a 0.2 | b 0.3 c 0.4"},
		{"the last", Filter{}, 1, 1, "g", "g 0.3 | f 0.2"},
		{"as far as there is something", Filter{}, 1, 16, "d", "d 0.5 | a 0.2 b 0.3 c 0.4 e 0.6 f 0.7 g 0.8"},
		{"one within reach of the other", Filter{}, 2, 1, "d b", "d 0.5 b 0.3 | a 0.2 c 0.4 e 0.6"},
		{"both touch", Filter{}, 2, 1, "b e", "b 0.3 e 0.6 | a 0.2 c 0.4 d 0.5 f 0.7"},
		{"apart", Filter{}, 2, 1, "a f", "a 0.2 f 0.6 | b 0.3 e 0.5 g 0.7"},
		{"an asked neighbour", Filter{}, 1, 1, "d e", "d 0.3 e 0.4 | c 0.2"},
		{"an asked one out of reach", Filter{}, 1, 1, "d g", "d 0.3 g 0.6 | c 0.2 e 0.4"},
		{"no session", Filter{}, 2, 3, "n a", "n -1.0 a 0.2 | b 0.3 c 0.4 d 0.5"},
		{"of another scope", Filter{}, 1, 3, "a2", "a2 0.2 | b2 0.3"},
		{"in two scopes", Filter{}, 2, 1, "a2 a", "a2 0.2 a 1.2 | b2 0.3 b 1.3"},
		{"one instant", Filter{}, 1, 1, "t2", "t2 0.3 | t1 0.2"},
		{"kinds", Filter{Kinds: []string{"turn"}}, 1, 1, "e", "e 0.3 | d 0.2 g 0.4"},
		{"not kinds", Filter{NotKinds: []string{"note"}}, 1, 1, "g", "g 0.3 | e 0.2"},
		{"expired", Filter{AsOf: *sec(9999)}, 1, 1, "d", "d 0.3 | c 0.2 f 0.4"},
		{"since", Filter{Since: sec(2)}, 1, 5, "d", "d 0.3 | c 0.2 e 0.4 f 0.5 g 0.6"},
		{"until", Filter{Until: sec(5)}, 1, 5, "d", "d 0.5 | a 0.2 b 0.3 c 0.4 e 0.6"},
		{"session", Filter{SessionID: "s"}, 1, 1, "a", "a 0.2 | b 0.3"},
		{"scope", Filter{Scope: "other"}, 1, 1, "b2", "b2 0.3 | a2 0.2"},
		{"global", Filter{GlobalOnly: true}, 1, 1, "b", "b 0.3 | a 0.2 c 0.4"},
		{"metadata", Filter{Metadata: Metadata{"n": json.Number("1")}}, 1, 3, "b", "b 0.2"},
		{"hidden between two that touch", Filter{Kinds: []string{"turn"}}, 2, 1, "d g", "d 0.3 g 0.5 | c 0.2 e 0.4"},
	} {
		if got := w.around(c.f, c.extended, c.reach, strings.Fields(c.ids)...); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// What the filter hides takes no place, unless there is too much of it in a row.
func TestHiddenTurnsInARow(t *testing.T) {
	for _, hidden := range []int{0, 1, mostSkipped - 1, mostSkipped, 5 * mostSkipped} {
		for _, scope := range []string{"", "elsewhere"} { // of another kind, or of another scope
			recs := []Record{turn("a", "", "s", 0), turn("b", "", "s", 1), turn("c", "", "s", 1000)}
			for i := range hidden {
				r := turn(fmt.Sprint("hidden", i), scope, "s", 2+i)
				r.Kind = "hidden"
				recs = append(recs, r)
			}
			w := withTurns(t, recs...)
			f := Filter{Kinds: []string{"turn"}}
			want := map[string]string{"b": "b 0.3 | a 0.2 c 0.4", "c": "c 0.3 | b 0.2", "a b c": "a 0.2 b 0.3 c 0.4", "a c": "a 0.2 c 0.4 | b 0.3"}
			if hidden >= mostSkipped {
				want = map[string]string{"b": "b 0.3 | a 0.2", "c": "c 0.2", "a b c": "a 0.2 b 0.3 c 0.5", "a c": "a 0.2 c 0.5 | b 0.3"}
			}
			for ids, want := range want {
				n := len(strings.Fields(ids))
				if got := w.around(f, n, 1, strings.Fields(ids)...); got != want {
					t.Errorf("%d hidden in %q: %s, want %s", hidden, scope, got, want)
				}
			}
		}
	}
}

// Random conversations against the definition: sessions of one id in several scopes,
// many of one instant, changed, deleted, expired.
func TestAroundIsItsDefinition(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 21))
		pick := func(list ...string) string { return list[rng.IntN(len(list))] }
		w := withTurns(t)
		for round := range 6 {
			var list []Draft
			for range 60 {
				r := turn(fmt.Sprint("id", rng.IntN(300)), pick("", "a", "b"), pick("", "s", "s", "t"), rng.IntN(60))
				r.Kind = pick("turn", "turn", "note", "other")
				if r.Content += fmt.Sprint(rng.IntN(3)); rng.IntN(10) == 0 {
					r.ExpiresAt = conversationStart.Add(time.Hour)
				}
				if rng.IntN(2) == 0 {
					r.Metadata = json.RawMessage(fmt.Sprintf(`{"n":%d}`, rng.IntN(2)))
				}
				list = append(list, Draft{Record: r, KeepVersion: rng.IntN(2) == 0})
			}
			w.must(w.s.Save(t.Context(), list))
			for range 10 {
				_, err := w.s.Delete(t.Context(), fmt.Sprint("id", rng.IntN(300)))
				w.must(err)
			}
			switch round {
			case 2:
				w.must(w.s.Compact(t.Context()))
			case 4:
				w.close()
				w.open()
			}
			w.view(func(v *View) { checkManyAround(t, v, rng) })
		}
	}
}

func checkManyAround(t *testing.T, v *View, rng *rand.Rand) {
	t.Helper()
	var all []turnOf
	for rec, err := range recordsFrom(v.state.snap, 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, turnOf{rec.num, &rec.Record})
	}
	at := func(n int) *Time { return &Time{Sec: conversationStart.Unix() + int64(n)} }
	for range 150 {
		f := []Filter{
			{}, {AsOf: *at(5000)}, {Scope: "a"}, {GlobalOnly: true, AsOf: *at(5000)}, {Kinds: []string{"note"}}, {NotKinds: []string{"turn"}},
			{NotKinds: []string{"unheard of"}}, {SessionID: "s"}, {Since: at(20), Until: at(40)}, {Metadata: Metadata{"n": json.Number("1")}},
			{Scope: "b", Kinds: []string{"turn", "other"}, Until: at(50)},
		}[rng.IntN(11)]
		var nums []uint64
		for _, i := range rng.Perm(len(all))[:rng.IntN(20)] {
			if f.Match(all[i].rec) {
				nums = append(nums, all[i].num)
			}
		}
		if rng.IntN(5) == 0 {
			nums = append(nums, 1<<50) // nobody's
		}
		extended, reach := rng.IntN(len(nums)+1), rng.IntN(6)
		got, err := v.Around(t.Context(), f, nums, extended, reach)
		if err != nil {
			t.Fatal(err)
		}
		if problem := checkAround(all, f, nums, extended, reach, got); problem != "" {
			t.Fatalf("around %v of %+v, %d extended by %d: %s, in %+v", nums, f, extended, reach, problem, got)
		}
	}
}

// A turn that lacks its key in the order of its session is a corruption that is
// told, whatever stands around the gap, and that Rebuild mends.
func TestMissingTurnIsCorrupt(t *testing.T) {
	for _, missing := range []string{"a", "c", "e", "a b c d e"} {
		var recs []Record
		for i, id := range strings.Fields("a b c d e") {
			recs = append(recs, turn(id, "", "s", i))
		}
		w := withTurns(t, recs...)
		var keys [][]byte
		var nums []uint64
		for i, id := range strings.Fields("a b c d e") {
			if nums = append(nums, w.num(id)); strings.Contains(missing, id) {
				keys = append(keys, sessionKey("s", TimeOf(recs[i].Timestamp), w.num(id)))
			}
		}
		w.damage(func(w *ward, b kv.Batch) {
			for _, key := range keys {
				b.Delete(key)
			}
		})
		w.open()
		w.view(func(v *View) {
			for reach := range 5 {
				turns, err := v.Around(t.Context(), Filter{}, nums, len(nums), reach)
				if (reach > 0) != errors.Is(err, kv.ErrCorrupt) || (err != nil) != (turns == nil) {
					t.Errorf("without %s, reach %d: %v, %v", missing, reach, turns, err)
				}
			}
		})
		w.must(w.s.Rebuild(t.Context()))
		if got, want := w.around(Filter{}, 5, 1, "a", "b", "c", "d", "e"), "a 0.2 b 0.3 c 0.4 d 0.5 e 0.6"; got != want {
			t.Errorf("mended: %s", got)
		}
	}
}

// Keys of the order that name nothing, or are none, end a walk or are passed by.
func TestStrayTurns(t *testing.T) {
	at := TimeOf(conversationStart)
	for name, key := range map[string][]byte{
		"unknown record": sessionKey("s", at, 1<<40), "cut off": append(sessionPrefix("s"), 0x80, 0), "of the next session": sessionKey("t", at, 1),
	} {
		w := withTurns(t, turn("a", "", "s", 0), turn("b", "", "s", 1))
		w.damage(func(_ *ward, b kv.Batch) { b.Set(key, nil) })
		w.open()
		w.view(func(v *View) {
			a, b := uint64(1), uint64(2)
			turns, err := v.Around(t.Context(), Filter{}, []uint64{b}, 1, 3)
			if err != nil && !errors.Is(err, kv.ErrCorrupt) || err == nil && (len(turns) != 2 || turns[1].Num != a) {
				t.Errorf("%s: %+v, %v", name, turns, err)
			}
		})
		w.close()
	}
}

func TestAroundCancelled(t *testing.T) {
	w := withTurns(t, turn("a", "", "s", 0), turn("b", "", "s", 1))
	w.view(func(v *View) {
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if turns, err := v.Around(cancelled, Filter{}, []uint64{1}, 1, 3); !errors.Is(err, context.Canceled) || turns != nil {
			t.Errorf("%v, %v", turns, err)
		}
		if words, err := v.Words(cancelled, "text", nil, Filter{}, []uint64{1}); !errors.Is(err, context.Canceled) || words != nil {
			t.Errorf("%v, %v", words, err)
		}
	})
}

func TestWordsOfNothing(t *testing.T) {
	w := withTurns(t, turn("a", "", "s", 0), turn("b", "x", "s", 1))
	w.view(func(v *View) {
		for _, c := range []struct {
			query string
			marks []string
			f     Filter
			nums  []uint64
			docs  uint64
			cells int
		}{
			{"", nil, Filter{}, []uint64{1, 2}, 2, 0},
			{"?!", []string{"\x01none"}, Filter{}, []uint64{1, 2}, 2, 2},
			{"text text", nil, Filter{Scope: "nowhere"}, []uint64{1}, 0, 1},
			{"text of a", nil, Filter{Scope: "x"}, nil, 1, 0},
			{"text", nil, Filter{GlobalOnly: true}, []uint64{7, 9}, 1, 2},
		} {
			words, err := v.Words(t.Context(), c.query, c.marks, c.f, c.nums)
			if err != nil || words.Docs != c.docs || len(words.TF) != c.cells || len(words.Length) != len(c.nums) || len(words.MarkDF) != len(c.marks) {
				t.Errorf("%q: %+v, %v", c.query, words, err)
			}
			if i := slices.IndexFunc(words.Weights, func(x float64) bool { return !(x >= 0) }); i >= 0 {
				t.Errorf("%q: weight %v", c.query, words.Weights[i])
			}
		}
	})
}

// BenchmarkAround asks for three turns on both sides of 100 in conversations of 400.
func BenchmarkAround(b *testing.B) {
	for _, scopes := range []int{1, 10} {
		b.Run(fmt.Sprint(scopes), func(b *testing.B) {
			o := testOptions(memkv.New(), func() time.Time { return conversationStart })
			o.Index.TailDocs, o.Index.SegmentDocs = 1000, 100_000
			s, err := Open(b.Context(), o)
			if err != nil {
				b.Fatal(err)
			}
			var list []Draft
			for i := range 400 * scopes {
				list = append(list, Draft{Record: turn(fmt.Sprint(i), fmt.Sprint("scope", i%scopes), fmt.Sprint("s", i/scopes/20), i)})
			}
			v := must(b, s, list)
			var nums []uint64
			for i := range uint64(100) {
				nums = append(nums, 1+i*4*uint64(scopes))
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := v.Around(b.Context(), Filter{}, nums, len(nums), 3); err != nil {
					b.Fatal(err)
				}
			}
			if err := errors.Join(v.Close(), s.Close()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// must saves drafts and returns a view of them.
func must(b *testing.B, s *Store, list []Draft) *View {
	b.Helper()
	if err := s.Save(b.Context(), list); err != nil {
		b.Fatal(err)
	}
	v, err := s.SearchView(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return v
}
