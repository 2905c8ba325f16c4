//go:build !js && !wasip1 && !solaris && !aix && !plan9

package store

// Saves that wait at the same moment share a sync. Counted on a disk with slow
// syncs, not timed.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/internal/faultfs"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

// slowDisk is a file system in memory whose syncs take 5 ms.
func slowDisk(syncs *atomic.Int64) vfs.FS {
	return faultfs.Wrap(vfs.NewMem(), func(op faultfs.Op) error {
		if op.Kind == faultfs.Sync {
			syncs.Add(1)
			time.Sleep(5 * time.Millisecond)
		}
		return nil
	})
}

func slowStore(t *testing.T) (*Store, *atomic.Int64) {
	t.Helper()
	syncs := new(atomic.Int64)
	pairs, err := pebblekv.Open("db", pebblekv.Options{FS: slowDisk(syncs)})
	if err != nil {
		t.Fatal(err)
	}
	o := testOptions(nil, func() time.Time { return time.Unix(1_700_000_000, 0) })
	o.KV = pairs
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s, syncs
}

func TestGroupCommitSharesSyncs(t *testing.T) {
	const savers, each = 32, 16
	s, syncs := slowStore(t)
	before := syncs.Load()
	var wg sync.WaitGroup
	for w := range savers {
		wg.Go(func() {
			for i := range each {
				r := Record{ID: fmt.Sprintf("%d-%d", w, i), Content: "group commit", Timestamp: time.Unix(int64(i), 0)}
				if err := s.Save(context.Background(), drafts(r)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := syncs.Load() - before; n > savers*each/8 {
		t.Errorf("%d saves took %d syncs", savers*each, n)
	} else {
		t.Logf("%d saves took %d syncs", savers*each, n)
	}
	if err := errors.Join(s.Verify(context.Background()), s.Close()); err != nil {
		t.Error(err)
	}
}

// One operation that fails does not harm the others of its group.
func TestGroupCommitFailsAlone(t *testing.T) {
	s, _ := slowStore(t)
	ctx := context.Background()
	broken := errors.New("broken")
	if err := s.Save(ctx, drafts(Record{ID: "x", Content: "x"})); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w := range 24 {
		wg.Go(func() {
			id := fmt.Sprint(w)
			switch w % 3 {
			case 0:
				if err := s.Save(ctx, drafts(Record{ID: id, Content: "good"})); err != nil {
					t.Error(err)
				}
			case 1:
				if _, err := s.Update(ctx, "x", nil, Embedding{}, func(*Record) error { return broken }); !errors.Is(err, broken) {
					t.Errorf("update: %v", err)
				}
			case 2:
				// Fails after it has changed something.
				err := s.submit(ctx, func(tx *tx) error {
					v := s.analyze(&Record{Content: "bad"})
					_, err := tx.saveDraft(&Draft{Record: Record{ID: "bad-" + id, Content: "bad"}}, &v, false)
					return errors.Join(err, broken)
				})
				if !errors.Is(err, broken) {
					t.Errorf("midway: %v", err)
				}
			}
		})
	}
	wg.Wait()
	v, err := s.SearchView(ctx)
	if err != nil {
		t.Fatal(err)
	}
	good, err := v.Search(ctx, "good", Filter{}, -1)
	if err != nil || len(good) != 8 {
		t.Errorf("%d good entries, %v", len(good), err)
	}
	bad, err := v.Search(ctx, "bad", Filter{}, -1)
	if err != nil || len(bad) != 0 || v.Stats().Entries != 9 {
		t.Errorf("%d bad entries of %d, %v", len(bad), v.Stats().Entries, err)
	}
	if err := errors.Join(v.Close(), s.Verify(ctx), s.Close()); err != nil {
		t.Error(err)
	}
}

// A caller's function that panics does so on its own goroutine and changes
// nothing; the others of its group, and those after it, go on.
func TestGroupCommitSurvivesPanics(t *testing.T) {
	s, _ := slowStore(t)
	ctx := context.Background()
	if err := s.Save(ctx, drafts(Record{ID: "x", Content: "before"})); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w := range 24 {
		wg.Go(func() {
			if w%2 == 0 {
				if err := s.Save(ctx, drafts(Record{ID: fmt.Sprint(w), Content: "good"})); err != nil {
					t.Error(err)
				}
				return
			}
			defer func() {
				if got := recover(); got != w {
					t.Errorf("recovered %v, want %d", got, w)
				}
			}()
			text := "after"
			_, err := s.Update(ctx, "x", &text, Embedding{}, func(*Record) error { panic(w) })
			t.Errorf("update returned %v", err)
		})
	}
	wg.Wait()
	v, err := s.View()
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Get("x")
	if err != nil || x.Content != "before" || v.Stats().Entries != 13 {
		t.Errorf("%+v, %v, %d entries", x, err, v.Stats().Entries)
	}
	if err := errors.Join(v.Close(), s.Verify(ctx), s.Close()); err != nil {
		t.Error(err)
	}
}
