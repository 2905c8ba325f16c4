// This file decides what single calls and single batches must do.

package kvtest

import (
	"errors"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

func testGetSetDelete(t *testing.T, h Harness) {
	s := h.open(t)
	wantMissing(t, s, "a")
	set(t, s, "a", "1")
	wantValue(t, s, "a", "1")
	set(t, s, "a", "2")
	wantValue(t, s, "a", "2")
	set(t, s, "empty", "")
	wantValue(t, s, "empty", "")
	commit(t, s, kv.Sync, func(b kv.Batch) { b.Delete([]byte("a")); b.Delete([]byte("never there")) })
	wantMissing(t, s, "a")
	set(t, s, "a", "3")
	wantValue(t, s, "a", "3")
	commit(t, s, kv.Sync, func(kv.Batch) {})
	wantScan(t, s, nil, nil, "a=3", "empty=")
	if _, closer, err := s.Get([]byte("x")); !errors.Is(err, kv.ErrNotFound) || closer != nil {
		t.Fatalf("get of a missing key: closer %v, error %v", closer, err)
	}
}

// testBatchOrder applies changes of the same keys in one batch: the later
// wins, whatever its kind.
func testBatchOrder(t *testing.T, h Harness) {
	tests := []struct{ name, ops, want string }{
		{"set twice", "s k 1, s k 2", "k=2,old=0"},
		{"set, delete", "s k 1, d k", "old=0"},
		{"delete, set", "d k, s k 1", "k=1,old=0"},
		{"set, range", "s k 1, r a z", ""},
		{"range, set", "r a z, s k 1", "k=1"},
		{"old values", "s old 9, r a z, s k 1, d k", ""},
		{"range, set, range", "r a z, s k 1, s b 2, r c z", "b=2"},
		{"range over part", "s a 1, s b 2, s c 3, r b c", "a=1,c=3,old=0"},
		{"overlapping ranges", "s a 1, s b 2, s c 3, r a c, s b 4, r b c, s a 5", "a=5,c=3,old=0"},
		{"empty range", "s a 1, r c c, r d b", "a=1,old=0"},
		{"delete in range, set", "s b 1, d b, r a c, s b 2, d old", "b=2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := h.open(t)
			set(t, s, "old", "0")
			commit(t, s, kv.NoSync, func(b kv.Batch) { applyOps(b, test.ops) })
			var want []string
			if test.want != "" {
				want = strings.Split(test.want, ",")
			}
			wantScan(t, s, nil, nil, want...)
		})
	}
}

// applyOps fills b from "s key value", "d key" and "r lower upper".
func applyOps(b kv.Batch, ops string) {
	for _, op := range strings.Split(ops, ", ") {
		f := strings.Fields(op)
		switch f[0] {
		case "s":
			b.Set([]byte(f[1]), []byte(f[2]))
		case "d":
			b.Delete([]byte(f[1]))
		case "r":
			b.DeleteRange([]byte(f[1]), []byte(f[2]))
		}
	}
}

// testBatchLife checks Count, Size, Reset, a second commit and Close.
func testBatchLife(t *testing.T, h Harness) {
	s := h.open(t)
	b := s.NewBatch()
	if b.Count() != 0 {
		t.Fatalf("count of an empty batch: %d", b.Count())
	}
	b.Set([]byte("a"), make([]byte, 1000))
	b.Delete([]byte("b"))
	b.DeleteRange([]byte("c"), []byte("d"))
	if b.Count() != 3 || b.Size() < 1000 {
		t.Fatalf("count %d, size %d", b.Count(), b.Size())
	}
	before := b.Size()
	b.Reset()
	if b.Count() != 0 || b.Size() >= before {
		t.Fatalf("after Reset: count %d, size %d", b.Count(), b.Size())
	}
	b.Set([]byte("k"), []byte("1"))
	must(t, s.Commit(b, kv.NoSync))
	if err := s.Commit(b, kv.NoSync); err == nil {
		t.Fatal("second commit of a batch succeeded")
	}
	wantScan(t, s, nil, nil, "k=1")
	b.Reset()
	b.Set([]byte("l"), []byte("2"))
	must(t, s.Commit(b, kv.NoSync))
	must(t, b.Close())
	must(t, b.Close())
	wantScan(t, s, nil, nil, "k=1", "l=2")
	dropped := s.NewBatch()
	dropped.Set([]byte("m"), []byte("3"))
	must(t, dropped.Close())
	wantMissing(t, s, "m")
}

