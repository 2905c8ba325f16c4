// This file decides whether the encodings are right, and safe against bytes
// that are not what was written.

package bm25

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

func TestPackedRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var tmp unpackBuf
	for width := range uint8(33) {
		for _, n := range []int{1, 2, 7, 127, 128} {
			vals := make([]uint32, n)
			for i := range vals {
				vals[i] = uint32(rng.Uint64() & (1<<width - 1))
			}
			packed := appendPacked(nil, vals, width)
			if len(packed) != packedSize(n, width) {
				t.Fatalf("width %d: %d bytes, want %d", width, len(packed), packedSize(n, width))
			}
			for _, src := range [][]byte{packed, append(slices.Clip(packed), bytes.Repeat([]byte{0xAA}, unpackBytes)...)} {
				got := make([]uint32, n)
				if unpack(got, src, width, &tmp); !slices.Equal(got, vals) {
					t.Fatalf("width %d: %v, want %v", width, got, vals)
				}
				for i, v := range vals {
					if at := packedAt(src, i, width); at != v {
						t.Fatalf("width %d: value %d is %d, want %d", width, i, at, v)
					}
				}
			}
		}
	}
}

// randomList makes n postings among limit documents, in runs and jumps.
func randomList(rng *rand.Rand, n int, limit uint32) (docs, tfs []uint32) {
	seen := map[uint32]bool{}
	for len(seen) < n {
		at := rng.Uint32N(limit)
		for range 1 + rng.IntN(1+n/3) {
			if len(seen) < n && at < limit {
				seen[at] = true
			}
			at += 1 + rng.Uint32N(3)
		}
	}
	for d := range seen {
		docs = append(docs, d)
	}
	slices.Sort(docs)
	for range docs {
		tf := uint32(1)
		for rng.IntN(3) == 0 && tf < 1<<30 {
			tf += rng.Uint32N(tf + 1)
		}
		tfs = append(tfs, tf)
	}
	tfs[rng.IntN(n)] = math.MaxUint32 >> rng.IntN(32)
	for i := range tfs {
		tfs[i] = max(1, tfs[i])
	}
	return docs, tfs
}

func TestChunkRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, n := range []int{1, 2, 127, 128, 129, 1000, 8192, 8193, 30_000} {
		limit := uint32(n) * (1 + rng.Uint32N(40))
		docs, tfs := randomList(rng, n, limit)
		lens := make([]uint32, limit)
		for i := range lens {
			lens[i] = rng.Uint32() >> rng.IntN(32)
		}
		base, at := noDoc, 0
		for at < n {
			b, count, all := appendChunk(nil, base, docs[at:], tfs[at:], lens)
			c, err := parseChunk(b, limit)
			if err != nil {
				t.Fatalf("%d postings: %v", n, err)
			}
			checkChunkIs(t, &c, docs[at:at+count], tfs[at:at+count], lens, all.encode())
			at += count
			base = docs[at-1]
		}
	}
}

func checkChunkIs(t *testing.T, c *chunk, docs, tfs, lens []uint32, whole pairs) {
	t.Helper()
	if c.postings() != len(docs) {
		t.Fatalf("%d postings, want %d", c.postings(), len(docs))
	}
	i, block := 0, 0
	err := c.each(func(d, f []uint32) {
		for k := range d {
			if d[k] != docs[i] || f[k] != tfs[i] {
				t.Fatalf("posting %d is %d×%d, want %d×%d", i, d[k], f[k], docs[i], tfs[i])
			}
			if !c.pairs(block).covers(f[k], lens[d[k]]) || !whole.covers(f[k], lens[d[k]]) {
				t.Fatalf("pairs don't cover %d×%d", f[k], lens[d[k]])
			}
			i++
		}
		block++
	})
	if err != nil || i != len(docs) {
		t.Fatalf("%d postings, %v", i, err)
	}
}

// TestFind looks documents up in lists of all sizes with random steps.
func TestFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 100, 128, 500, 20_000} {
		limit := uint32(n) * (1 + rng.Uint32N(30))
		docs, tfs := randomList(rng, n, limit)
		seg, store, info := segmentOfList(t, docs, tfs, limit)
		for _, step := range []uint32{1, 3, 50, 1000, limit/2 + 1} {
			l := &listReader{}
			l.reset(store, seg, info)
			for d := rng.Uint32N(step); d < limit; d += 1 + rng.Uint32N(step) {
				tf1, ok, err := l.find(d)
				i, want := slices.BinarySearch(docs, d)
				if err != nil || ok != want || ok && tf1 != tfs[i]-1 {
					t.Fatalf("%d postings, step %d: find(%d) = %d, %t, %v; want %t", n, step, d, tf1, ok, err, want)
				}
			}
		}
	}
}

