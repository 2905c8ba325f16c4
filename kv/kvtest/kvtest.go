// This file decides which tests make up the suite and what they need to run.

package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// Harness opens stores of the implementation under test.
type Harness struct {
	// Open returns a new, empty store. The suite closes it, unless a test
	// has; a harness that wants to close what is left open must expect
	// kv.ErrClosed.
	Open func(t *testing.T) kv.Store
	// Reopen closes s and opens the same data again; nil if the data ends
	// with the store.
	Reopen func(t *testing.T, s kv.Store) kv.Store
	// OpenDir opens a folder that Checkpoint wrote.
	OpenDir func(t *testing.T, dir string) kv.Store
	// Dir returns a name for a folder that doesn't exist yet; nil means below
	// t.TempDir().
	Dir func(t *testing.T) string
}

// Run runs the whole suite, each part as a subtest with stores of its own.
func Run(t *testing.T, h Harness) {
	tests := []struct {
		name string
		run  func(*testing.T, Harness)
	}{
		{"GetSetDelete", testGetSetDelete},
		{"BatchOrder", testBatchOrder},
		{"BatchLife", testBatchLife},
		{"BatchCopies", testBatchCopies},
		{"ReservedKeys", testReservedKeys},
		{"DeleteRange", testDeleteRange},
		{"Bounds", testBounds},
		{"Seeks", testSeeks},
		{"EmptyIterator", testEmptyIterator},
		{"BinaryKeys", testBinaryKeys},
		{"BigValues", testBigValues},
		{"SnapshotIsolation", testSnapshotIsolation},
		{"IteratorConsistency", testIteratorConsistency},
		{"ClosedStore", testClosedStore},
		{"ClosedReaders", testClosedReaders},
		{"CloseWithOpenReaders", testCloseWithOpenReaders},
		{"Flush", testFlush},
		{"Compact", testCompact},
		{"Canceled", testCanceled},
		{"Checkpoint", testCheckpoint},
		{"Reopen", testReopen},
		{"Metrics", testMetrics},
		{"Concurrent", testConcurrent},
		{"ConcurrentBatches", testConcurrentBatches},
		{"Model", testModel},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, h) })
	}
}

// open opens an empty store that is closed at the end of the test.
func (h Harness) open(t *testing.T) kv.Store {
	t.Helper()
	s := h.Open(t)
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

func (h Harness) dir(t *testing.T) string {
	if h.Dir != nil {
		return h.Dir(t)
	}
	return t.TempDir() + "/new"
}

func closeStore(t *testing.T, s kv.Store) {
	t.Helper()
	if err := s.Close(); err != nil && !errors.Is(err, kv.ErrClosed) {
		t.Errorf("close: %v", err)
	}
}

// must fails the test at once on an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// commit applies one batch.
func commit(t *testing.T, s kv.Store, d kv.Durability, fill func(kv.Batch)) {
	t.Helper()
	b := s.NewBatch()
	fill(b)
	must(t, s.Commit(b, d))
	must(t, b.Close())
}

// set commits one value without waiting for the disk.
func set(t *testing.T, s kv.Store, key, value string) {
	t.Helper()
	commit(t, s, kv.NoSync, func(b kv.Batch) { b.Set([]byte(key), []byte(value)) })
}

// get returns the value of key, and whether there is one.
func get(t *testing.T, r kv.Reader, key string) (string, bool) {
	t.Helper()
	v, err := kv.GetCopy(r, nil, []byte(key))
	if errors.Is(err, kv.ErrNotFound) {
		return "", false
	}
	must(t, err)
	return string(v), true
}

func wantValue(t *testing.T, r kv.Reader, key, want string) {
	t.Helper()
	if got, ok := get(t, r, key); !ok || got != want {
		t.Fatalf("get %q = %.40q, %v; want %.40q", key, got, ok, want)
	}
}

func wantMissing(t *testing.T, r kv.Reader, key string) {
	t.Helper()
	if got, ok := get(t, r, key); ok {
		t.Fatalf("get %q = %.40q; want none", key, got)
	}
}

func wantError(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("%s: error %v, want %v", what, got, want)
	}
}

// bound turns the text form used in tables into a bound: "-" is nil.
func bound(s string) []byte {
	if s == "-" {
		return nil
	}
	return []byte(s)
}

// scan returns "key=value" of every entry in [lower, upper), forward.
func scan(t *testing.T, r kv.Reader, lower, upper []byte) []string {
	t.Helper()
	it, err := r.Iter(lower, upper)
	must(t, err)
	var all []string
	for ok := it.First(); ok; ok = it.Next() {
		all = append(all, item(t, it))
	}
	must(t, it.Error())
	must(t, it.Close())
	return all
}

// scanBack is scan from the end, in the order met.
func scanBack(t *testing.T, r kv.Reader, lower, upper []byte) []string {
	t.Helper()
	it, err := r.Iter(lower, upper)
	must(t, err)
	var all []string
	for ok := it.Last(); ok; ok = it.Prev() {
		all = append(all, item(t, it))
	}
	must(t, it.Error())
	must(t, it.Close())
	return all
}

func item(t *testing.T, it kv.Iterator) string {
	t.Helper()
	v, err := it.Value()
	must(t, err)
	return string(it.Key()) + "=" + string(v)
}

func wantScan(t *testing.T, r kv.Reader, lower, upper []byte, want ...string) {
	t.Helper()
	if got := scan(t, r, lower, upper); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("scan [%q, %q) = %.400q, want %.400q", lower, upper, got, want)
	}
	got := scanBack(t, r, lower, upper)
	for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
		got[i], got[j] = got[j], got[i]
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("backward scan [%q, %q) = %.400q reversed, want %.400q", lower, upper, got, want)
	}
}

// noise returns n bytes that don't compress, different for each seed.
func noise(seed, n int) []byte {
	x := uint64(seed)*0x9E3779B97F4A7C15 + 1
	out := make([]byte, 0, n+8)
	for len(out) < n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		out = append(out, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return bytes.Clone(out[:n])
}