// testBatchCopies changes the caller's slices after each call.
func testBatchCopies(t *testing.T, h Harness) {
	s := h.open(t)
	key, value := []byte("k0"), []byte("v0")
	b := s.NewBatch()
	for i := byte('0'); i < '5'; i++ {
		key[1], value[1] = i, i
		b.Set(key, value)
	}
	key[1] = '1'
	b.Delete(key)
	upper := []byte("k4")
	key[1] = '3'
	b.DeleteRange(key, upper)
	copy(key, "zz")
	copy(upper, "zz")
	copy(value, "zz")
	must(t, s.Commit(b, kv.Sync))
	must(t, b.Close())
	wantScan(t, s, nil, nil, "k0=v0", "k2=v2", "k4=v4")
}

func testReservedKeys(t *testing.T, h Harness) {
	s := h.open(t)
	set(t, s, "a", "1")
	set(t, s, "\xfe\xff", "2")
	tests := []struct {
		name string
		fill func(kv.Batch)
	}{
		{"set empty", func(b kv.Batch) { b.Set(nil, []byte("x")) }},
		{"set 0xFF", func(b kv.Batch) { b.Set([]byte{0xFF}, nil) }},
		{"set 0xFF…", func(b kv.Batch) { b.Set([]byte("\xff\x00x"), nil) }},
		{"delete empty", func(b kv.Batch) { b.Delete([]byte{}) }},
		{"delete 0xFF", func(b kv.Batch) { b.Delete([]byte{0xFF}) }},
		{"range from 0xFF", func(b kv.Batch) { b.DeleteRange([]byte{0xFF}, []byte{0xFF, 1}) }},
		{"range beyond 0xFF", func(b kv.Batch) { b.DeleteRange([]byte("a"), []byte{0xFF, 1}) }},
	}
	for _, test := range tests {
		b := s.NewBatch()
		b.Set([]byte("good"), []byte("x"))
		test.fill(b)
		wantError(t, test.name, s.Commit(b, kv.NoSync), kv.ErrReserved)
		b.Reset()
		must(t, s.Commit(b, kv.NoSync))
		must(t, b.Close())
	}
	wantMissing(t, s, "\xff")
	wantMissing(t, s, "")
	wantScan(t, s, nil, nil, "a=1", "\xfe\xff=2")
	wantScan(t, s, []byte{0xFF}, nil)
	wantScan(t, s, nil, []byte{0xFF, 0xFF}, "a=1", "\xfe\xff=2")
}

func testDeleteRange(t *testing.T, h Harness) {
	tests := []struct{ lower, upper, want string }{
		{"b", "d", "a d e"},
		{"-", "c", "c d e"},
		{"c", "-", "a b"},
		{"-", "-", ""},
		{"bb", "dd", "a b e"},
		{"a", "\xff", ""},
		{"x", "z", "a b c d e"},
		{"d", "b", "a b c d e"},
		{"c", "", "a b c d e"},
	}
	for _, test := range tests {
		t.Run(test.lower+".."+test.upper, func(t *testing.T) {
			s := h.open(t)
			for _, k := range []string{"a", "b", "c", "d", "e"} {
				set(t, s, k, "1")
			}
			commit(t, s, kv.Sync, func(b kv.Batch) { b.DeleteRange(bound(test.lower), bound(test.upper)) })
			var want []string
			for _, k := range strings.Fields(test.want) {
				want = append(want, k+"=1")
			}
			wantScan(t, s, nil, nil, want...)
		})
	}
}

// testBinaryKeys stores keys that trip code which treats bytes as text.
func testBinaryKeys(t *testing.T, h Harness) {
	s := h.open(t)
	keys := []string{"\x00", "\x00\x00", "\x00\x01", "\x01", "a", "a\x00", "a\x00b", "aa", "é", "\xfe", "\xfe\xfe\xff\xff"}
	var want []string
	for i := range keys {
		k := keys[(i*7)%len(keys)]
		set(t, s, k, "v"+k)
	}
	for _, k := range keys {
		wantValue(t, s, k, "v"+k)
		want = append(want, k+"=v"+k)
	}
	wantScan(t, s, nil, nil, want...)
	long := strings.Repeat("k", 60_000)
	set(t, s, long, "long")
	wantValue(t, s, long, "long")
}

// testBigValues stores values of some megabytes and a batch larger than any
// write buffer.
func testBigValues(t *testing.T, h Harness) {
	s := h.open(t)
	sizes := []int{1 << 10, 64<<10 - 1, 1 << 20, 5<<20 + 1}
	commit(t, s, kv.Sync, func(b kv.Batch) {
		for i, n := range sizes {
			b.Set([]byte{byte('a' + i)}, noise(i, n))
		}
	})
	check := func(r kv.Reader) {
		t.Helper()
		for i, n := range sizes {
			wantValue(t, r, string(rune('a'+i)), string(noise(i, n)))
		}
	}
	check(s)
	must(t, s.Flush())
	check(s)
	if h.Reopen != nil {
		s = h.Reopen(t, s)
		check(s)
		closeStore(t, s)
	}
}