// segmentOfList writes a list as the only one of a segment.
func segmentOfList(t *testing.T, docs, tfs []uint32, limit uint32) (*segment, kv.Reader, *termInfo) {
	t.Helper()
	store := memkv.New()
	t.Cleanup(func() { store.Close() })
	b := store.NewBatch()
	keys := keyspace{[]byte("p")}
	m := segmentMeta{id: 1, docs: limit}
	w := termWriter{put: keys.putInto(b), meta: &m, lens: make([]uint32, limit)}
	if err := errors.Join(w.add("term", docs, tfs), w.finish(), store.Commit(b, kv.NoSync)); err != nil {
		t.Fatal(err)
	}
	seg := &segment{segmentMeta: m, env: &env{keys: keys, cache: newBlockCache(1 << 20)}}
	block, err := seg.termBlock(store, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := decodeList(block.find("term"), &m)
	if err != nil {
		t.Fatal(err)
	}
	return seg, store, info
}

func TestFrontier(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 2000 {
		var f frontier
		type posting struct{ tf, length uint32 }
		var list []posting
		for range 1 + rng.IntN(40) {
			p := posting{1 + rng.Uint32N(1<<rng.IntN(12)), rng.Uint32N(1 << rng.IntN(20))}
			list = append(list, p)
			f.add(p.tf, p.length)
		}
		e := f.encode()
		for _, p := range list {
			if !e.covers(p.tf, p.length) {
				t.Fatalf("%v doesn't cover %v", e, p)
			}
		}
		for i := 1; i < f.n; i++ {
			if f.tf[i] <= f.tf[i-1] || f.length[i] <= f.length[i-1] {
				t.Fatalf("no frontier: %v %v", f.tf[:f.n], f.length[:f.n])
			}
		}
	}
}

func TestIntPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for shift := range 64 {
		vals := make([]uint64, 300)
		for i := range vals {
			vals[i] = uint64(1)<<63 - 5 + rng.Uint64()>>shift
		}
		p, err := parseIntPage(appendIntPage(nil, vals), len(vals))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vals {
			if got := (intColumn{p}).at(uint32(i)); got != v {
				t.Fatalf("value %d is %d, want %d", i, got, v)
			}
		}
	}
}

func TestStateAndMetaRoundTrip(t *testing.T) {
	s := state{nextSeg: math.MaxUint32, sealedUpTo: 1 << 60, lastNum: math.MaxUint64, docs: 7, tokens: 1 << 50, tailDocs: 7}
	if got, err := decodeState(s.encode()); err != nil || got != s {
		t.Fatalf("%+v, %v", got, err)
	}
	m := segmentMeta{id: 3, docs: 5, minNum: 10, maxNum: 1 << 40, tokens: 9, terms: 8, postings: 1 << 33, blocks: 1, lists: 2, sparseParts: 3, kindParts: 4,
		sessionParts: 5, scopeParts: 6, maxLen: math.MaxUint32, expiry: true}
	if got, err := decodeMeta(3, m.encode()); err != nil || got != m {
		t.Fatalf("%+v, %v", got, err)
	}
	newer := append([]byte{formatV1 + 1}, s.encode()[1:]...)
	_, err := decodeState(seal(newer[:len(newer)-4]))
	wantErr(t, err, kv.ErrCorrupt)
}

// corruptOrFine fails if an error is not one of corruption.
func corruptOrFine(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && !errors.Is(err, kv.ErrCorrupt) {
		t.Fatalf("error doesn't wrap kv.ErrCorrupt: %v", err)
	}
	return err == nil
}

// FuzzChunk reads arbitrary bytes as a posting chunk.
func FuzzChunk(f *testing.F) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, n := range []int{1, 130, 700} {
		docs, tfs := randomList(rng, n, uint32(n*5))
		b, _, _ := appendChunk(nil, noDoc, docs, tfs, make([]uint32, n*5))
		f.Add(b, uint32(n*5))
	}
	f.Fuzz(func(t *testing.T, b []byte, limit uint32) {
		c, err := parseChunk(b, limit%(1<<20))
		if !corruptOrFine(t, err) {
			return
		}
		corruptOrFine(t, c.each(func(docs, _ []uint32) {
			for _, d := range docs {
				if d >= limit%(1<<20) {
					t.Fatalf("document %d of %d", d, limit%(1<<20))
				}
			}
		}))
	})
}

