//go:build !js && !wasip1 && !solaris && !aix && !plan9

package store

// Power loss while many goroutines save, embed, delete, seal, merge, compact and
// rebuild: what was acknowledged before it is there, and of what was under way
// each operation wholly or not at all.

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/bm25"
)

// ledger notes which operations were begun and which were acknowledged. An
// operation is a batch of entries whose ids begin with its name and a slash.
type ledger struct {
	mu   sync.Mutex
	size map[string]int  // batches begun: number of entries
	here map[string]bool // batches acknowledged
	dead map[string]bool // batches whose deletion has begun
	gone map[string]bool // batches whose deletion was acknowledged
	full map[string]bool // batches that were acknowledged to have all vectors
}

func newLedger() *ledger {
	return &ledger{size: map[string]int{}, here: map[string]bool{}, dead: map[string]bool{}, gone: map[string]bool{}, full: map[string]bool{}}
}

func (l *ledger) note(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// moment freezes what had been acknowledged at a crash. What was begun is read
// when the run is over: whatever else is found began after it.
func (l *ledger) moment(at *crash) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at.acked = map[string]bool{}
	for name := range l.here {
		at.acked[name] = true
	}
	for name := range l.gone {
		at.acked["-"+name] = true
	}
	for name := range l.full {
		at.acked["+"+name] = true
	}
}

func batchRecords(rng *rand.Rand, name string, n int, now time.Time) []Record {
	recs := make([]Record, n)
	for i := range recs {
		words := make([]string, 3+rng.IntN(8))
		for w := range words {
			words[w] = modelWords[rng.IntN(len(modelWords))]
		}
		recs[i] = Record{
			ID: fmt.Sprintf("%s/%d", name, i), Content: strings.Join(words, " "), Scope: []string{"", "a"}[i%2],
			SessionID: name, Timestamp: now.Add(time.Duration(rng.IntN(1000)) * time.Second), TokenCount: len(words),
		}
	}
	return recs
}

// windowsOf are the vectors that the record at a place in its batch is to have.
func windowsOf(m Model, name string, place int) [][]float32 {
	seed := uint64(crc32.ChecksumIEEE([]byte(name)))<<8 + uint64(4*place)
	return testVectors(m, []uint64{seed, seed + 1, seed + 2}[:1+place%3]...)
}

// batchDrafts gives a batch's records all, part or none of their vectors.
func batchDrafts(m Model, name string, recs []Record) []Draft {
	list := drafts(recs...)
	for i := range list {
		vectors := windowsOf(m, name, i)
		if n := len(vectors); i%2 == 0 {
			list[i].Embedding = Embedding{Vectors: vectors[:n-1], Missing: true}
		} else {
			list[i].Embedding = Embedding{Vectors: vectors}
		}
	}
	return list
}

// complete adds the vectors that a batch lacks, in one commit.
func complete(s *Store, name string, recs []Record) error {
	v, err := s.View()
	if err != nil {
		return err
	}
	var list []Addition
	for i := 0; i < len(recs); i += 2 {
		num, err := v.Num(recs[i].ID)
		if err != nil {
			return errors.Join(err, v.Close())
		}
		vectors := windowsOf(s.opts.Model, name, i)
		list = append(list, Addition{Num: num, First: len(vectors) - 1, Vectors: vectors[len(vectors)-1:]})
	}
	if err := v.Close(); err != nil {
		return err
	}
	n, err := s.AddVectors(context.Background(), list)
	if err == nil && n != len(list) {
		err = fmt.Errorf("%d of %d were completed", n, len(list))
	}
	return err
}

// work saves batches, completes the vectors of most and deletes some of them.
func (l *ledger) work(t *testing.T, s *Store, writer, rounds int, now time.Time) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(uint64(writer), 17))
	for i := range rounds {
		name := fmt.Sprintf("w%d-%d", writer, i)
		recs := batchRecords(rng, name, 1+rng.IntN(5), now)
		l.note(func() { l.size[name] = len(recs) })
		if err := s.Save(ctx, batchDrafts(s.opts.Model, name, recs)); err != nil {
			t.Error(err)
			return
		}
		l.note(func() { l.here[name] = true })
		if rng.IntN(4) > 0 {
			if err := complete(s, name, recs); err != nil {
				t.Error(err)
				return
			}
			l.note(func() { l.full[name] = true })
		}
		if rng.IntN(3) > 0 {
			continue
		}
		ids := make([]string, len(recs))
		for i, r := range recs {
			ids[i] = r.ID
		}
		l.note(func() { l.dead[name] = true; delete(l.here, name) })
		if n, err := s.Delete(ctx, ids...); err != nil || n != len(ids) {
			t.Errorf("deleted %d of %d: %v", n, len(ids), err)
			return
		}
		l.note(func() { l.gone[name] = true })
	}
}

