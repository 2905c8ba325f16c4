// This file decides whether the index stays right: random operations of all
// kinds, each state compared with the oracle.

package vecindex

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// model drives a fixture through random operations.
type model struct {
	*fixture
	r    *rand.Rand
	dim  int
	kind draw
	old  []*frozen
}

func TestModel(t *testing.T) {
	seeds, steps := 60, 400
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			runModel(t, nil, uint64(seed), steps)
		})
	}
}

func TestModelOnDisk(t *testing.T) {
	store := openDisk(t)
	if store == nil {
		t.Log("there is no store on disk here: in memory instead")
	}
	runModel(t, store, 1000, 60)
}

func runModel(t *testing.T, store kv.Store, seed uint64, steps int) {
	r := rand.New(rand.NewPCG(seed, 7))
	opts := Options{tuning: small, MaxResident: maxResidents[seed%5], Parallelism: 1 + r.IntN(3), CacheBytes: 2000}
	m := &model{fixture: newFixture(t, store, opts), r: r, dim: 1 + r.IntN(40), kind: kinds[r.IntN(len(kinds))].draw}
	for range steps {
		m.step()
		m.check()
	}
	m.reopen()
	m.check()
	m.verify(m.freeze())
	for _, z := range m.old {
		m.verify(z)
	}
}

// step does one random operation.
func (m *model) step() {
	switch n := m.r.IntN(100); {
	case n < 50:
		m.commit(m.change(1 + m.r.IntN(4)))
	case n < 58:
		m.commit(m.change(m.r.IntN(60)))
	case n < 62: // a transaction that is dropped leaves no trace
		truth := m.truth.clone()
		tx := m.change(5)
		if m.r.IntN(2) == 0 {
			b := m.store.NewBatch()
			m.must(tx.Apply(b))
			m.must(b.Close())
		}
		m.truth = truth
	case n < 75:
		if len(m.old) > 6 {
			m.old = slices.Delete(m.old, 0, 1)
		}
		m.old = append(m.old, m.freeze())
	case n < 80:
		m.must(m.ix.Load(ctx, m.store, m.ix.View()))
	case n < 88:
		m.opts.MaxResident = maxResidents[m.r.IntN(5)]
		m.reopen()
		m.old = nil
		for range m.r.IntN(4) {
			m.commit(m.change(m.r.IntN(10)))
		}
	case n < 91:
		tx := m.ix.Begin()
		m.fill(tx, 3)
		tx.Clear()
		m.truth, m.dim = oracle{}, 1+m.r.IntN(40)
		m.fill(tx, m.r.IntN(20))
		m.commit(tx)
	case n < 95: // delete most
		tx := m.ix.Begin()
		for _, num := range m.truth.nums() {
			if m.r.IntN(8) > 0 {
				m.delete(tx, num)
			}
		}
		m.commit(tx)
	default:
		m.verify(m.freeze())
	}
}

// change adds n documents or windows and deletes some.
func (m *model) change(n int) *Tx {
	tx := m.ix.Begin()
	m.fill(tx, n)
	for _, num := range m.truth.nums() {
		if m.r.IntN(2+len(m.truth)) < 1+n/2 {
			m.delete(tx, num)
			if m.r.IntN(4) == 0 { // it comes back, with other vectors
				m.add(tx, num)
			}
			if m.r.IntN(8) == 0 {
				m.delete(tx, num)
			}
		}
	}
	m.delete(tx, m.r.Uint64()) // not there
	return tx
}

// fill adds n documents, in no order, or windows of those that are there.
func (m *model) fill(tx *Tx, n int) {
	for range n {
		m.add(tx, uint64(m.r.IntN(400)))
	}
}

func (m *model) add(tx *Tx, num uint64) {
	d := Doc{Num: num, Scope: testScopes[m.r.IntN(4)]}
	if old := m.truth[num]; old != nil {
		d.Scope, d.First = old.scope, len(old.units)
	}
	for range m.r.IntN(4) {
		d.Vectors = append(d.Vectors, m.kind(m.r, m.dim))
	}
	m.must(tx.Add(d))
	m.truth.add(d)
}

func (m *model) delete(tx *Tx, num uint64) {
	m.must(tx.Delete(m.store, num))
	delete(m.truth, num)
}

// check compares the newest state and an old one with the truth.
func (m *model) check() {
	m.Helper()
	states := []*frozen{m.freeze()}
	if len(m.old) > 0 {
		states = append(states, m.old[m.r.IntN(len(m.old))])
	}
	for _, z := range states {
		dim := z.v.Stats().Dim
		if dim == 0 {
			dim = 3
		}
		list := filters(m.r)
		limit := []int{-1, 1, 2, 5, 20}[m.r.IntN(5)]
		m.compare(z, m.kind(m.r, dim), list[m.r.IntN(len(list))], limit)
		m.documents(z)
		m.lookups(z, m.r, m.kind(m.r, dim))
		m.survey(z, m.kind(m.r, dim), list[m.r.IntN(len(list))], limit)
	}
	states[0].snap.Close()
	if got := m.ix.Dim(); got != 0 && len(m.truth) > 0 && got != m.dim {
		m.Fatalf("dimension %d, want %d", got, m.dim)
	}
}

// documents compares what a view says about single documents.
func (m *model) documents(z *frozen) {
	m.Helper()
	for range 3 {
		num := uint64(m.r.IntN(400))
		want := 0
		if d := z.truth[num]; d != nil {
			want = len(d.units)
			got, err := z.v.Vectors(z.snap, num)
			m.must(err)
			if !slices.EqualFunc(got, d.units, slices.Equal) {
				m.Fatalf("document %d has other vectors", num)
			}
		}
		if got, err := z.v.Has(z.snap, num); err != nil || got != want {
			m.Fatalf("document %d has %d vectors, %v, want %d", num, got, err, want)
		}
	}
	if s := z.v.Stats(); s.Documents != uint64(len(z.truth)) || s.Vectors != uint64(z.truth.vectors()) {
		m.Fatalf("%+v, want %d documents with %d vectors", s, len(z.truth), z.truth.vectors())
	}
}
