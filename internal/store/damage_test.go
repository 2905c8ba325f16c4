package store

// Damage to vectors, queue and contents: Verify names it, Rebuild leaves a sound
// store, and what lost its vectors can be embedded again.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// ward is a store that is to be damaged. It holds, with vectors of model-a: a
// with two windows, b with one, c that waits for all, d that waits for more, e
// that has none. Of a and b there are vectors of model-b too, in epoch 1.
type ward struct {
	*testing.T
	pairs kv.Store
	opts  Options
	s     *Store
}

func newWard(t *testing.T) *ward {
	w := &ward{T: t, pairs: memkv.New()}
	w.opts = testOptions(w.pairs, func() time.Time { return time.Unix(1_700_000_000, 0) })
	w.opts.Model = testModels[2]
	w.open()
	w.save("a", Embedding{Vectors: testVectors(w.opts.Model, 1, 2)})
	w.save("b", Embedding{Vectors: testVectors(w.opts.Model, 3)})
	w.close()
	w.opts.Model = testModels[1]
	w.open()
	n, err := w.s.AddVectors(w.Context(), []Addition{
		{Num: w.num("a"), Vectors: testVectors(w.opts.Model, 1, 2)},
		{Num: w.num("b"), Vectors: testVectors(w.opts.Model, 3)},
	})
	if w.must(err); n != 2 {
		t.Fatalf("%d added", n)
	}
	w.save("c", Embedding{Missing: true})
	w.save("d", Embedding{Vectors: testVectors(w.opts.Model, 4), Missing: true})
	w.save("e", Embedding{})
	w.must(w.s.Verify(w.Context()))
	return w
}

func testVectors(m Model, seeds ...uint64) (list [][]float32) {
	for _, seed := range seeds {
		list = append(list, testVector(m.Dim, seed))
	}
	return list
}

func (w *ward) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *ward) open() {
	w.Helper()
	s, err := Open(w.Context(), w.opts)
	w.must(err)
	w.s = s
}

func (w *ward) close() {
	w.Helper()
	w.must(w.s.Close())
}

func (w *ward) save(id string, e Embedding) {
	w.Helper()
	r := Record{ID: id, Content: "text of " + id, Scope: "s", Timestamp: time.Unix(1_600_000_000, 0), TokenCount: 3}
	w.must(w.s.Save(w.Context(), []Draft{{Record: r, Embedding: e}}))
}

// view calls read with a view.
func (w *ward) view(read func(v *View)) {
	w.Helper()
	v, err := w.s.SearchView(w.Context())
	w.must(err)
	read(v)
	w.must(v.Close())
}

func (w *ward) num(id string) (num uint64) {
	w.Helper()
	w.view(func(v *View) {
		var err error
		num, err = v.Num(id)
		w.must(err)
	})
	return num
}

// lists returns what waits and what lacks vectors.
func (w *ward) lists() (waiting, lacking string) {
	w.Helper()
	w.view(func(v *View) {
		for x, err := range v.Pending(0) {
			w.must(err)
			waiting += fmt.Sprint(x.ID, x.Windows, " ")
		}
		for x, err := range v.Unembedded(0) {
			w.must(err)
			lacking += fmt.Sprint(x.ID, x.Windows, " ")
		}
	})
	return strings.TrimSpace(waiting), strings.TrimSpace(lacking)
}

// damage changes pairs while the store is closed.
func (w *ward) damage(change func(w *ward, b kv.Batch)) {
	w.Helper()
	b := w.pairs.NewBatch()
	change(w, b)
	w.close()
	w.must(w.pairs.Commit(b, kv.Sync))
	w.must(b.Close())
}

// row is the key of a window under an epoch; model-a has epoch 2.
func (w *ward) row(epoch, kind byte, num uint64, window byte) []byte {
	key := append(vectorPrefix(epoch), kind)
	return append(append(key, recordKey(num)[1:]...), 0, window)
}

func (w *ward) get(key []byte) []byte {
	w.Helper()
	value, err := kv.GetCopy(w.pairs, nil, key)
	if err != nil {
		w.Fatalf("key %x: %v", key, err)
	}
	return value
}

func (w *ward) flip(b kv.Batch, key []byte) {
	value := w.get(key)
	value[len(value)/2] ^= 4
	b.Set(key, value)
}