// tidy does everything that must not change an answer, until stop is closed.
func tidy(t *testing.T, s *Store, stop <-chan struct{}) {
	ctx := context.Background()
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		case <-time.After(time.Millisecond):
		}
		var err error
		switch i % 8 {
		case 3:
			err = s.Compact(ctx)
		case 6:
			err = s.Rebuild(ctx)
		default:
			_, err = s.Maintain(ctx)
		}
		if err != nil {
			t.Error(err)
			return
		}
	}
}

func TestPowerLossDuringGroupCommits(t *testing.T) {
	seeds, rounds := 2, 80
	if testing.Short() {
		seeds, rounds = 1, 50
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := newLedger()
			c := newCrashes(vfs.NewCrashableMem(), uint64(40+seed), 60)
			c.moment = l.moment
			disk := openOnDisk(t, c.fs(), false)
			m := newModelOn(t, uint64(seed), disk, func(o *Options) {
				o.Manual, o.Index = false, bm25.Options{TailDocs: 8, MergeFactor: 3}
			})
			runWriters(t, l, m, rounds)
			m.check(m.s.Close())
			m.check(disk.Store.Close())
			list := c.take()
			if len(list) < 5 {
				t.Fatalf("only %d crashes", len(list))
			}
			m.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			for _, at := range list[:min(len(list), 15)] {
				m.holdsBatches(l, at)
			}
		})
	}
}

func runWriters(t *testing.T, l *ledger, m *model, rounds int) {
	var writers, other sync.WaitGroup
	stop := make(chan struct{})
	now := m.now
	for w := range 8 {
		writers.Go(func() { l.work(t, m.s, w, rounds, now) })
	}
	other.Go(func() { tidy(t, m.s, stop) })
	writers.Wait()
	close(stop)
	other.Wait()
}

// holdsBatches opens a crashed store and checks it against the ledger.
func (m *model) holdsBatches(l *ledger, at *crash) {
	m.t.Helper()
	r, pairs := m.recovered(at)
	r.reopened()
	found, waiting := map[string]int{}, map[string]int{}
	r.entries, r.history = map[string]*modelEntry{}, map[string][]string{}
	for rec, err := range recordsFrom(pairs, 0) {
		m.check(err)
		found[rec.SessionID]++
		if r.putFound(rec) {
			waiting[rec.SessionID]++
		}
	}
	for name, n := range found {
		if w := waiting[name]; w != 0 && (w != (n+1)/2 || at.acked["+"+name]) {
			m.t.Fatalf("crash before %v (%d %%): %d of the %d entries of %s wait for vectors", at.op, at.percent, w, n, name)
		}
		if n != l.size[name] {
			m.t.Fatalf("crash before %v (%d %%): %d of the %d entries of %s", at.op, at.percent, n, l.size[name], name)
		}
		if at.acked["-"+name] {
			m.t.Fatalf("crash before %v (%d %%): %s was deleted and is back", at.op, at.percent, name)
		}
	}
	for name := range at.acked {
		// One whose deletion had begun may be gone.
		if found[name] == 0 && !strings.ContainsAny(name[:1], "-+") && !l.dead[name] {
			m.t.Fatalf("crash before %v (%d %%): %s was acknowledged and is gone", at.op, at.percent, name)
		}
	}
	r.compare()
	r.check(r.s.Verify(context.Background()))
	r.check(r.s.Close())
	r.check(pairs.Close())
}

// putFound takes a record as it was found, with the vectors that it must have
// then, and reports whether it waits for more.
func (m *model) putFound(rec *stored) bool {
	m.t.Helper()
	waits, err := has(m.pairs, pendingKey(rec.num))
	m.check(err)
	var place int
	_, err = fmt.Sscanf(rec.ID[len(rec.SessionID):], "/%d", &place)
	m.check(err)
	vectors := windowsOf(m.opts.Model, rec.SessionID, place)
	if waits {
		vectors = vectors[:len(vectors)-1]
	}
	m.putDraft(&Draft{Record: rec.Record, Embedding: Embedding{Vectors: vectors, Missing: waits}})
	return waits
}