// FuzzTermBlock reads arbitrary bytes as a term block and searches in it.
func FuzzTermBlock(f *testing.F) {
	m := segmentMeta{id: 1, docs: 2000}
	w := termWriter{meta: &m, lens: make([]uint32, 2000), put: func(ref valueRef, body []byte) error {
		if ref.kind == kindTerms {
			f.Add(bytes.Clone(body[1:]), "b")
		}
		return nil
	}}
	rng := rand.New(rand.NewPCG(7, 1))
	for i, n := range []int{1, 5, 130, 1500, 3} {
		docs, tfs := randomList(rng, n, 2000)
		if err := w.add(fmt.Sprintf("%c", 'a'+i), docs, tfs); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.finish(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte, term string) {
		block, err := parseTermBlock(b)
		if !corruptOrFine(t, err) {
			return
		}
		if rest := block.find(term); rest != nil {
			_, err := decodeList(rest, &m)
			corruptOrFine(t, err)
		}
		for i := range block.n {
			_, rest := block.entry(i)
			info, err := decodeList(rest, &m)
			if corruptOrFine(t, err) && info.inline != nil {
				corruptOrFine(t, info.inline.each(func([]uint32, []uint32) {}))
			}
		}
	})
}

// FuzzSmallValues reads arbitrary bytes as each of the small values.
func FuzzSmallValues(f *testing.F) {
	f.Add(state{nextSeg: 1, lastNum: 3}.encode(), uint16(3))
	f.Add(segmentMeta{docs: 5, maxNum: 9}.encode(), uint16(3))
	f.Add(tombstone(TermVector{Terms: []Term{{"b", 1}, {"a", 2}}, Length: 3}), uint16(3))
	f.Add(appendIntPage(nil, []uint64{1, 500, 3}), uint16(3))
	f.Add(appendIDPage(nil, []string{"a", "", "long"}), uint16(3))
	f.Add(appendIDPage(nil, []string{"0123456789abcdef"}), uint16(1))
	f.Fuzz(func(t *testing.T, b []byte, n uint16) {
		for _, v := range [][]byte{b, seal(bytes.Clone(b))} { // with a fitting checksum too
			_, err := decodeState(v)
			corruptOrFine(t, err)
			_, err = decodeMeta(1, v)
			corruptOrFine(t, err)
			_, err = decodeTombstone(v)
			corruptOrFine(t, err)
		}
		if p, err := parseIntPage(b, int(n)); corruptOrFine(t, err) {
			for i := range n {
				intColumn{p}.at(uint32(i))
			}
		}
		if p, err := parseIDPage(b, int(n)); corruptOrFine(t, err) {
			for i := range n {
				p.at(uint32(i))
			}
		}
	})
}

// smallIndex is a committed index with every kind of value.
func smallIndex(t testing.TB) (*fixture, [][2][]byte) {
	c := newCorpus(21, 150)
	f := newFixture(t, nil, Options{TailDocs: 8, CacheBytes: 1})
	docs := c.docs(3000, 6)
	docs[5].Expires, docs[6].Vector = true, TermVector{}
	f.commit(change{adds: docs})
	f.commit(change{dels: []uint64{3, 70, 800}})
	it, err := f.store.Iter([]byte("i"), []byte("j"))
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	var values [][2][]byte
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.Value()
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, [2][]byte{bytes.Clone(it.Key()), bytes.Clone(v)})
	}
	return f, values
}

// useAll opens the index afresh and uses everything in it.
func (f *fixture) useAll() (errs []error) {
	ix, err := Open(f.store, f.opts)
	if err != nil {
		return []error{err}
	}
	if err := ix.Load(ctx, f.store); err != nil {
		return []error{err}
	}
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	v, scope, session := ix.View(), "project:07", "s3"
	now := Time{1_700_000_000, 0}
	for _, flt := range []Filter{{}, {Scope: &scope, AsOf: &now}, {Kinds: []string{"note"}, Session: &session}, {NotKinds: []string{"note"}}} {
		for _, limit := range []int{3, -1} {
			_, err := v.Search(ctx, f.store, f.queryWords(), flt, limit)
			note(err)
		}
	}
	_, _, err = v.Scores(ctx, f.store, f.queryWords(), []uint64{1, 2, 3, 70, 2999})
	note(err)
	note(v.Verify(ctx, f.store, seqOf(f.truth.docs)))
	if j := ix.PlanFull(); j != nil {
		note(j.Run(ctx, f.store, f.store.NewBatch, func(kv.Batch) error { return nil }))
	}
	return errs
}

