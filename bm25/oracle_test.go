// This file decides what is right: a naive oracle that keeps all documents and
// scores each of them by the formula, and the harness of the tests.

package bm25

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"testing"

	"github.com/contextforge-go/contextforge/internal/fmath"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

var ctx = context.Background()

// oracle is the plain truth: live documents by number, ascending.
type oracle struct {
	docs   []Doc
	params Params
}

func (o *oracle) clone() *oracle { return &oracle{docs: slices.Clone(o.docs), params: o.params} }

func (o *oracle) tokens() (n uint64) {
	for _, d := range o.docs {
		n += uint64(d.Vector.Length)
	}
	return n
}

func (o *oracle) df(term string) (n uint64) {
	for _, d := range o.docs {
		if tfOf(&d, term) > 0 {
			n++
		}
	}
	return n
}

func tfOf(d *Doc, term string) uint32 {
	for _, t := range d.Vector.Terms {
		if t.Text == term {
			return t.TF
		}
	}
	return 0
}

// oracleTerm is a distinct query term with its weight.
type oracleTerm struct {
	text string
	w    float64
}

func (o *oracle) weights(terms []string) []oracleTerm {
	return weightsOf(terms, o.params, len(o.docs), o.df)
}

func weightsOf(terms []string, p Params, docs int, df func(string) uint64) (list []oracleTerm) {
	seen := map[string]bool{}
	for _, text := range terms {
		if seen[text] {
			continue
		}
		seen[text] = true
		qtf := 0
		for _, t := range terms {
			if t == text {
				qtf++
			}
		}
		n, total := float64(df(text)), float64(docs)
		if n == 0 {
			continue
		}
		idf := fmath.Log(1 + (total-n+0.5)/(n+0.5))
		list = append(list, oracleTerm{text, float64(float64(float64(qtf)*idf) * (p.K1 + 1))})
	}
	return list
}

func (o *oracle) score(d *Doc, terms []oracleTerm, average float64) (score float64) {
	c0, c1 := float64(o.params.K1*(1-o.params.B)), float64(o.params.K1*float64(o.params.B/average))
	for _, t := range terms {
		if tf := float64(tfOf(d, t.text)); tf > 0 {
			norm := c0 + float64(c1*float64(d.Vector.Length))
			score += float64(t.w * (tf / (tf + norm)))
		}
	}
	return score
}

func (o *oracle) average() float64 {
	if len(o.docs) == 0 || o.tokens() == 0 {
		return 1
	}
	return float64(o.tokens()) / float64(len(o.docs))
}

func (o *oracle) search(terms []string, f Filter, limit int) []Hit {
	weights, average := o.weights(terms), o.average()
	return rankHits(o.docs, f, limit, func(d *Doc) float64 { return o.score(d, weights, average) })
}

func rankHits(docs []Doc, f Filter, limit int, score func(*Doc) float64) []Hit {
	var hits []Hit
	for i := range docs {
		d := &docs[i]
		if s := score(d); s != 0 && oraclePasses(d, f) {
			hits = append(hits, Hit{Num: d.Num, ID: d.ID, Scope: d.Scope, Session: d.Session, Kind: d.Kind, Score: s, Sec: d.Sec, Nsec: d.Nsec, Cost: d.Cost})
		}
	}
	sort.Slice(hits, func(i, j int) bool { return ranksBefore(hits[i], hits[j]) })
	if limit >= 0 && len(hits) > limit {
		hits = hits[:limit]
	}
	return hits
}

func ranksBefore(a, b Hit) bool {
	switch {
	case a.Score != b.Score:
		return a.Score > b.Score
	case a.Sec != b.Sec:
		return a.Sec > b.Sec
	case a.Nsec != b.Nsec:
		return a.Nsec > b.Nsec
	case a.ID != b.ID:
		return a.ID < b.ID
	}
	return a.Num < b.Num
}

func oraclePasses(d *Doc, f Filter) bool {
	if f.GlobalOnly && d.Scope != "" || !f.GlobalOnly && f.Scope != nil && d.Scope != *f.Scope {
		return false
	}
	if f.Session != nil && *f.Session != d.Session {
		return false
	}
	if len(f.Kinds) > 0 && !slices.Contains(f.Kinds, d.Kind) || slices.Contains(f.NotKinds, d.Kind) {
		return false
	}
	at := Time{d.Sec, d.Nsec}
	if f.Since != nil && at.Before(*f.Since) || f.Until != nil && !at.Before(*f.Until) {
		return false
	}
	if f.AsOf != nil && d.Expires && !f.AsOf.Before(Time{d.ExpSec, d.ExpNsec}) {
		return false
	}
	if f.Accept != nil {
		ok, _ := f.Accept(d.Num)
		return ok
	}
	return true
}

// fixture is an index with its store, its oracle, and the documents' records.
type fixture struct {
	t     testing.TB
	store kv.Store
	opts  Options
	ix    *Index
	truth *oracle
	next  uint64
}

// Keys of the test's own records, as the caller of the index would keep them.
func recordKey(num uint64) []byte { return fmt.Appendf(nil, "r%020d", num) }

func newFixture(t testing.TB, store kv.Store, opts Options) *fixture {
	t.Helper()
	if store == nil {
		store = memkv.New()
		t.Cleanup(func() { store.Close() })
	}
	f := &fixture{t: t, store: store, truth: &oracle{}, next: 1}
	opts.Prefix = []byte("i")
	opts.Tail = f.tailDocs
	f.opts = opts
	f.reopen()
	f.truth.params = f.ix.opts.Params
	return f
}

