// This file checks what is left after power losses and refused writes.

package memkv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/kvtest"
)

// history is a run of commits and the model after each.
type history struct {
	models []kvtest.Model // models[n] is the state after n commits
	acked  int            // commits promised durable
	errs   []error
}

// run makes commits, syncing some, and maintains the store in between.
func (h *history) run(s *Store, seed uint64, commits int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	model := kvtest.NewModel()
	h.models = append(h.models, model.Clone())
	for n := 1; n <= commits; n++ {
		b := s.NewBatch()
		model.RandomBatch(rng, b)
		// The number makes every state differ from every other.
		b.Set([]byte("number"), fmt.Append(nil, n))
		model["number"] = fmt.Sprint(n)
		h.models = append(h.models, model.Clone())
		d := kv.Durability(n % 2)
		if err := s.Commit(b, d); err != nil {
			h.errs = append(h.errs, err)
			return
		}
		if d == kv.Sync {
			h.acked = n
		}
		if err := h.maintain(s, n); err != nil {
			h.errs = append(h.errs, err)
			return
		}
	}
}

func (h *history) maintain(s *Store, n int) error {
	var err error
	switch n % 13 {
	case 4:
		err = s.Flush()
	case 9:
		err = s.Compact(context.Background())
	default:
		return nil
	}
	if err == nil {
		h.acked = n
	}
	return err
}

// check opens a disk and compares it with the history: one of the states from
// the last acknowledged on must be there, wholly.
func (h *history) check(d *diskFS) error {
	s, err := Open("/db", Options{files: d})
	if err != nil {
		return err
	}
	defer s.Close()
	if n := s.LostCommits(); n != 0 {
		return fmt.Errorf("%d commits reported lost", n)
	}
	for n := h.acked; n < len(h.models); n++ {
		if h.models[n].Equal(s) == nil {
			return s.Verify(context.Background())
		}
	}
	return fmt.Errorf("no state from commit %d to %d: %w", h.acked, len(h.models)-1, h.models[h.acked].Equal(s))
}

// TestPowerLoss cuts the power after every change of the disk.
func TestPowerLoss(t *testing.T) {
	dry := newDiskFS()
	s, err := Open("/db", Options{files: dry})
	if err != nil {
		t.Fatal(err)
	}
	(&history{}).run(s, 1, 40)
	for n := 1; n <= dry.changes; n++ {
		// Refusing everything from a point on freezes the disk at it.
		d, h := newDiskFS(), &history{}
		d.from = n
		if s, err := Open("/db", Options{files: d}); err == nil {
			h.run(s, 1, 40)
		} else {
			h.models = append(h.models, kvtest.NewModel())
		}
		for seed := range uint64(4) {
			var rng *rand.Rand
			if seed > 0 {
				rng = rand.New(rand.NewPCG(seed, uint64(n)))
			}
			if err := h.check(d.crash(rng)); err != nil {
				t.Fatalf("power lost at change %d, seed %d: %v", n, seed, err)
			}
		}
	}
}

// TestEveryWriteRefused refuses changes for a while at every point: the store
// fails, reads go on, and what was acknowledged is there afterwards.
func TestEveryWriteRefused(t *testing.T) {
	for _, length := range []int{0, 2} {
		for n := 1; ; n++ {
			d, h := newDiskFS(), &history{}
			d.from = n
			if length > 0 {
				d.until = n + length
			}
			s, err := Open("/db", Options{files: d})
			if err != nil {
				h.models = append(h.models, kvtest.NewModel())
			} else {
				h.run(s, 7, 30)
				if len(h.errs) == 0 && s.Close() == nil {
					break // beyond the last change
				}
				checkFailed(t, s, h)
			}
			d.from = 0
			if err := h.check(d); err != nil {
				t.Fatalf("refused from change %d on: %v", n, err)
			}
		}
	}
}

func checkFailed(t *testing.T, s *Store, h *history) {
	t.Helper()
	if len(h.errs) == 0 {
		return // Close failed
	}
	if !errors.Is(h.errs[0], kv.ErrFailed) {
		t.Fatalf("error %v", h.errs[0])
	}
	b := s.NewBatch()
	b.Set([]byte("x"), nil)
	ctx := context.Background()
	for what, err := range map[string]error{"Commit": s.Commit(b, kv.NoSync), "Flush": s.Flush(), "Compact": s.Compact(ctx)} {
		if !errors.Is(err, kv.ErrFailed) {
			t.Fatalf("%s on a failed store: %v", what, err)
		}
	}
	last := len(h.models) - 1
	if h.models[last].Equal(s) != nil && h.models[last-1].Equal(s) != nil {
		t.Fatal("reads of a failed store show no state that was committed")
	}
	if err := s.Close(); !errors.Is(err, kv.ErrFailed) {
		t.Fatalf("Close of a failed store: %v", err)
	}
}

// TestRotation checks that a log that has outgrown the data is replaced.
func TestRotation(t *testing.T) {
	s := openDir(t, t.TempDir())
	defer s.Close()
	value := bytes.Repeat([]byte("v"), 100_000)
	for range 200 {
		commitSet(t, s, "same", value)
	}
	if m := s.Metrics(); m.DiskBytes > minRotate+3*int64(len(value)) {
		t.Errorf("%d bytes on disk for %d of data", m.DiskBytes, len(value))
	}
	if s.folder.generation < 2 {
		t.Error("never rotated")
	}
}

func commitSet(t testing.TB, s *Store, key string, value []byte) {
	t.Helper()
	b := s.NewBatch()
	b.Set([]byte(key), value)
	if err := s.Commit(b, kv.NoSync); err != nil {
		t.Fatal(err)
	}
}
