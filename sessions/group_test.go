// Rows 80 to 91, times that nobody expects, and random entries against the
// definition.

package sessions

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// note is an entry of the tests: a name that shows where it went.
type note struct {
	name    string
	session string
	second  float64
}

func (n note) key() Key {
	return Key{n.session, time.Unix(0, 0).UTC().Add(time.Duration(n.second * float64(time.Second)))}
}

// shown writes sessions as "id: names; …".
func shown(groups []Session[note]) string {
	var out []string
	for _, g := range groups {
		var names []string
		for _, n := range g.Entries {
			names = append(names, n.name)
		}
		out = append(out, g.ID+": "+strings.Join(names, " "))
	}
	return strings.Join(out, "; ")
}

func TestGroup(t *testing.T) {
	tests := []struct {
		name    string
		entries []note
		gap     time.Duration
		want    string
	}{
		{"row 80: empty", nil, DefaultGap, ""},
		{"row 81: one with id", []note{{"a", "s", 5}}, DefaultGap, "s: a"},
		{"row 82: one without id", []note{{"a", "", 100}}, DefaultGap, "__fallback__100: a"},
		{"row 83: same id", []note{{"a", "s", 1}, {"b", "s", 9999}}, 60 * time.Second, "s: a b"},
		{"row 83: different ids", []note{{"a", "s", 1}, {"b", "t", 2}}, 60 * time.Second, "s: a; t: b"},
		{"row 84: gaps", []note{{"a", "", 0}, {"b", "", 50}, {"c", "", 100}, {"d", "", 250}}, 60 * time.Second,
			"__fallback__0: a b c; __fallback__250: d"},
		{"row 85: never mixed", []note{{"a", "", 1}, {"b", "s", 1}, {"c", "", 2}, {"d", "s", 3}}, 60 * time.Second,
			"s: b d; __fallback__1: a c"},
		{"row 86: unsorted", []note{{"c", "", 90}, {"a", "", 10}, {"b", "", 50}}, 60 * time.Second, "__fallback__10: a b c"},
		{"row 87: equal to the gap", []note{{"a", "", 0}, {"b", "", 60}}, 60 * time.Second, "__fallback__0: a b"},
		{"row 87: above the gap", []note{{"a", "", 0}, {"b", "", 60.000000001}}, 60 * time.Second, "__fallback__0: a; __fallback__60: b"},
		{"row 88: order of time", []note{{"d", "t", 300}, {"c", "", 200}, {"b", "s", 100}, {"a", "", 0}}, 60 * time.Second,
			"__fallback__0: a; s: b; __fallback__200: c; t: d"},
		{"row 89: explicit group by time", []note{{"c", "s", 3}, {"a", "s", 1}, {"b", "s", 2}}, 0, "s: a b c"},
		{"row 90: by earliest time, not id", []note{{"b", "a", 200}, {"a", "z", 100}, {"c", "z", 300}}, 0, "z: a c; a: b"},
		{"row 90: same time, by id", []note{{"c", "z", 1}, {"b", "y", 1}, {"a", "x", 1}}, 0, "x: a; y: b; z: c"},
		{"row 91: gap 0", []note{{"a", "", 1}, {"b", "", 2}, {"c", "", 2}, {"d", "", 3}}, 0,
			"__fallback__1: a; __fallback__2: b c; __fallback__3: d"},
		{"equal times keep their order", []note{{"b", "s", 1}, {"a", "s", 1}, {"d", "", 1}, {"c", "", 1}}, 0, "s: b a; __fallback__1: d c"},
		{"within a second", []note{{"a", "", 5}, {"b", "", 5.25}, {"c", "", 5.5}, {"d", "", 6}}, 0,
			"__fallback__5: a; __fallback__5-2: b; __fallback__5-3: c; __fallback__6: d"},
		{"an id that looks like ours", []note{{"a", "__fallback__5", 1}, {"b", "__fallback__5-2", 2}, {"c", "", 5}}, 0,
			"__fallback__5: a; __fallback__5-2: b; __fallback__5-3: c"},
		{"before 1970", []note{{"a", "", -0.5}, {"b", "", -2}}, 0, "__fallback__-2: b; __fallback__-1: a"},
		{"the longest gap", []note{{"a", "", 0}, {"b", "", 1e9}}, math.MaxInt64, "__fallback__0: a b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.entries)
			got, err := Group(tt.entries, note.key, tt.gap)
			if err != nil || shown(got) != tt.want {
				t.Errorf("%q %v, want %q", shown(got), err, tt.want)
			}
			if !slices.Equal(tt.entries, before) {
				t.Error("the entries were changed")
			}
			for _, g := range got {
				if !g.Start.Equal(g.Entries[0].key().Timestamp) {
					t.Errorf("%s starts at %v", g.ID, g.Start)
				}
			}
		})
	}
}

// A negative gap is an error, not a panic.
func TestGroupNegativeGap(t *testing.T) {
	for _, gap := range []time.Duration{-1, -time.Hour, math.MinInt64} {
		if got, err := Group([]note{{"a", "", 1}}, note.key, gap); !errors.Is(err, ErrGap) || got != nil {
			t.Errorf("%v: %v, %v", gap, got, err)
		}
	}
}