// queryWords are frequent and rare words of the first document.
func (f *fixture) queryWords() (words []string) {
	for _, t := range f.truth.docs[0].Vector.Terms {
		words = append(words, t.Text)
	}
	return append(words, newCorpus(21, 150).words[:12]...)
}

// TestDamage flips bits in every value, with the checksum left alone and mended:
// nothing panics, errors wrap kv.ErrCorrupt, and Verify sees what a checksum
// can't.
func TestDamage(t *testing.T) {
	f, values := smallIndex(t)
	if errs := f.useAll(); len(errs) > 0 {
		t.Fatalf("sound index: %v", errs)
	}
	rng := rand.New(rand.NewPCG(8, 1))
	flips := 3
	if testing.Short() {
		flips = 1
	}
	for _, kvp := range values {
		for range flips {
			for _, mend := range []bool{false, true} {
				v := bytes.Clone(kvp[1])
				v[rng.IntN(len(v)-4)] ^= 1 << rng.IntN(8)
				if mend {
					v = seal(v[:len(v)-4])
				}
				f.damaged(t, kvp[0], v, !mend)
			}
		}
		f.damaged(t, kvp[0], kvp[1][:rng.IntN(len(kvp[1]))], true)
		f.put(kvp[0], kvp[1])
	}
	if errs := f.useAll(); len(errs) > 0 {
		t.Fatalf("restored index: %v", errs)
	}
}

func (f *fixture) put(key, value []byte) {
	b := f.store.NewBatch()
	defer b.Close()
	b.Set(key, value)
	if err := f.store.Commit(b, kv.NoSync); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) damaged(t *testing.T, key, value []byte, mustShow bool) {
	t.Helper()
	f.put(key, value)
	errs := f.useAll()
	for _, err := range errs {
		corruptOrFine(t, err)
	}
	if mustShow && len(errs) == 0 {
		t.Fatalf("damage of %q not noticed", key)
	}
}

// TestMissingValues takes values away one by one.
func TestMissingValues(t *testing.T) {
	f, values := smallIndex(t)
	for _, kvp := range values {
		b := f.store.NewBatch()
		b.Delete(kvp[0])
		if err := f.store.Commit(b, kv.NoSync); err != nil {
			t.Fatal(err)
		}
		errs := f.useAll()
		for _, err := range errs {
			corruptOrFine(t, err)
		}
		if len(errs) == 0 {
			t.Fatalf("missing %q not noticed", kvp[0])
		}
		f.put(kvp[0], kvp[1])
	}
}

// TestVerifyFindsWrongDocuments compares with documents that are not those of
// the index.
func TestVerifyFindsWrongDocuments(t *testing.T) {
	f, _ := smallIndex(t)
	f.commit(change{adds: texts(5000, "tail words")})
	wrong := map[string]func(d *Doc){
		"id": func(d *Doc) { d.ID = "x" }, "scope": func(d *Doc) { d.Scope = "x" }, "kind": func(d *Doc) { d.Kind = "x" },
		"session": func(d *Doc) { d.Session = "x" }, "time": func(d *Doc) { d.Nsec++ }, "cost": func(d *Doc) { d.Cost++ },
		"expiry": func(d *Doc) { d.Expires = !d.Expires }, "length": func(d *Doc) { d.Vector.Length++ },
		"term":      func(d *Doc) { d.Vector.Terms[0].Text += "x" },
		"frequency": func(d *Doc) { d.Vector.Terms[0].TF++ },
		"missing":   func(d *Doc) { d.Vector.Terms = d.Vector.Terms[1:] },
		"number":    func(d *Doc) { d.Num = 1 << 40 },
	}
	for name, change := range wrong {
		for _, at := range []int{0, len(f.truth.docs) - 1} {
			docs := slices.Clone(f.truth.docs)
			docs[at].Vector.Terms = slices.Clone(docs[at].Vector.Terms)
			change(&docs[at])
			if err := f.ix.View().Verify(ctx, f.store, seqOf(docs)); !errors.Is(err, kv.ErrCorrupt) {
				t.Errorf("%s of document %d: %v", name, at, err)
			}
		}
	}
	for _, docs := range [][]Doc{f.truth.docs[1:], f.truth.docs[:len(f.truth.docs)-1]} {
		if err := f.ix.View().Verify(ctx, f.store, seqOf(docs)); !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("document too many: %v", err)
		}
	}
}
