// This file decides what iterators must do at bounds, seeks and ends.

package kvtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// fill stores the given one-letter keys, each with itself as value, half of
// them flushed so that iterators merge memory with files.
func fill(t *testing.T, s kv.Store, keys string) {
	t.Helper()
	fields := strings.Fields(keys)
	for i, k := range fields {
		set(t, s, k, k)
		if i == len(fields)/2 {
			must(t, s.Flush())
		}
	}
}

func testBounds(t *testing.T, h Harness) {
	s := h.open(t)
	fill(t, s, "b d f h")
	tests := []struct{ lower, upper, want string }{
		{"-", "-", "b d f h"},
		{"b", "-", "b d f h"},
		{"c", "-", "d f h"},
		{"-", "f", "b d"},
		{"-", "g", "b d f"},
		{"d", "h", "d f"},
		{"d", "d", ""},
		{"f", "d", ""},
		{"i", "-", ""},
		{"-", "a", ""},
		{"-", "", ""},
		{"", "-", "b d f h"},
		{"a", "z", "b d f h"},
	}
	snap, err := s.Snapshot()
	must(t, err)
	for _, test := range tests {
		var want []string
		for _, k := range strings.Fields(test.want) {
			want = append(want, k+"="+k)
		}
		wantScan(t, s, bound(test.lower), bound(test.upper), want...)
		wantScan(t, snap, bound(test.lower), bound(test.upper), want...)
	}
	must(t, snap.Close())
}

// testSeeks runs scripts of positioning calls; each step is checked against
// the key it must land on, "." for none.
func testSeeks(t *testing.T, h Harness) {
	s := h.open(t)
	fill(t, s, "b d f h")
	tests := []struct{ lower, upper, script string }{
		{"-", "-", "first b, next d, next f, prev d, next f, next h, next ."},
		{"-", "-", "last h, prev f, next h, prev f, prev d, prev b, prev ."},
		{"-", "-", "ge a b, ge b b, ge c d, ge h h, ge i ."},
		{"-", "-", "lt i h, lt h f, lt c b, lt b ., lt a ."},
		{"-", "-", "ge d d, prev b, prev ., first b"},
		{"-", "-", "lt f d, next f, next h, next ., last h"},
		{"-", "-", "first b, prev ., next ., prev ., first b, next d"},
		{"-", "-", "last h, next ., prev ., next ., last h, prev f"},
		{"-", "-", "next ., prev ., first b"},
		{"-", "-", "ge z ., prev ., next ., lt z h"},
		{"c", "g", "first d, next f, next ., last f, prev d, prev ."},
		{"c", "g", "ge a d, ge b d, ge g ., ge e f, prev d, prev ."},
		{"c", "g", "lt z f, lt g f, lt f d, lt d ., lt a ., lt e d, next f, next ."},
		{"d", "f", "first d, next ., last d, prev ., ge d d, lt f d, ge e ., lt d ."},
		{"e", "e", "first ., last ., ge e ., lt e ."},
		{"-", "-", "ge b b, ge b b, ge h h, ge b b, lt h f, ge f f, lt f d"},
	}
	for _, test := range tests {
		checkEmptySeeks(t, s, bound(test.lower), bound(test.upper))
		it, err := s.Iter(bound(test.lower), bound(test.upper))
		must(t, err)
		if it.Valid() {
			t.Fatal("a new iterator is positioned")
		}
		for n, step := range strings.Split(test.script, ", ") {
			got, want := runStep(t, it, strings.Fields(step))
			if got != want {
				t.Fatalf("[%s,%s) %q, step %d %q: landed on %q", test.lower, test.upper, test.script, n, step, got)
			}
		}
		must(t, it.Error())
		must(t, it.Close())
	}
}

// checkEmptySeeks seeks the empty key: the first entry, and none before it.
func checkEmptySeeks(t *testing.T, s kv.Store, lower, upper []byte) {
	t.Helper()
	it, err := s.Iter(lower, upper)
	must(t, err)
	if it.SeekGE(nil) != it.First() || it.SeekLT(nil) || it.SeekLT([]byte{}) || it.Valid() {
		t.Fatalf("[%q,%q): wrong seek of the empty key", lower, upper)
	}
	must(t, it.Close())
}

// runStep performs one step and returns where the iterator is and should be.
func runStep(t *testing.T, it kv.Iterator, step []string) (got, want string) {
	t.Helper()
	want = step[len(step)-1]
	var ok bool
	switch step[0] {
	case "first":
		ok = it.First()
	case "last":
		ok = it.Last()
	case "next":
		ok = it.Next()
	case "prev":
		ok = it.Prev()
	case "ge":
		ok = it.SeekGE([]byte(step[1]))
	case "lt":
		ok = it.SeekLT([]byte(step[1]))
	}
	if ok != it.Valid() {
		t.Fatalf("step %q returned %v, Valid says %v", step, ok, it.Valid())
	}
	if !ok {
		return ".", want
	}
	if got := item(t, it); got != want+"="+want {
		return got, want
	}
	return want, want
}

func testEmptyIterator(t *testing.T, h Harness) {
	s := h.open(t)
	for range 2 {
		it, err := s.Iter(nil, nil)
		must(t, err)
		if it.First() || it.Last() || it.SeekGE([]byte("a")) || it.SeekLT([]byte("z")) || it.Next() || it.Prev() {
			t.Fatal("positioned in an empty store")
		}
		must(t, it.Error())
		must(t, it.Close())
		set(t, s, "a", "1")
		commit(t, s, kv.NoSync, func(b kv.Batch) { b.Delete([]byte("a")) })
	}
}

// testIteratorConsistency writes while an iterator runs: it must show the
// state of its creation.
func testIteratorConsistency(t *testing.T, h Harness) {
	s := h.open(t)
	var want []string
	for i := range 500 {
		k := fmt.Sprintf("k%04d", i)
		set(t, s, k, "old")
		want = append(want, k+"=old")
	}
	it, err := s.Iter(nil, nil)
	must(t, err)
	var got []string
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		got = append(got, item(t, it))
		disturb(t, s, n)
		n++
	}
	must(t, it.Error())
	var back []string
	for ok := it.Last(); ok; ok = it.Prev() {
		back = append(back, item(t, it))
	}
	must(t, it.Close())
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("forward: %d entries, want %d unchanged ones", len(got), len(want))
	}
	for i := range back {
		if back[len(back)-1-i] != want[i] {
			t.Fatalf("backward: entry %d is %s, want %s", i, back[len(back)-1-i], want[i])
		}
	}
}

// disturb changes the store around and ahead of an iterator at entry n.
func disturb(t *testing.T, s kv.Store, n int) {
	t.Helper()
	commit(t, s, kv.NoSync, func(b kv.Batch) {
		b.Set([]byte(fmt.Sprintf("k%04d", n)), []byte("new"))
		b.Set([]byte(fmt.Sprintf("k%04dx", n)), []byte("inserted"))
		b.Delete([]byte(fmt.Sprintf("k%04d", n+1)))
		if n == 250 {
			b.DeleteRange([]byte("k03"), []byte("k04"))
		}
	})
	if n%200 == 100 {
		must(t, s.Flush())
	}
}
