// This file decides whether the parts are right by themselves: the picker, the
// runs, the cache of masters, and transactions.

package vecindex

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// The threshold is the k-th best lower end of distinct documents, at any time.
func TestPickerThreshold(t *testing.T) {
	for _, limit := range []int{1, 2, 7, 50} {
		r := rand.New(rand.NewPCG(uint64(limit), 1))
		p := newPicker().begin(limit, Filter{})
		best := map[uint64]float32{}
		for n := range 3000 {
			num, lower := uint64(r.IntN(200)), float32(r.NormFloat64())
			if n%10 == 0 {
				lower = float32(r.IntN(3))
			}
			if err := p.offer(rowKey{num, uint16(n)}, -1, lower, lower+0.5); err != nil {
				t.Fatal(err)
			}
			if old, ok := best[num]; !ok || lower > old {
				best[num] = lower
			}
			all := []float32{}
			for _, v := range best {
				all = append(all, v)
			}
			slices.Sort(all)
			want := float32(math.Inf(-1))
			if len(all) >= limit {
				want = all[len(all)-limit]
			}
			if got := p.threshold(); got != want {
				t.Fatalf("limit %d, offer %d: threshold %v, want %v", limit, n, got, want)
			}
		}
	}
}

func TestPickerPrunes(t *testing.T) {
	p := newPicker().begin(1, Filter{})
	for i := range 100_000 {
		if err := p.offer(rowKey{uint64(i), 0}, -1, float32(i), float32(i)+10); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.candidates); n > 2*pruneFrom {
		t.Errorf("%d candidates are kept", n)
	}
}

func TestGreatestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		n, values := 1+r.IntN(60), 1+r.IntN(30)
		rows, want := make([]passed, n), make([]float32, n)
		for i := range rows {
			rows[i] = passed{i: i, upper: float32(r.IntN(values))}
			want[i] = -rows[i].upper
		}
		slices.Sort(want)
		k := 1 + r.IntN(n)
		greatestFirst(rows, k)
		seen := make([]bool, n)
		for i, p := range rows {
			if i < k && p.upper < -want[k-1] || i >= k && p.upper > -want[k-1] || seen[p.i] {
				t.Fatalf("place %d of the best %d of %d has %v, the last of them is %v", i, k, n, p.upper, -want[k-1])
			}
			seen[p.i] = true
		}
	}
}

func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	keys := make([]rowKey, 5000)
	keyOf := func(row uint32) rowKey { return keys[row] }
	var rs runs
	for i := range keys {
		keys[i] = rowKey{uint64(r.IntN(900)), uint16(i)}
		rs.add(uint32(i), keyOf)
		if len(rs) > 14 {
			t.Fatalf("%d runs of %d rows", len(rs), i+1)
		}
	}
	for num := range uint64(901) {
		var got, want []uint32
		rs.find(num, keyOf, func(row uint32) { got = append(got, row) })
		for i, k := range keys {
			if k.num == num {
				want = append(want, uint32(i))
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("document %d: rows %v, want %v", num, got, want)
		}
	}
}

// Keys sort as documents and windows do, and next is the very next one.
func TestRowKeys(t *testing.T) {
	keys := keyspace{[]byte("p")}
	list := []rowKey{{0, 0}, {0, 1}, {0, MaxWindows - 1}, {1, 0}, {255, 7}, {256, 0}, {1 << 40, 3}, {math.MaxUint64, 0}, {math.MaxUint64, MaxWindows - 1}}
	for i, a := range list {
		for j, b := range list {
			if a.less(b) != (i < j) || (bytes.Compare(keys.row(kindCode, a), keys.row(kindCode, b)) < 0) != (i < j) {
				t.Errorf("%v and %v are in the wrong order", a, b)
			}
		}
		if got, err := keys.parse(keys.row(kindMaster, a)); err != nil || got != a {
			t.Errorf("%v is read as %v, %v", a, got, err)
		}
		n, ok := a.next()
		if ok != (i < len(list)-1) || ok && (!a.less(n) || n.num != a.num && n.window != 0) {
			t.Errorf("after %v comes %v, %v", a, n, ok)
		}
		lower, upper := keys.document(kindCode, a.num)
		if k := keys.row(kindCode, a); bytes.Compare(k, lower) < 0 || upper != nil && bytes.Compare(k, upper) >= 0 {
			t.Errorf("%v is not within its document", a)
		}
	}
	if _, err := keys.parse([]byte("pC123")); !errors.Is(err, kv.ErrCorrupt) {
		t.Errorf("a short key: %v", err)
	}
}

func TestMasterCache(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const limit = 20 * (4*8 + masterOverhead)
	c := newMasterCache(limit)
	hot := masterKey{1, 0}
	c.put(hot, make([]float32, 8))
	for i := range 5000 {
		key := masterKey{1 + uint64(r.IntN(2)), uint32(r.IntN(100))}
		if unit := c.get(key); unit != nil && unit[0] != float32(key.row) {
			t.Fatalf("%v has the vector of row %v", key, unit[0])
		}
		unit := make([]float32, 8)
		unit[0] = float32(key.row)
		c.put(key, unit)
		if c.get(hot) == nil {
			t.Fatalf("a vector in constant use was dropped at step %d", i)
		}
		if c.bytes > limit || len(c.items) != len(c.ring) {
			t.Fatalf("%d bytes, %d items, %d in the ring", c.bytes, len(c.items), len(c.ring))
		}
	}
	c.put(masterKey{9, 9}, make([]float32, limit))
	if c.get(masterKey{9, 9}) != nil {
		t.Error("a vector bigger than the cache is in it")
	}
}

