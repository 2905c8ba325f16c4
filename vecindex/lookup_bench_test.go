// This file decides what is measured of looking up documents that are known: the
// neighbours of what a search found, in a scope of 600.

package vecindex

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// neighbourhoods are runs of 7 documents, 350 in all, of a scope of 600 documents
// that are every step-th from first on.
func neighbourhoods(r *rand.Rand, first, step int) (nums []uint64) {
	for _, i := range r.Perm(85)[:50] {
		for j := range 7 {
			nums = append(nums, uint64(first+(7*i+j)*step))
		}
	}
	return nums
}

// benchLookup measures one kind of lookup; cold means an index that has just been
// opened, with its codes in memory.
func benchLookup(b *testing.B, store func(testing.TB) kv.Store, look func(f *fixture, z *frozen, q []float32, nums []uint64)) {
	for _, n := range []int{3_584, 100_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		f := benchIndex(b, store(b), n, Options{Parallelism: 1, MaxResident: -1})
		for _, c := range []struct {
			name string
			step int
			cold bool
		}{{"near", 1, false}, {"near/cold", 1, true}, {"spread", n / 600, false}, {"spread/cold", n / 600, true}} {
			b.Run(fmt.Sprint(n, "/", c.name), func(b *testing.B) {
				r := rand.New(rand.NewPCG(3, 4))
				q, nums := benchVector(r), neighbourhoods(r, n/3*(1-min(1, c.step/2)), c.step)
				z := f.freeze()
				f.must(f.ix.Load(ctx, z.snap, z.v))
				look(f, z, q, nums)
				b.ReportAllocs()
				for b.Loop() {
					if c.cold {
						b.StopTimer()
						z.snap.Close()
						f.reopen()
						z = f.freeze()
						f.must(f.ix.Load(ctx, z.snap, z.v))
						b.StartTimer()
					}
					look(f, z, q, nums)
				}
			})
		}
	}
}

func inMemory(testing.TB) kv.Store { return nil }

func BenchmarkScores(b *testing.B) {
	scores := func(f *fixture, z *frozen, q []float32, nums []uint64) {
		_, _, err := z.v.Scores(ctx, z.snap, q, nums)
		f.must(err)
	}
	b.Run("memory", func(b *testing.B) { benchLookup(b, inMemory, scores) })
	b.Run("disk", func(b *testing.B) { benchLookup(b, openDisk, scores) })
}

func BenchmarkApproximate(b *testing.B) {
	benchLookup(b, inMemory, func(f *fixture, z *frozen, q []float32, nums []uint64) {
		_, _, err := z.v.Approximate(ctx, z.snap, q, nums)
		f.must(err)
	})
}

// BenchmarkSurvey measures what the distribution adds to a scan, without the
// scoring of hits that follows.
func BenchmarkSurvey(b *testing.B) {
	for _, n := range []int{3_584, 100_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		scope := scopeName(7)
		f := benchIndex(b, nil, n, Options{Parallelism: 1, MaxResident: -1})
		at, err := f.ix.ready(ctx, f.store, f.ix.View())
		f.must(err)
		q := newQuery(benchVector(rand.New(rand.NewPCG(9, 9))), at.table.stride)
		for _, in := range []*string{nil, &scope} {
			for _, with := range []string{"without", "with"} {
				b.Run(fmt.Sprint(n, "/", map[bool]string{true: "all", false: "scope"}[in == nil], "/", with), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						s := &scan{ix: f.ix, ctx: ctx, q: q, at: at, scope: in}
						if with == "with" {
							s.sample = f.ix.getSample()
						}
						s.picker = f.ix.getPicker().begin(benchTop, Filter{})
						f.must(s.resident())
						f.ix.putPicker(s.picker)
						if s.sample != nil {
							s.sample.distribution()
							f.ix.samples.Put(s.sample)
						}
					}
				})
			}
		}
	}
}
