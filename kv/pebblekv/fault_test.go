// This file checks that no refused write ends the process, panics or loses
// what was acknowledged.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/contextforge-go/contextforge/kv"
)

// faultFS wraps a crashable file system and refuses writes from the nth on.
type faultFS struct {
	mem    *vfs.MemFS
	fs     vfs.FS
	count  atomic.Int64 // changing operations so far
	from   atomic.Int64 // the first refused, 0 for none
	until  int64        // the last refused, 0 for no end
	filter func(errorfs.Op) bool
}

func newFaultFS(mem *vfs.MemFS) *faultFS {
	f := &faultFS{mem: mem}
	f.fs = errorfs.Wrap(mem, errorfs.InjectorFunc(f.decide))
	return f
}

func (f *faultFS) decide(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite || f.filter != nil && !f.filter(op) {
		return nil
	}
	n := f.count.Add(1)
	if from := f.from.Load(); from > 0 && n >= from && (f.until == 0 || n <= f.until) {
		return syscall.ENOSPC
	}
	return nil
}

// within fails the test if run takes implausibly long, as it does in a hang.
func within(t *testing.T, what string, run func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	select {
	case <-done:
	case <-time.After(60 * time.Second):
		t.Fatalf("%s hangs", what)
	}
}

// workload is the script that faults are injected into. It notes what was
// acknowledged and what may be there.
type workload struct {
	acked int // last number committed with kv.Sync and acknowledged
	tried int // last number tried
	errs  []error
}

func (w *workload) note(err error) {
	if err != nil {
		w.errs = append(w.errs, err)
	}
}

// commit writes number n under two keys, so that a torn batch would show, and
// deletes the pair before the last.
func (w *workload) commit(s *Store, n int, d kv.Durability, size int) {
	b := s.NewBatch()
	defer b.Close()
	pad := strings.Repeat(string(rune('a'+n%26)), size)
	b.Set([]byte(fmt.Sprintf("a%05d", n)), []byte(fmt.Sprint(n, pad)))
	b.Set([]byte(fmt.Sprintf("b%05d", n)), []byte(fmt.Sprint(n, pad)))
	b.Set([]byte("last"), []byte(fmt.Sprint(n)))
	w.tried = n
	err := s.Commit(b, d)
	w.note(err)
	if err == nil && d == kv.Sync {
		w.acked = n
	}
}

// run drives the store through commits of all sizes, flushes and a compaction,
// and goes on after errors as a careless caller would.
func (w *workload) run(t *testing.T, s *Store) {
	for n := 1; n <= 18; n++ {
		d, size := kv.Sync, 20
		switch {
		case n%3 == 0:
			d = kv.NoSync
		case n%10 == 5:
			size = 300 << 10 // more than half a small write buffer
		}
		w.commit(s, n, d, size)
		if n%7 == 0 {
			w.note(s.Flush())
		}
		if n == 12 {
			w.note(s.Compact(context.Background()))
		}
		if n > w.acked {
			w.read(t, s)
		}
	}
	w.note(s.Verify(context.Background()))
}

// read checks that reading works whatever the disk does.
func (w *workload) read(t *testing.T, s *Store) {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if err := w.check(snap); err != nil {
		t.Fatal(err)
	}
	s.Metrics()
}

// check compares a reader with what was acknowledged: pairs are whole, there
// is no gap, and nothing that was acknowledged is missing.
func (w *workload) check(r kv.Reader) error {
	it, err := r.Iter(nil, nil)
	if err != nil {
		return err
	}
	defer it.Close()
	counts := map[byte]int{}
	last := ""
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.Value()
		if err != nil {
			return err
		}
		if it.Key()[0] == 'l' {
			last = string(v)
			continue
		}
		kind := it.Key()[0]
		counts[kind]++
		want := fmt.Sprintf("%c%05d", kind, counts[kind])
		if string(it.Key()) != want {
			return fmt.Errorf("key %q where %q should be", it.Key(), want)
		}
	}
	n := counts['a']
	if n != counts['b'] || n > 0 && last != fmt.Sprint(n) {
		return fmt.Errorf("torn batch: %d and %d entries, the last is %s", n, counts['b'], last)
	}
	if n < w.acked || n > w.tried {
		return fmt.Errorf("%d commits are there, %d acknowledged, %d tried", n, w.acked, w.tried)
	}
	return it.Error()
}

