// This file decides whether failed reads are reported and leave nothing behind:
// every read of every operation fails once.

package vecindex

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

var errInjected = errors.New("injected")

// faulty fails its n-th operation; later ones work.
type faulty struct {
	kv.Reader
	n int
}

// fails counts an operation.
func (f *faulty) fails() bool {
	f.n--
	return f.n == 0
}

func (f *faulty) Get(key []byte) ([]byte, io.Closer, error) {
	if f.fails() {
		return nil, nil, errInjected
	}
	value, closer, err := f.Reader.Get(key)
	if err == nil && f.fails() {
		return value, failingCloser{closer}, nil
	}
	return value, closer, err
}

type failingCloser struct{ io.Closer }

func (c failingCloser) Close() error {
	return errors.Join(errInjected, c.Closer.Close())
}

func (f *faulty) Iter(lower, upper []byte) (kv.Iterator, error) {
	if f.fails() {
		return nil, errInjected
	}
	it, err := f.Reader.Iter(lower, upper)
	return &faultyIter{Iterator: it, f: f}, err
}

// faultyIter is at its end, with an error, once a step has failed.
type faultyIter struct {
	kv.Iterator
	f      *faulty
	failed bool
}

func (it *faultyIter) step(move func() bool) bool {
	it.failed = it.failed || it.f.fails()
	return !it.failed && move()
}

func (it *faultyIter) First() bool { return it.step(it.Iterator.First) }
func (it *faultyIter) Next() bool  { return it.step(it.Iterator.Next) }
func (it *faultyIter) SeekGE(key []byte) bool {
	return it.step(func() bool { return it.Iterator.SeekGE(key) })
}
func (it *faultyIter) Valid() bool { return !it.failed && it.Iterator.Valid() }

func (it *faultyIter) Value() ([]byte, error) {
	if it.f.fails() {
		return nil, errInjected
	}
	return it.Iterator.Value()
}

func (it *faultyIter) Error() error {
	if it.failed {
		return errInjected
	}
	return it.Iterator.Error()
}

func TestEveryFailedRead(t *testing.T) {
	query := []float32{1, 2, 3}
	scope := testScopes[1]
	for _, op := range []struct {
		name string
		run  func(f *fixture, r kv.Reader) error
	}{
		{"Open", func(f *fixture, r kv.Reader) error { return second(Open(r, f.opts)) }},
		{"Load", func(f *fixture, r kv.Reader) error { return f.ix.Load(ctx, r, f.ix.View()) }},
		{"Search", func(f *fixture, r kv.Reader) error {
			return second(f.ix.View().Search(ctx, r, query, Filter{}, 3))
		}},
		{"Search all", func(f *fixture, r kv.Reader) error {
			return second(f.ix.View().Search(ctx, r, query, Filter{}, -1))
		}},
		{"Search a scope", func(f *fixture, r kv.Reader) error {
			return second(f.ix.View().Search(ctx, r, query, Filter{Scope: &scope}, 3))
		}},
		{"Scores", func(f *fixture, r kv.Reader) error {
			_, _, err := f.ix.View().Scores(ctx, r, query, []uint64{5, 1, 2})
			return err
		}},
		{"Scores of rows in memory", func(f *fixture, r kv.Reader) error {
			if err := f.ix.Load(ctx, r, f.ix.View()); err != nil {
				return err
			}
			_, _, err := f.ix.View().Scores(ctx, r, query, []uint64{5, 1, 2})
			return err
		}},
		{"Approximate", func(f *fixture, r kv.Reader) error {
			_, _, err := f.ix.View().Approximate(ctx, r, query, []uint64{5, 1, 45})
			return err
		}},
		{"Survey", func(f *fixture, r kv.Reader) error {
			_, _, err := f.ix.View().Survey(ctx, r, query, Filter{}, 3)
			return err
		}},
		{"Vectors", func(f *fixture, r kv.Reader) error { return second(f.ix.View().Vectors(r, 7)) }},
		{"Has", func(f *fixture, r kv.Reader) error { return second(f.ix.View().Has(r, 7)) }},
		{"Delete", func(f *fixture, r kv.Reader) error { return f.ix.Begin().Delete(r, 7) }},
		{"Verify", func(f *fixture, r kv.Reader) error { return f.ix.View().Verify(ctx, r, f.truth.refs()) }},
	} {
		for _, maxResident := range []int64{-1, 1, 1000} {
			r := rand.New(rand.NewPCG(21, 22))
			f := newFixture(t, nil, Options{tuning: small, MaxResident: maxResident, CacheBytes: 1})
			f.addDocs(someDocs(r, 25, 3, gauss)...)
			for n := 1; ; n++ {
				f.reopen()
				rd := &faulty{f.store, n}
				err := op.run(f, rd)
				if rd.n > 0 { // all operations worked
					f.must(err)
					break
				}
				if !errors.Is(err, errInjected) {
					t.Fatalf("%s, MaxResident %d, read %d: %v", op.name, maxResident, n, err)
				}
				f.search(query, Filter{}, 3)
			}
		}
	}
}