// orphan copies the only window of b to an unknown record.
func (w *ward) orphan(b kv.Batch, from, to byte) {
	for _, kind := range []byte("CV") {
		b.Set(w.row(to, kind, 77, 0), w.get(w.row(from, kind, w.num("b"), 0)))
	}
}

// embedAll gives everything that lacks vectors all of its.
func (w *ward) embedAll() {
	w.Helper()
	var list []Addition
	w.view(func(v *View) {
		for x, err := range v.Unembedded(0) {
			w.must(err)
			list = append(list, Addition{Num: x.Num, First: x.Windows, Vectors: testVectors(w.opts.Model, x.Num)})
		}
	})
	n, err := w.s.AddVectors(w.Context(), list)
	if w.must(err); n != len(list) {
		w.Fatalf("%d of %d added", n, len(list))
	}
	if waiting, lacking := w.lists(); waiting != "" || lacking != "" {
		w.Errorf("after all were embedded %q wait, %q lack vectors", waiting, lacking)
	}
	w.must(w.s.Verify(w.Context()))
}

const (
	soundWaiting = "c0 d1"
	soundLacking = "c0 d1 e0"
)

func TestDamagedVectors(t *testing.T) {
	for _, test := range []struct {
		name             string
		change           func(w *ward, b kv.Batch)
		says             string // Verify
		waiting, lacking string // after the rebuild
	}{
		{"vectors of an unknown record", func(w *ward, b kv.Batch) { w.orphan(b, 2, 2) }, "unknown", soundWaiting, soundLacking},
		{"the same of another model", func(w *ward, b kv.Batch) { w.orphan(b, 1, 1) }, "vectors of model-b", soundWaiting, soundLacking},
		{"vectors of no model", func(w *ward, b kv.Batch) { w.orphan(b, 1, 9) }, "no model", soundWaiting, soundLacking},
		{"vectors of the last epoch", func(w *ward, b kv.Batch) { w.orphan(b, 1, 255) }, "no model", soundWaiting, soundLacking},
		{"the models are forgotten", func(_ *ward, b kv.Batch) { b.Delete(modelsKey()) }, "no model", "c0 d0", "a0 b0 c0 d0 e0"},
		{"no code row", func(w *ward, b kv.Batch) { b.Delete(w.row(2, 'C', w.num("a"), 1)) }, "no code row", soundWaiting, soundLacking},
		{"a damaged code row", func(w *ward, b kv.Batch) { w.flip(b, w.row(2, 'C', w.num("a"), 1)) }, "code row", soundWaiting, soundLacking},
		{"codes in another scope", func(w *ward, b kv.Batch) {
			key := recordKey(w.num("a"))
			rec, err := decodeRecord(0, w.get(key))
			w.must(err)
			rec.Scope = "moved"
			b.Set(key, appendRecord(nil, rec))
		}, "scope", soundWaiting, soundLacking},
		{"a damaged vector", func(w *ward, b kv.Batch) { w.flip(b, w.row(2, 'V', w.num("a"), 1)) }, "vector, key", soundWaiting, "a0 " + soundLacking},
		{"a damaged vector of a record that waits", func(w *ward, b kv.Batch) { w.flip(b, w.row(2, 'V', w.num("d"), 0)) }, "vector, key", "c0 d0", "c0 d0 e0"},
		{"no vector", func(w *ward, b kv.Batch) { b.Delete(w.row(2, 'V', w.num("a"), 1)) }, "no vector for", soundWaiting, "a0 " + soundLacking},
		{"a damaged vector of another model", func(w *ward, b kv.Batch) { w.flip(b, w.row(1, 'V', w.num("a"), 1)) }, "vectors of model-b", soundWaiting, soundLacking},
		{"counts of another model's vectors", func(w *ward, b kv.Batch) {
			b.Set(append(vectorPrefix(2), 'S'), w.get(append(vectorPrefix(1), 'S')))
		}, "code row", soundWaiting, soundLacking},
		{"no counts of vectors", func(_ *ward, b kv.Batch) { b.Delete(append(vectorPrefix(2), 'S')) }, "code row", soundWaiting, soundLacking},
		{"a record is gone", func(w *ward, b kv.Batch) { b.Delete(recordKey(w.num("d"))) }, "documents", "c0", "c0 e0"},
		{"a wrong number of waiting", func(w *ward, b kv.Batch) {
			st := w.s.st
			st.pending++
			b.Set(stateKey(), st.encode())
		}, "counter of waiting", soundWaiting, soundLacking},
		{"a place in the queue is lost", func(w *ward, b kv.Batch) { b.Delete(pendingKey(w.num("d"))) }, "counter of waiting", "c0", "c0 e0"},
		{"an unknown record waits", func(_ *ward, b kv.Batch) { b.Set(pendingKey(77), encodePending(0)) }, "waits for vectors", soundWaiting, soundLacking},
		{"a damaged place in the queue", func(w *ward, b kv.Batch) { b.Set(pendingKey(w.num("d")), nil) }, "waiting record", soundWaiting, soundLacking},
		{"a place with a long key", func(w *ward, b kv.Batch) { b.Set(append(pendingKey(w.num("d")), 1), nil) }, "waiting record", soundWaiting, soundLacking},
		{"no content key", func(w *ward, b kv.Batch) { b.Delete(contentKey("text of b", w.num("b"))) }, "lacks its key", soundWaiting, soundLacking},
		{"content of an unknown record", func(_ *ward, b kv.Batch) { b.Set(contentKey("text of b", 77), nil) }, "family 0x18", soundWaiting, soundLacking},
		{"content of another text", func(w *ward, b kv.Batch) { b.Set(contentKey("text", w.num("b")), nil) }, "family 0x18", soundWaiting, soundLacking},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWard(t)
			w.damage(test.change)
			w.open()
			if err := w.s.Verify(t.Context()); !errors.Is(err, kv.ErrCorrupt) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("verify: %v", err)
			}
			w.must(w.s.Rebuild(t.Context()))
			w.must(w.s.Verify(t.Context()))
			if waiting, lacking := w.lists(); waiting != test.waiting || lacking != test.lacking {
				t.Errorf("%q wait, %q lack vectors", waiting, lacking)
			}
			w.close()
			w.open()
			w.must(w.s.Verify(t.Context()))
			w.embedAll()
			w.close()
		})
	}
}

