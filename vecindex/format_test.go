// This file decides whether stored bytes are trusted rightly: golden values,
// corrupted ones, and what Verify finds.

package vecindex

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// dump lists what the store holds.
func (f *fixture) dump() string {
	f.Helper()
	it, err := f.store.Iter(nil, nil)
	f.must(err)
	defer it.Close()
	var b strings.Builder
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		f.must(err)
		fmt.Fprintf(&b, "%x %x\n", it.Key(), value)
	}
	return b.String()
}

// The bytes of the format.
func TestGoldenValues(t *testing.T) {
	f := newFixture(t, nil, Options{})
	f.addDocs(Doc{Num: 258, Scope: "a", Vectors: [][]float32{{3, 0, -4}, {1, 1, 1}}})
	want := strings.Join([]string{
		"762f4300000000000001020000 01a069ce3b816ace3a01000000615f008170a825ea",
		"762f4300000000000001020001 0128f7943b67900a3301000000617f7f7f032ed9e5",
		"762f53 0103000000010000000000000002000000000000000bf2e0fa",
		"762f5600000000000001020000 019a99193f00000000cdcc4cbf3334bc52",
		"762f5600000000000001020001 013acd133f3acd133f3acd133ff0984882", "",
	}, "\n")
	if got := f.dump(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The bits of codes, masters and scores of many vectors, on every platform.
func TestGoldenBits(t *testing.T) {
	sum := crc32.NewIEEE()
	for _, kind := range kinds {
		r := rand.New(rand.NewPCG(11, 12))
		f := newFixture(t, nil, Options{})
		f.addDocs(someDocs(r, 30, 100, kind.draw)...)
		sum.Write([]byte(f.dump()))
		hits, err := f.ix.View().Search(ctx, f.store, kind.draw(r, 100), Filter{}, 20)
		f.must(err)
		for _, h := range hits {
			fmt.Fprintln(sum, h.Num, math.Float32bits(h.Score), h.Window)
		}
	}
	if got, want := sum.Sum32(), uint32(0x31ee22cd); got != want {
		t.Errorf("%#08x, want %#08x", got, want)
	}
}

func TestDecodersRefuseEveryDamage(t *testing.T) {
	row := &codeRow{key: rowKey{1, 2}, scope: "sc", scale: 0.5, residual: 0.25, codes: []int8{1, -2, 3}}
	for _, value := range []struct {
		name   string
		bytes  []byte
		decode func(b []byte) error
	}{
		{"state", state{3, 4, 5}.encode(), func(b []byte) error { _, err := decodeState([]byte("k"), b); return err }},
		{"row", row.encode(), func(b []byte) error { _, err := decodeRow([]byte("k"), b, 3); return err }},
		{"master", encodeMaster([]float32{1, 0, 0}), func(b []byte) error { _, err := decodeMaster([]byte("k"), b, 3); return err }},
	} {
		if err := value.decode(value.bytes); err != nil {
			t.Errorf("%s: %v", value.name, err)
		}
		for i := range value.bytes {
			for bit := range 8 {
				b := bytes.Clone(value.bytes)
				b[i] ^= 1 << bit
				if err := value.decode(b); !errors.Is(err, kv.ErrCorrupt) {
					t.Errorf("%s, byte %d, bit %d: %v", value.name, i, bit, err)
				}
			}
			if err := value.decode(value.bytes[:i]); !errors.Is(err, kv.ErrCorrupt) {
				t.Errorf("%s, %d bytes: %v", value.name, i, err)
			}
		}
		if err := value.decode(append(value.bytes, 0)); !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%s and one byte: %v", value.name, err)
		}
	}
}

// Right checksums don't make wrong contents right.
func TestDecodersRefuseWrongContents(t *testing.T) {
	nan := float32(math.NaN())
	for _, err := range []error{
		second(decodeState(nil, state{0, 1, 1}.encode())),
		second(decodeState(nil, state{MaxDim + 1, 1, 1}.encode())),
		second(decodeState(nil, state{3, 2, 1}.encode())),
		second(decodeRow(nil, (&codeRow{scale: 0, codes: []int8{1}}).encode(), 1)),
		second(decodeRow(nil, (&codeRow{scale: nan, codes: []int8{1}}).encode(), 1)),
		second(decodeRow(nil, (&codeRow{scale: 1, residual: -1, codes: []int8{1}}).encode(), 1)),
		second(decodeRow(nil, (&codeRow{scale: 1, residual: nan, codes: []int8{1}}).encode(), 1)),
		second(decodeRow(nil, (&codeRow{scale: 1, codes: []int8{1}}).encode(), 2)),
		second(decodeMaster(nil, encodeMaster([]float32{nan}), 1)),
		second(decodeMaster(nil, encodeMaster([]float32{1, 2}), 1)),
	} {
		if !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// set changes the store behind the index's back; a nil value deletes.
func (f *fixture) set(key, value []byte) {
	f.Helper()
	b := f.store.NewBatch()
	defer b.Close()
	if value == nil {
		b.Delete(key)
	} else {
		b.Set(key, value)
	}
	f.must(f.store.Commit(b, kv.NoSync))
}

// damages are changes of a store with documents 1, 3, 5, … that must be found.
func damages(f *fixture) map[string]func() {
	keys := f.ix.keys
	row, master := keys.row(kindCode, rowKey{5, 0}), keys.row(kindMaster, rowKey{5, 0})
	get := func(key []byte) []byte {
		v, err := kv.GetCopy(f.store, nil, key)
		f.must(err)
		return v
	}
	flip := func(key []byte, i int) func() {
		return func() { v := get(key); v[i] ^= 1; f.set(key, v) }
	}
	return map[string]func(){
		"row's checksum":   flip(row, 20),
		"row's format":     flip(row, 0),
		"empty row":        func() { f.set(row, []byte{}) },
		"master":           flip(master, 7),
		"no row":           func() { f.set(row, nil) },
		"no master":        func() { f.set(master, nil) },
		"another's row":    func() { f.set(row, get(keys.row(kindCode, rowKey{9, 0}))) },
		"another's master": func() { f.set(master, get(keys.row(kindMaster, rowKey{9, 0}))) },
		"orphan": func() {
			f.set(keys.row(kindCode, rowKey{6, 0}), get(row))
			f.set(keys.row(kindMaster, rowKey{6, 0}), get(master))
		},
		"key of a row": func() { f.set(append(row, 0), get(row)) },
		"state":        func() { s := f.ix.View().st; s.documents--; f.set(keys.state(), s.encode()) },
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	names := []string{}
	for name := range damages(newFixture(t, nil, Options{})) {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r := rand.New(rand.NewPCG(13, 14))
		f := newFixture(t, nil, Options{})
		f.addDocs(someDocs(r, 12, 10, gauss)...)
		f.verify(f.freeze())
		damages(f)[name]()
		f.reopen()
		if err := f.ix.View().Verify(ctx, f.store, f.truth.refs()); !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A search names the key of what it can't read.
func TestSearchOfDamagedValues(t *testing.T) {
	for _, test := range []struct{ name, key string }{
		{"row's checksum", "762f4300000000000000050000"}, {"empty row", "762f4300000000000000050000"},
		{"master", "762f5600000000000000050000"}, {"no master", "762f5600000000000000050000"},
		{"no row", "762f43"}, {"key of a row", "762f430000000000000005000000"},
	} {
		for _, maxResident := range []int64{-1, 1} {
			r := rand.New(rand.NewPCG(13, 14))
			f := newFixture(t, nil, Options{MaxResident: maxResident})
			f.addDocs(someDocs(r, 12, 10, gauss)...)
			damages(f)[test.name]()
			f.reopen()
			_, err := f.ix.View().Search(ctx, f.store, gauss(r, 10), Filter{}, -1)
			if test.name == "no row" && maxResident == 1 {
				continue // nothing tells a search that reads rows one by one
			}
			if !errors.Is(err, kv.ErrCorrupt) || !strings.Contains(err.Error(), test.key) {
				t.Errorf("%s, MaxResident %d: %v, want the key %s", test.name, maxResident, err, test.key)
			}
		}
	}
}

func TestOpenOfADamagedState(t *testing.T) {
	f := newFixture(t, nil, Options{})
	f.set(f.ix.keys.state(), []byte("nonsense"))
	if _, err := Open(f.store, f.opts); !errors.Is(err, kv.ErrCorrupt) || !strings.Contains(err.Error(), hex.EncodeToString(f.ix.keys.state())) {
		t.Errorf("%v", err)
	}
}

func TestVerifyComparesWithTheDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	f := newFixture(t, nil, Options{})
	f.addDocs(someDocs(r, 5, 10, gauss)...) // 1, 3, 5, 7, 9
	good := func() (refs []DocRef) {
		for d := range f.truth.refs() {
			refs = append(refs, d)
		}
		return refs
	}
	bad := errors.New("bad")
	for _, test := range []struct {
		name   string
		refs   []DocRef
		failed error
		want   error
	}{
		{"all", good(), nil, nil},
		{"some without vectors", append(append([]DocRef{{Num: 0, Windows: -1}}, good()...), DocRef{Num: 10}, DocRef{Num: 11, Windows: -1}), nil, nil},
		{"any number", func() []DocRef { g := good(); g[2].Windows = -1; return g }(), nil, nil},
		{"orphan at the end", good()[:4], nil, kv.ErrCorrupt},
		{"orphan at the beginning", good()[1:], nil, kv.ErrCorrupt},
		{"none", nil, nil, kv.ErrCorrupt},
		{"missing", append(good(), DocRef{Num: 12, Windows: 1}), nil, kv.ErrCorrupt},
		{"missing before", append([]DocRef{{Num: 0, Windows: 2}}, good()...), nil, kv.ErrCorrupt},
		{"another scope", func() []DocRef { g := good(); g[2].Scope += "x"; return g }(), nil, kv.ErrCorrupt},
		{"another number", func() []DocRef { g := good(); g[3].Windows++; return g }(), nil, kv.ErrCorrupt},
		{"wrong order", []DocRef{{Num: 3, Windows: -1}, {Num: 1, Windows: -1}}, nil, errOrder},
		{"failing", good()[:2], bad, bad},
	} {
		refs := iter.Seq2[DocRef, error](func(yield func(DocRef, error) bool) {
			for _, d := range test.refs {
				if !yield(d, nil) {
					return
				}
			}
			if test.failed != nil {
				yield(DocRef{}, test.failed)
			}
		})
		if err := f.ix.View().Verify(ctx, f.store, refs); !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	f.must(f.ix.View().Verify(ctx, f.store, nil))
}
