// This file decides whether the index is right at the sizes that it is used at:
// with usual chunks, several goroutines, many deaths, and changes during a copy.

package vecindex

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

func TestManyVectors(t *testing.T) {
	n := 40_000
	if testing.Short() {
		n = 12_000
	}
	for _, opts := range []Options{
		{Parallelism: 3},
		{Parallelism: 1, MaxResident: 1 << 20},
	} {
		r := rand.New(rand.NewPCG(41, 42))
		f := newFixture(t, openDisk(t), opts)
		draw := around(300, 0.01)
		docs := someDocs(r, n/2, 16, draw)
		for len(docs) > 0 {
			size := min(len(docs), 1+r.IntN(5000))
			f.addDocs(docs[:size]...)
			docs = docs[size:]
		}
		searchMany(f, r, draw)
		resident := f.ix.View().Stats().Resident
		old := f.freeze()
		f.remove(everyThird(f.truth.nums())...)
		searchMany(f, r, draw)
		if now := f.ix.View().Stats().Resident; now >= resident && opts.MaxResident == 0 {
			t.Errorf("%d bytes before a third of the documents went, %d after", resident, now)
		}
		f.compare(old, draw(r, 16), Filter{}, 100)
		f.verify(f.freeze())
		f.reopen()
		searchMany(f, r, draw)
	}
}

func everyThird(nums []uint64) (list []uint64) {
	for i := 0; i < len(nums); i += 3 {
		list = append(list, nums[i])
	}
	return list
}

// searchMany compares searches of all filters and some limits.
func searchMany(f *fixture, r *rand.Rand, d draw) {
	f.Helper()
	z := f.freeze()
	for i, filter := range filters(r) {
		f.compare(z, d(r, 16), filter, []int{1, 50, 2000}[i%3])
	}
}

// hooked calls do when it is asked for its error for the n-th time.
type hooked struct {
	context.Context
	n  int
	do func()
}

func (h *hooked) Err() error {
	if h.n--; h.n == 0 {
		h.do()
	}
	return h.Context.Err()
}

// Writers go on while a table is copied without its dead rows; what they did is
// in the copy.
func TestWritersGoOnDuringACopy(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 43))
		f := newFixture(t, nil, Options{tuning: small})
		f.addDocs(someDocs(r, 100, 7, gauss)...)
		full := f.ix.View().Stats().Resident
		f.remove(f.truth.nums()[:70]...)
		m := &model{fixture: f, r: r, dim: 7, kind: gauss}
		base := f.freeze()
		var during []*frozen
		c := &hooked{ctx, 2, func() {
			for range 1 + r.IntN(6) {
				m.commit(m.change(r.IntN(40)))
				during = append(during, f.freeze())
			}
		}}
		f.must(f.ix.Load(c, base.snap, base.v))
		if len(during) == 0 || f.ix.table.version != base.v.version {
			t.Fatalf("nothing was copied, or nothing happened meanwhile")
		}
		if now := f.ix.table.position(f.ix.version); now.count < 30 || base.v.Stats().Resident > 2*full {
			t.Errorf("%d rows in the copy", now.count)
		}
		for _, z := range append(during, base, f.freeze()) {
			for _, filter := range filters(r) {
				f.compare(z, gauss(r, 7), filter, 9)
			}
		}
	}
}

// A copy that is given up leaves the table as it was.
func TestCopyStopsWithItsContext(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 44))
	f := newFixture(t, nil, Options{tuning: small})
	f.addDocs(someDocs(r, 100, 7, gauss)...)
	f.remove(f.truth.nums()[:70]...)
	c, cancel := context.WithCancel(ctx)
	if err := f.ix.Load(&hooked{c, 2, cancel}, f.store, f.ix.View()); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if f.ix.table == nil || f.ix.build != nil || !f.ix.table.worn() {
		t.Error("the table is another one")
	}
	f.search(gauss(r, 7), Filter{}, 9)
	if f.ix.table.worn() {
		t.Error("the dead rows are still there")
	}
}

// A transaction whose commit fails changes nothing, on the store and in memory.
func TestFailedCommit(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 45))
	f := newFixture(t, nil, Options{tuning: small})
	f.addDocs(someDocs(r, 20, 7, gauss)...)
	before := f.dump()
	tx := f.ix.Begin()
	f.must(tx.Add(Doc{Num: 100, Vectors: [][]float32{gauss(r, 7)}}))
	f.must(tx.Delete(f.store, 1))
	b := f.store.NewBatch()
	defer b.Close()
	f.must(tx.Apply(b))
	b.Set([]byte{0xFF}, nil) // which no store takes
	if err := f.store.Commit(b, kv.NoSync); !errors.Is(err, kv.ErrReserved) {
		t.Fatalf("%v", err)
	}
	if f.dump() != before {
		t.Error("the store has changed")
	}
	f.search(gauss(r, 7), Filter{}, 30)
	f.addDocs(Doc{Num: 101, Vectors: [][]float32{gauss(r, 7)}})
	f.search(gauss(r, 7), Filter{}, 30)
	f.verify(f.freeze())
}
