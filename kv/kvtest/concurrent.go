// This file decides what readers may see while writers commit.

package kvtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/kv"
)

// testConcurrent commits batches that each give all keys one number; every
// reader must always see one number on all of them.
func testConcurrent(t *testing.T, h Harness) {
	s := h.open(t)
	const keys, commits = 20, 150
	number := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }
	write := func(n int) error {
		b := s.NewBatch()
		defer b.Close()
		for k := range keys {
			b.Set([]byte{'k', byte(k)}, number(n))
		}
		return s.Commit(b, kv.NoSync)
	}
	must(t, write(0))
	var stop atomic.Bool
	var group sync.WaitGroup
	errs := make(chan error, 8)
	for r := range 4 {
		group.Go(func() {
			var err error
			for err == nil && !stop.Load() {
				err = readAlike(s, keys, r%2 == 0)
				giveWay()
			}
			if err != nil {
				errs <- err
			}
		})
	}
	for i := 1; i <= commits; i++ {
		must(t, write(i))
		if i%50 == 0 {
			must(t, s.Flush())
		}
		v, ok := get(t, s, "k\x00")
		if !ok || binary.BigEndian.Uint64([]byte(v)) != uint64(i) {
			t.Fatalf("own commit %d isn't visible", i)
		}
	}
	stop.Store(true)
	group.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

// giveWay lets writers run where there is one thread without preemption, and
// under js the event loop, which only runs when every goroutine waits.
func giveWay() {
	if runtime.GOOS == "js" {
		time.Sleep(time.Millisecond)
	}
	runtime.Gosched()
}

// readAlike checks that all entries have the same value, read through a
// snapshot or the store.
func readAlike(s kv.Store, keys int, snapshot bool) error {
	var r kv.Reader = s
	if snapshot {
		snap, err := s.Snapshot()
		if err != nil {
			return err
		}
		defer snap.Close()
		r = snap
	}
	it, err := r.Iter(nil, nil)
	if err != nil {
		return err
	}
	n, first := 0, ""
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.Value()
		if err != nil {
			return errors.Join(err, it.Close())
		}
		if n == 0 {
			first = string(v)
		}
		if string(v) != first {
			return errors.Join(fmt.Errorf("torn batch: %x and %x", first, v), it.Close())
		}
		n++
	}
	if n != keys {
		return errors.Join(fmt.Errorf("%d keys, want %d", n, keys), it.Close())
	}
	return errors.Join(it.Error(), it.Close())
}

// testConcurrentBatches commits from many goroutines at once (P10): nothing
// may be lost or mixed.
func testConcurrentBatches(t *testing.T, h Harness) {
	s := h.Open(t)
	const writers, each = 20, 15
	var group sync.WaitGroup
	errs := make([]error, writers)
	for w := range writers {
		group.Go(func() {
			for i := range each {
				b := s.NewBatch()
				b.Set([]byte(fmt.Sprintf("w%02d-%02d", w, i)), []byte(fmt.Sprint(w, i)))
				b.Set([]byte("last"), []byte(fmt.Sprint(w)))
				d := kv.NoSync
				if i%5 == 0 {
					d = kv.Sync
				}
				errs[w] = errors.Join(errs[w], s.Commit(b, d), b.Close())
			}
		})
	}
	group.Wait()
	must(t, errors.Join(errs...))
	if h.Reopen != nil {
		s = h.Reopen(t, s)
	}
	defer closeStore(t, s)
	for w := range writers {
		for i := range each {
			wantValue(t, s, fmt.Sprintf("w%02d-%02d", w, i), fmt.Sprint(w, i))
		}
	}
	if got := len(scan(t, s, nil, nil)); got != writers*each+1 {
		t.Fatalf("%d entries, want %d", got, writers*each+1)
	}
}