// tailDocs is the Tail callback: the live records ≥ from in r. The vectors come
// from the test's registry, as analysis would give them.
func (f *fixture) tailDocs(r kv.Reader, from uint64) iter.Seq2[Doc, error] {
	return func(yield func(Doc, error) bool) {
		it, err := r.Iter(recordKey(from), []byte("s"))
		if err != nil {
			yield(Doc{}, err)
			return
		}
		defer it.Close()
		for ok := it.First(); ok; ok = it.Next() {
			v, err := it.Value()
			if err == nil {
				if !yield(decodeTestDoc(v), nil) {
					return
				}
				continue
			}
			yield(Doc{}, err)
			return
		}
	}
}

// encodeTestDoc writes a document as a row of the format under test's own
// parts: a tombstone for the vector after the texts.
func encodeTestDoc(d *Doc) []byte {
	b := fmt.Appendf(nil, "%d %q %q %q %q %d %d %d %d %t %d\n", d.Num, d.ID, d.Scope, d.Session, d.Kind, d.Sec, d.Nsec, d.ExpSec, d.ExpNsec, d.Expires, d.Cost)
	return append(b, tombstone(d.Vector)...)
}

func decodeTestDoc(b []byte) (d Doc) {
	at := bytes.IndexByte(b, '\n')
	_, err := fmt.Sscanf(string(b[:at]), "%d %q %q %q %q %d %d %d %d %t %d", &d.Num, &d.ID, &d.Scope, &d.Session, &d.Kind, &d.Sec, &d.Nsec, &d.ExpSec, &d.ExpNsec, &d.Expires, &d.Cost)
	if err == nil {
		d.Vector, err = decodeTombstone(b[at+1:])
	}
	if err != nil {
		panic(err)
	}
	return d
}

func (f *fixture) reopen() {
	f.t.Helper()
	ix, err := Open(f.store, f.opts)
	if err != nil {
		f.t.Fatalf("open: %v", err)
	}
	f.ix = ix
}

func (f *fixture) load() {
	f.t.Helper()
	if err := f.ix.Load(ctx, f.store); err != nil {
		f.t.Fatalf("load: %v", err)
	}
}

// change is one transaction.
type change struct {
	clear bool
	dels  []uint64
	adds  []Doc
}

// commit applies a change to index, records and oracle.
func (f *fixture) commit(c change, finish ...*Job) {
	f.t.Helper()
	tx, b := f.ix.Begin(), f.store.NewBatch()
	defer b.Close()
	for _, j := range finish {
		if err := j.Finish(tx); err != nil {
			f.t.Fatalf("finish: %v", err)
		}
	}
	if c.clear {
		tx.Clear()
		b.DeleteRange([]byte("r"), []byte("s"))
		f.truth.docs = nil
	}
	for _, d := range c.adds {
		tx.Add(d)
		b.Set(recordKey(d.Num), encodeTestDoc(&d))
		f.truth.docs = append(f.truth.docs, d)
		f.next = max(f.next, d.Num+1)
	}
	for _, num := range c.dels {
		i := f.truth.index(num)
		if err := tx.Delete(num, f.truth.docs[i].Vector); err != nil {
			f.t.Fatalf("delete %d: %v", num, err)
		}
		b.Delete(recordKey(num))
		f.truth.docs = slices.Delete(f.truth.docs, i, i+1)
	}
	if err := tx.Apply(b); err != nil {
		f.t.Fatalf("apply: %v", err)
	}
	if err := f.store.Commit(b, kv.NoSync); err != nil {
		f.t.Fatalf("commit: %v", err)
	}
	tx.Publish()
}

func (o *oracle) index(num uint64) int {
	i := sort.Search(len(o.docs), func(i int) bool { return o.docs[i].Num >= num })
	if i == len(o.docs) || o.docs[i].Num != num {
		panic("no such document")
	}
	return i
}

// run runs a job on a snapshot of now.
func (f *fixture) run(j *Job) error {
	f.t.Helper()
	snap, err := f.store.Snapshot()
	if err != nil {
		f.t.Fatal(err)
	}
	defer snap.Close()
	return j.Run(ctx, snap, f.store.NewBatch, func(b kv.Batch) error { return f.store.Commit(b, kv.NoSync) })
}

// tidy runs jobs until there are none.
func (f *fixture) tidy(plan func() *Job) {
	f.t.Helper()
	for n := 0; ; n++ {
		j := plan()
		if j == nil {
			return
		}
		if n > 1000 {
			f.t.Fatal("jobs without end")
		}
		if err := f.run(j); err != nil {
			f.t.Fatalf("run: %v", err)
		}
		f.commit(change{}, j)
	}
}

func (f *fixture) search(terms []string, flt Filter, limit int) []Hit {
	f.t.Helper()
	hits, err := f.ix.View().Search(ctx, f.store, terms, flt, limit)
	if err != nil {
		f.t.Fatalf("search %q: %v", terms, err)
	}
	return hits
}

func (f *fixture) verify() {
	f.t.Helper()
	if err := f.ix.View().Verify(ctx, f.store, seqOf(f.truth.docs)); err != nil {
		f.t.Fatalf("verify: %v", err)
	}
}

func seqOf(docs []Doc) iter.Seq2[Doc, error] {
	return func(yield func(Doc, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// sameHits fails unless the lists are equal bit for bit.
func sameHits(t testing.TB, what string, got, want []Hit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d hits, want %d\ngot  %v\nwant %v", what, len(got), len(want), head(got), head(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: hit %d is %+v, want %+v", what, i, got[i], want[i])
		}
	}
}

func head(h []Hit) []Hit { return h[:min(len(h), 10)] }

// wantErr fails unless errors.Is(err, target).
func wantErr(t testing.TB, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("error %v, want %v", err, target)
	}
}