// checkAfterCrash opens clones of the disk as a crash might leave it.
func (w *workload) checkAfterCrash(t *testing.T, mem *vfs.MemFS, seed uint64) {
	t.Helper()
	for _, percent := range []int{0, 50 + 50*int(seed%2)} {
		clone := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(seed, 7))})
		s, err := Open("/db", Options{FS: clone, SmallDevice: true})
		if err != nil {
			t.Fatalf("reopen with %d %% of unsynced data: %v", percent, err)
		}
		if err := w.check(s); err != nil {
			t.Fatalf("after a crash with %d %% of unsynced data: %v", percent, err)
		}
		if err := s.Verify(context.Background()); err != nil {
			t.Fatalf("verify after a crash: %v", err)
		}
		mustClose(t, s)
	}
}

// TestEveryWriteRefused refuses the nth change of the disk and all after it,
// for every n of the workload.
func TestEveryWriteRefused(t *testing.T) {
	dry := newFaultFS(vfs.NewCrashableMem())
	s := openStore(t, "/db", Options{FS: dry.fs, SmallDevice: true})
	opened := dry.count.Load()
	(&workload{}).run(t, s)
	mustClose(t, s)
	total := dry.count.Load()
	if total < 150 {
		t.Fatalf("only %d changes", total)
	}
	step := int64(1)
	if testing.Short() {
		step = 17
	}
	for n := int64(1); n <= total; n += step {
		within(t, fmt.Sprintf("fault at change %d of %d", n, total), func() { refuseFrom(t, n, opened, n/2%2*4) })
		if t.Failed() {
			t.Fatalf("fault at change %d of %d", n, total)
		}
	}
}

// refuseFrom runs the workload with change n refused, and as many after it as
// length says, or all if that is 0.
func refuseFrom(t *testing.T, n, opened, length int64) {
	f := newFaultFS(vfs.NewCrashableMem())
	f.from.Store(n)
	if length > 0 {
		f.until = n + length
	}
	w := &workload{}
	s, err := Open("/db", Options{FS: f.fs, SmallDevice: true})
	if err == nil {
		w.run(t, s)
		err = s.Close()
		if len(w.errs) > 0 && err == nil {
			t.Errorf("%d errors, and Close returned nil; first: %v", len(w.errs), w.errs[0])
		}
		for _, e := range w.errs {
			if !errors.Is(e, kv.ErrFailed) || !errors.Is(e, syscall.ENOSPC) {
				t.Errorf("error without its cause: %v", e)
			}
		}
	} else if n > opened+30 { // the count depends on what runs in the background
		t.Errorf("Open failed before any fault: %v", err)
	}
	w.checkAfterCrash(t, f.mem, uint64(n))
}

// TestFailedStore follows one failure closely, per kind of file.
func TestFailedStore(t *testing.T) {
	tests := []struct{ name, part string }{
		{"log", ".log"},
		{"table", ".sst"},
		{"manifest", "MANIFEST"},
		{"marker", "marker."},
		{"mark", ackName},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFaultFS(vfs.NewCrashableMem())
			f.filter = func(op errorfs.Op) bool { return strings.Contains(op.Path, test.part) }
			s := openStore(t, "/db", Options{FS: f.fs, SmallDevice: true})
			w := &workload{}
			for n := 1; n <= 5; n++ {
				w.commit(s, n, kv.Sync, 2000)
			}
			f.from.Store(f.count.Load() + 1)
			within(t, "workload", func() {
				for n := 6; len(w.errs) == 0 && n < 1000; n++ {
					w.commit(s, n, kv.Sync, 2000)
					w.note(s.Flush())
				}
			})
			if len(w.errs) == 0 {
				t.Fatal("no error surfaced")
			}
			checkFailed(t, s, w, f)
		})
	}
}