func TestQuantizeOfUnitVectors(t *testing.T) {
	for _, kind := range kinds {
		r := rand.New(rand.NewPCG(5, 5))
		for _, dim := range []int{1, 2, 17, 384, MaxDim} {
			unit := normalize(kind.draw(r, dim))
			norm := length(dim, func(i int) float64 { return float64(unit[i]) })
			if math.Abs(norm-1) > nearUnit/4 {
				t.Errorf("%s, %d values: length %v", kind.name, dim, norm)
			}
			codes, scale, residual := quantize(unit)
			left := 0.0
			for i, c := range codes {
				d := float64(unit[i]) - float64(scale)*float64(c)
				left += d * d
			}
			if left = math.Sqrt(left); float64(residual) < left || float64(residual) > left*1.0001+1e-7 {
				t.Errorf("%s, %d values: residual %v, want %v", kind.name, dim, residual, left)
			}
			if _, err := decodeRow(nil, (&codeRow{scale: scale, residual: residual, codes: codes}).encode(), dim); err != nil {
				t.Errorf("%s, %d values: %v", kind.name, dim, err)
			}
		}
	}
}

func TestWindowNumbers(t *testing.T) {
	f := newFixture(t, nil, Options{})
	v := [][]float32{{1, 2}}
	tx := f.ix.Begin()
	for _, test := range []struct {
		doc  Doc
		want error
	}{
		{Doc{Num: 1, First: -1, Vectors: v}, ErrWindows},
		{Doc{Num: 1, First: MaxWindows, Vectors: v}, ErrWindows},
		{Doc{Num: 1, First: MaxWindows - 1, Vectors: [][]float32{{1, 2}, {3, 4}}}, ErrWindows},
		{Doc{Num: 1}, nil},
		{Doc{Num: 1, Vectors: v}, nil},
		{Doc{Num: 1, Vectors: v}, ErrWindows},
		{Doc{Num: 1, First: 2, Vectors: v}, ErrWindows},
		{Doc{Num: 1, First: 1, Vectors: v}, nil},
		{Doc{Num: math.MaxUint64, First: MaxWindows - 1, Vectors: v}, nil},
	} {
		if err := tx.Add(test.doc); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v, want %v", test.doc, err, test.want)
		}
	}
	f.commit(tx)
	hits, err := f.ix.View().Search(ctx, f.store, v[0], Filter{}, 5)
	if err != nil || len(hits) != 2 || hits[0] != (Hit{math.MaxUint64, hits[0].Score, MaxWindows - 1}) {
		t.Errorf("%+v, %v", hits, err)
	}
}

func TestDimension(t *testing.T) {
	f := newFixture(t, nil, Options{})
	if f.ix.Dim() != 0 {
		t.Errorf("an empty index has dimension %d", f.ix.Dim())
	}
	tx := f.ix.Begin()
	for _, dim := range []int{0, -1, MaxDim + 1} {
		if err := tx.SetDim(dim); !errors.Is(err, ErrDimension) {
			t.Errorf("SetDim(%d): %v", dim, err)
		}
	}
	f.must(tx.SetDim(4))
	f.must(tx.SetDim(4))
	if err := tx.SetDim(5); !errors.Is(err, ErrDimension) {
		t.Errorf("another dimension: %v", err)
	}
	if err := tx.Add(Doc{Num: 1, Vectors: [][]float32{{1}}}); !errors.Is(err, ErrDimension) {
		t.Errorf("a vector of another dimension: %v", err)
	}
	f.commit(tx)
	f.reopen()
	if f.ix.Dim() != 4 {
		t.Errorf("dimension %d after reopening, want 4", f.ix.Dim())
	}
	f.search([]float32{1, 2, 3, 4}, Filter{}, 3)
	f.addDocs(Doc{Num: 1, Vectors: [][]float32{{1, 2, 3, 4}}})
	f.search([]float32{1, 2, 3, 4}, Filter{}, 3)
	tx = f.ix.Begin()
	tx.Clear()
	f.commit(tx)
	f.truth = oracle{}
	if got := f.dump(); got != "" || f.ix.Dim() != 0 {
		t.Errorf("after Clear: dimension %d,\n%s", f.ix.Dim(), got)
	}
}

// A transaction without changes writes nothing.
func TestEmptyTransaction(t *testing.T) {
	f := newFixture(t, nil, Options{})
	f.addDocs(Doc{Num: 1, Vectors: [][]float32{{1, 2}}})
	tx := f.ix.Begin()
	f.must(tx.Add(Doc{Num: 2}))
	f.must(tx.Delete(f.store, 3))
	b := f.store.NewBatch()
	defer b.Close()
	if f.must(tx.Apply(b)); b.Count() != 0 {
		t.Errorf("%d changes", b.Count())
	}
}

// A vector that is read and stored again keeps its bits.
func TestNormalizeOnceIsEnough(t *testing.T) {
	for _, kind := range kinds {
		r := rand.New(rand.NewPCG(6, 6))
		for range 300 {
			unit := normalize(kind.draw(r, 1+r.IntN(400)))
			if again := normalize(unit); !slices.Equal(again, unit) {
				t.Fatalf("%s, %d values: another vector of length %v", kind.name, len(unit), length(len(unit), func(i int) float64 { return float64(again[i]) }))
			}
		}
	}
}