// A rebuild keeps what was sound.
func TestRebuildKeepsVectors(t *testing.T) {
	w := newWard(t)
	before := dump(t, w.pairs, famContent, famPending, famVector)
	w.must(w.s.Rebuild(t.Context()))
	if got := dump(t, w.pairs, famContent, famPending, famVector); got != before {
		t.Errorf("got\n%swant\n%s", got, before)
	}
	w.close()
}

// dump lists the pairs of some families.
func dump(t *testing.T, r kv.Reader, families ...byte) string {
	t.Helper()
	var b strings.Builder
	for _, family := range families {
		err := scan(r, []byte{family}, func(key, value []byte) (bool, error) {
			fmt.Fprintf(&b, "%x %x\n", key, value)
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// What keeps a store from being opened is pruned.
func TestPruneVectors(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(w *ward, b kv.Batch)
		lost    string // by Prune
		lacking string
	}{
		{"models cut short", func(w *ward, b kv.Batch) {
			value := w.get(modelsKey())
			b.Set(modelsKey(), value[:len(value)-3])
		}, "all vectors", "a0 b0 c0 d0 e0"},
		{"counts of nonsense", func(_ *ward, b kv.Batch) { b.Set(append(vectorPrefix(2), 'S'), []byte("?")) }, "", soundLacking},
		{"counts of nonsense, and a record", func(w *ward, b kv.Batch) {
			b.Set(append(vectorPrefix(2), 'S'), []byte("?"))
			b.Set(recordKey(w.num("a")), []byte("?"))
		}, "record under key", soundLacking},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWard(t)
			w.damage(test.change)
			if _, err := Open(t.Context(), w.opts); !errors.Is(err, kv.ErrCorrupt) {
				t.Fatalf("opened before it was pruned: %v", err)
			}
			_, lost, err := Prune(t.Context(), w.pairs)
			if w.must(err); test.lost == "" && len(lost) > 0 || !strings.Contains(strings.Join(lost, "\n"), test.lost) {
				t.Errorf("lost %q", lost)
			}
			w.open()
			w.must(w.s.Verify(t.Context()))
			if _, lacking := w.lists(); lacking != test.lacking {
				t.Errorf("%q lack vectors", lacking)
			}
			w.embedAll()
			w.close()
		})
	}
}

// Embedders that come and go leave nothing behind, however many they are.
func TestManyModels(t *testing.T) {
	w := newWard(t)
	for i := range 300 {
		w.close()
		w.opts.Model = Model{ID: fmt.Sprint("model ", i), Dim: 3}
		w.open()
	}
	if n := len(w.s.generations); n != 3 {
		t.Errorf("%d models", n)
	}
	w.must(w.s.Verify(t.Context()))
	w.must(w.s.DropOtherModels(t.Context()))
	if got := dump(t, w.pairs, famVector); got != "" || len(w.s.generations) != 1 {
		t.Errorf("%d models, vectors:\n%s", len(w.s.generations), got)
	}
	w.must(w.s.Verify(t.Context()))
	w.close()
}

// With vectors of as many models as there can be another one is refused.
func TestTooManyModels(t *testing.T) {
	w := newWard(t)
	for i := range 254 {
		w.close()
		w.opts.Model = Model{ID: fmt.Sprint("model ", i), Dim: 2}
		s, err := Open(t.Context(), w.opts)
		if err != nil {
			if i != 253 || !strings.Contains(err.Error(), "255 models") {
				t.Fatalf("model %d: %v", i, err)
			}
			w.opts.Model = testModels[1]
			w.open()
			w.close()
			return
		}
		w.s = s
		w.save(fmt.Sprint(i), Embedding{Vectors: [][]float32{{1, 2}}})
	}
	t.Error("256 models")
}

// Opening with another model warns; the text is found, nothing is mixed.
func TestAnotherModel(t *testing.T) {
	w := newWard(t)
	w.close()
	var log strings.Builder
	w.opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
	w.opts.Model = Model{ID: "model-c", Dim: 5}
	w.open()
	if text := log.String(); !strings.Contains(text, "model-a") || !strings.Contains(text, "entries=3") || !strings.Contains(text, "model-b") {
		t.Errorf("log %q", text)
	}
	w.opts.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	w.view(func(v *View) {
		if hits, err := v.Search(t.Context(), "text", Filter{}, -1); err != nil || len(hits) != 5 {
			t.Errorf("%d found by words, %v", len(hits), err)
		}
		if hits, err := v.Similar(t.Context(), testVector(5, 1), Filter{}, -1); err != nil || len(hits) != 0 {
			t.Errorf("%d similar, %v", len(hits), err)
		}
		if st := v.Embeddings(); st.Records != 0 || st.Pending != 2 || len(st.Others) != 2 {
			t.Errorf("%+v", st)
		}
	})
	if waiting, lacking := w.lists(); waiting != "c0 d0" || lacking != "a0 b0 c0 d0 e0" {
		t.Errorf("%q wait, %q lack vectors", waiting, lacking)
	}
	w.embedAll()
	// What waited may have had part of its windows under model-a only: gone.
	w.close()
	w.opts.Model = testModels[1]
	w.open()
	if _, lacking := w.lists(); lacking != "c0 d0 e0" {
		t.Errorf("%q lack vectors of model-a", lacking)
	}
	w.close()
}

// A view of the time before DropOtherModels and Rebuild stays what it was.
func TestViewOutlivesRebuild(t *testing.T) {
	w := newWard(t)
	old, err := w.s.SearchView(t.Context())
	w.must(err)
	similar := func(v *View) (ids []string) {
		hits, err := v.Similar(t.Context(), testVector(5, 2), Filter{}, -1)
		w.must(err)
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		return ids
	}
	before := similar(old)
	_, err = w.s.Delete(context.Background(), "a", "d")
	w.must(err)
	w.must(w.s.Rebuild(t.Context()))
	w.must(w.s.DropOtherModels(t.Context()))
	w.must(w.s.Warm(t.Context()))
	if got := similar(old); !slices.Equal(got, before) || len(got) != 3 {
		t.Errorf("the old view finds %q, before %q", got, before)
	}
	w.view(func(v *View) {
		if got := similar(v); !slices.Equal(got, []string{"b"}) {
			t.Errorf("found %q", got)
		}
	})
	w.must(old.Close())
	w.must(w.s.Verify(t.Context()))
	w.close()
}