// checkFailed checks every promise about a failed store.
func checkFailed(t *testing.T, s *Store, w *workload, f *faultFS) {
	t.Helper()
	text := w.errs[0].Error()
	for _, part := range []string{"/db", syscall.ENOSPC.Error(), "open it again"} {
		if !strings.Contains(text, part) {
			t.Errorf("error %q doesn't tell %q", text, part)
		}
	}
	ctx := context.Background()
	changes := f.count.Load()
	b := s.NewBatch()
	b.Set([]byte("x"), nil)
	for what, err := range map[string]error{
		"Commit": s.Commit(b, kv.Sync), "NoSync": s.Commit(b, kv.NoSync), "Flush": s.Flush(),
		"Compact": s.Compact(ctx), "Checkpoint": s.Checkpoint(ctx, "/copy"), "AcceptLoss": s.AcceptLoss(),
	} {
		if !errors.Is(err, kv.ErrFailed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_ = b.Close()
	w.read(t, s)
	if err := s.Verify(ctx); err != nil {
		t.Errorf("Verify: %v", err)
	}
	f.from.Store(0) // there is room again: the store stays failed
	if err := s.Flush(); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("Flush with room again: %v", err)
	}
	within(t, "Close", func() {
		if err := s.Close(); !errors.Is(err, kv.ErrFailed) {
			t.Errorf("Close: %v", err)
		}
	})
	if got := f.count.Load(); got != changes {
		t.Errorf("%d changes of the disk after the failure", got-changes)
	}
	w.checkAfterCrash(t, f.mem, 1)
	again := openStore(t, "/db", Options{FS: f.mem, SmallDevice: true})
	if err := w.check(again); err != nil {
		t.Error(err)
	}
	mustClose(t, again)
}

// TestFaultUnderLoad fails the disk while many goroutines write enough for
// flushes, compactions and stalls, in which a held lock would show as a hang.
func TestFaultUnderLoad(t *testing.T) {
	for _, part := range []string{".log", ".sst", "MANIFEST"} {
		t.Run(part, func(t *testing.T) {
			f := newFaultFS(vfs.NewCrashableMem())
			f.filter = func(op errorfs.Op) bool { return strings.Contains(op.Path, part) }
			s := openStore(t, "/db", Options{FS: f.fs, SmallDevice: true})
			acked := make([]int, 4)
			within(t, "writers", func() {
				done := make(chan struct{})
				for g := range acked {
					go func() {
						defer func() { done <- struct{}{} }()
						acked[g] = writeUntilFailed(s, g, f)
					}()
				}
				for range acked {
					<-done
				}
			})
			within(t, "Close", func() { _ = s.Close() })
			clone := f.mem.CrashClone(vfs.CrashCloneCfg{})
			again := openStore(t, "/db", Options{FS: clone, SmallDevice: true})
			for g, n := range acked {
				key := []byte(fmt.Sprintf("g%d-%06d", g, n))
				if _, err := kv.GetCopy(again, nil, key); n >= 0 && err != nil {
					t.Errorf("acknowledged %s: %v", key, err)
				}
			}
			mustClose(t, again)
		})
	}
}

// writeUntilFailed commits until an error and returns the last number that was
// acknowledged as durable. The disk fails after some megabytes.
func writeUntilFailed(s *Store, g int, f *faultFS) (acked int) {
	acked = -1
	for n := range 5000 {
		if n == 400 {
			f.from.Store(1)
		}
		b := s.NewBatch()
		b.Set([]byte(fmt.Sprintf("g%d-%06d", g, n)), []byte(strings.Repeat("x", 3000)))
		d := kv.NoSync
		if n%20 == 0 {
			d = kv.Sync
		}
		err := s.Commit(b, d)
		_ = b.Close()
		if err != nil {
			return acked
		}
		if d == kv.Sync {
			acked = n
		}
	}
	return acked
}

// TestOpenOnAFullDisk: logs that hold more than a write buffer become tables while
// the store is opened; a disk that refuses any change of that ends Open with its
// error, and once there is room everything is there.
func TestOpenOnAFullDisk(t *testing.T) {
	mem := vfs.NewCrashableMem()
	s := openStore(t, "/db", Options{FS: mem})
	w := &workload{}
	for n := 1; n <= 30; n++ {
		w.commit(s, n, kv.Sync, 400<<10)
	}
	crashed := mem.CrashClone(vfs.CrashCloneCfg{})
	mustClose(t, s)
	open := func(f *faultFS, o Options) (err error) {
		o.FS = f.fs
		s, err := Open("/db", o)
		if err == nil {
			err = s.Close()
		}
		return err
	}
	tries := int64(60)
	if testing.Short() {
		tries = 10
	}
	for _, small := range []bool{false, true} {
		dry := newFaultFS(crashed.CrashClone(vfs.CrashCloneCfg{}))
		if err := open(dry, Options{SmallDevice: small}); err != nil {
			t.Fatal(err)
		}
		for n, total := int64(1), dry.count.Load(); n <= total; n += 1 + total/tries {
			f := newFaultFS(crashed.CrashClone(vfs.CrashCloneCfg{}))
			f.from.Store(n)
			within(t, fmt.Sprintf("opening with change %d of %d refused", n, total), func() {
				if err := open(f, Options{SmallDevice: small}); err != nil && !errors.Is(err, syscall.ENOSPC) {
					t.Errorf("change %d: %v", n, err)
				}
			})
			if t.Failed() {
				return
			}
			w.checkAfterCrash(t, f.mem, uint64(n))
		}
	}
}
