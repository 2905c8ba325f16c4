//go:build !js && !wasip1 && !solaris && !aix && !plan9

package store

// The same operations give the same answers, bit for bit, whatever key-value
// store is below, however the text index is cut up, and whether that happens in
// the background. Each variant is also held against the model's plain map.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

const crashDir = "db"

// onDisk is a Pebble store that is opened anew, from its files, whenever the
// store above it is closed.
type onDisk struct {
	kv.Store
	fs    vfs.FS
	small bool
}

func openOnDisk(t testing.TB, fs vfs.FS, small bool) *onDisk {
	t.Helper()
	d := &onDisk{fs: fs, small: small}
	if err := d.open(); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *onDisk) open() (err error) {
	d.Store, err = pebblekv.Open(crashDir, pebblekv.Options{FS: d.fs, SmallDevice: d.small})
	return err
}

func (d *onDisk) Close() error { return errors.Join(d.Store.Close(), d.open()) }

func TestModelOnPebble(t *testing.T) {
	seeds, steps := 4, 150
	if testing.Short() {
		seeds, steps = 2, 60
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			disk := openOnDisk(t, vfs.NewMem(), seed%2 == 1)
			m := newModelOn(t, uint64(100+seed), disk, nil)
			for i := range steps {
				m.step()
				if i%3 == 0 {
					m.compare()
				}
				if i%40 == 0 {
					m.rebuilt()
				}
			}
			m.check(m.s.Verify(context.Background()))
			m.close()
			m.check(disk.Store.Close())
		})
	}
}

// variant is one way to run the same operations.
type variant struct {
	name   string
	pebble bool
	small  bool
	index  bm25.Options
	worker bool
	codes  int64 // bytes of them in memory
}

func variants() []variant {
	return []variant{
		{name: "memkv", index: bm25.Options{TailDocs: 8, MergeFactor: 3, SegmentDocs: 32, ResidentIDs: true}},
		{name: "memkv, one tail", codes: 1},
		{name: "memkv, tiny parts, background", index: bm25.Options{TailDocs: 1, MergeFactor: 2, SegmentDocs: 4, CacheBytes: 1 << 10}, worker: true, codes: 500},
		{name: "pebblekv", pebble: true, index: bm25.Options{TailDocs: 5, MergeFactor: 4, SegmentDocs: 10, ResidentIDs: true}},
		{name: "pebblekv, small, background", pebble: true, small: true, index: bm25.Options{TailDocs: 3, MergeFactor: 2, SegmentDocs: 7}, worker: true},
	}
}

func (v variant) model(t *testing.T, seed uint64) *model {
	var pairs kv.Store = keep{memkv.New()}
	if v.pebble {
		disk := openOnDisk(t, vfs.NewMem(), v.small)
		t.Cleanup(func() {
			if err := disk.Store.Close(); err != nil {
				t.Error(err)
			}
		})
		pairs = disk
	}
	return newModelOn(t, seed, pairs, func(o *Options) { o.Index, o.Manual, o.Vectors.MaxResident = v.index, !v.worker, v.codes })
}

func TestVariantsAgreeBitForBit(t *testing.T) {
	seeds, steps := 2, 150
	if testing.Short() {
		seeds, steps = 1, 80
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			list := variants()
			models := make([]*model, len(list))
			for i, v := range list {
				models[i] = v.model(t, uint64(200+seed))
			}
			for step := range steps {
				want := ""
				for i, m := range models {
					m.step()
					if step%5 != 0 && step != steps-1 {
						continue
					}
					m.compare()
					got := m.answers()
					if i == 0 {
						want = got
					} else if got != want {
						t.Fatalf("step %d: %s answers\n%s\n%s answers\n%s", step, list[i].name, got, list[0].name, want)
					}
				}
			}
			for _, m := range models {
				m.check(m.s.Verify(context.Background()))
				m.close()
			}
		})
	}
}

// answers returns everything that can be read, with scores as their bits.
func (m *model) answers() string {
	m.t.Helper()
	v, err := m.s.SearchView(context.Background())
	m.check(err)
	var b strings.Builder
	f := Filter{AsOf: TimeOf(m.now)}
	for rec, err := range v.List(f) {
		m.check(err)
		fmt.Fprintf(&b, "%+v\n", *rec)
		versions, err := v.History(rec.ID)
		m.check(err)
		fmt.Fprintf(&b, "before: %+v\n", versions)
	}
	n, err := v.Count(f)
	m.check(err)
	scopes, err := v.Scopes(f.AsOf)
	m.check(err)
	fmt.Fprintln(&b, n, scopes)
	for _, word := range modelWords {
		hits, err := v.Search(context.Background(), word+" alpha 東京", f, 15)
		m.check(err)
		for _, h := range hits {
			fmt.Fprintf(&b, "%s %x ", h.ID, h.Score)
		}
	}
	if q := m.vector(); q != nil {
		hits, err := v.Similar(context.Background(), q, f, 40)
		m.check(err)
		for _, h := range hits {
			fmt.Fprintf(&b, "%s %x ", h.ID, h.Score)
		}
	}
	m.surroundings(&b, v, f)
	st := v.Embeddings()
	st.Resident = 0
	fmt.Fprintf(&b, "%+v\n", st)
	m.check(v.Close())
	return b.String()
}