// Zones and readings of the monotonic clock play no part, and no time is too far.
func TestGroupOddTimes(t *testing.T) {
	zone := time.FixedZone("far", 14*3600)
	now := time.Now()
	times := []time.Time{
		time.Unix(math.MaxInt64/4, 0), time.Unix(1000, 0).In(zone), {}, time.Unix(1030, 0), now, now.Round(0), time.Unix(-1<<55, 0),
	}
	got, err := Group(times, func(t time.Time) Key { return Key{Timestamp: t} }, 60*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, g := range got {
		sizes = append(sizes, len(g.Entries))
	}
	if fmt.Sprint(sizes) != "[1 1 2 2 1]" {
		t.Errorf("sizes %v", sizes)
	}
}

// naiveGroup is the definition: explicit sessions by id, the rest cut at gaps,
// all sorted by their first time.
func naiveGroup(entries []note, gap time.Duration) (groups [][]note) {
	byTime := slices.Clone(entries)
	slices.SortStableFunc(byTime, func(a, b note) int { return a.key().Timestamp.Compare(b.key().Timestamp) })
	explicit := map[string][]note{}
	var fallback [][]note
	for _, n := range byTime {
		last := len(fallback) - 1
		switch {
		case n.session != "":
			explicit[n.session] = append(explicit[n.session], n)
		case last >= 0 && n.key().Timestamp.Sub(fallback[last][len(fallback[last])-1].key().Timestamp) <= gap:
			fallback[last] = append(fallback[last], n)
		default:
			fallback = append(fallback, []note{n})
		}
	}
	for _, id := range []string{"a", "b", "c"} {
		if len(explicit[id]) > 0 {
			groups = append(groups, explicit[id])
		}
	}
	groups = append(groups, fallback...)
	slices.SortStableFunc(groups, func(a, b []note) int { return a[0].key().Timestamp.Compare(b[0].key().Timestamp) })
	return groups
}

func TestGroupAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(80, 91))
	for range 2000 {
		var entries []note
		for i := range r.IntN(20) {
			entries = append(entries, note{fmt.Sprint(i), []string{"", "", "a", "b", "c"}[r.IntN(5)], float64(r.IntN(40)) / 4})
		}
		gap := time.Duration(r.IntN(4)) * time.Second / 2
		got, err := Group(entries, note.key, gap)
		if err != nil {
			t.Fatal(err)
		}
		var plain [][]note
		ids := map[string]bool{}
		for _, g := range got {
			plain = append(plain, g.Entries)
			if ids[g.ID] {
				t.Fatalf("%q twice", g.ID)
			}
			ids[g.ID] = true
		}
		if want := naiveGroup(entries, gap); !reflect.DeepEqual(plain, want) {
			t.Fatalf("%v, gap %v:\n%v, want\n%v", entries, gap, plain, want)
		}
	}
}

// The result doesn't depend on the order of entries whose times differ.
func TestGroupIgnoresOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(80, 92))
	var entries []note
	for i := range 200 {
		entries = append(entries, note{fmt.Sprint(i), []string{"", "x", "y"}[r.IntN(3)], float64(i*7) + r.Float64()})
	}
	want, _ := Group(entries, note.key, 10*time.Second)
	for range 20 {
		r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		if got, _ := Group(entries, note.key, 10*time.Second); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s, want %s", shown(got), shown(want))
		}
	}
}

func FuzzGroup(f *testing.F) {
	f.Add("a,,b", int64(0), int64(1), int64(0))
	f.Add(",__fallback__0,__fallback__0-2,", int64(math.MinInt64), int64(math.MaxInt64), int64(5))
	f.Fuzz(func(t *testing.T, list string, from, step, gap int64) {
		ids := strings.Split(list, ",")
		next := from
		key := func(id string) Key {
			next += step
			return Key{SessionID: id, Timestamp: time.Unix(next, step%1000)}
		}
		groups, err := Group(ids, key, time.Duration(gap))
		if gap < 0 {
			if !errors.Is(err, ErrGap) {
				t.Errorf("%v", err)
			}
			return
		}
		seen, entries := map[string]bool{}, 0
		for i, g := range groups {
			entries += len(g.Entries)
			if seen[g.ID] || len(g.Entries) == 0 || i > 0 && g.Start.Before(groups[i-1].Start) {
				t.Errorf("session %+v", g)
			}
			seen[g.ID] = true
		}
		if entries != len(ids) || err != nil {
			t.Errorf("%d of %d entries, %v", entries, len(ids), err)
		}
	})
}

func BenchmarkGroup(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		r := rand.New(rand.NewPCG(80, 93))
		entries := make([]note, n)
		for i := range entries {
			entries[i] = note{session: []string{"", fmt.Sprint(r.IntN(n / 10))}[r.IntN(2)], second: float64(r.IntN(n * 100))}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Group(entries, note.key, DefaultGap); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
