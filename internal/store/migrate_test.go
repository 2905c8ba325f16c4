package store

// A store of the schema before contents, queue and vectors is brought up to date
// when it is opened; one of a later schema is refused and left alone.

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// asVersion1 writes a store the way version 1 of the schema had it.
func asVersion1(w *ward) {
	w.damage(func(w *ward, b kv.Batch) {
		for _, family := range []byte{famContent, famPending, famVector} {
			b.DeleteRange([]byte{family}, []byte{family + 1})
		}
		b.Delete(modelsKey())
		st := w.s.st
		old := []byte{1}
		for _, v := range []uint64{uint64(st.epoch), st.next, st.live, st.tokens, st.expiring, st.commits} {
			old = binary.AppendUvarint(old, v)
		}
		b.Set(stateKey(), old)
	})
}

func TestVersion1IsBroughtUpToDate(t *testing.T) {
	for _, model := range testModels[:2] {
		w := newWard(t)
		asVersion1(w)
		w.opts.Model = model
		w.open()
		w.must(w.s.Verify(t.Context()))
		w.view(func(v *View) {
			if st := v.Stats(); st.Entries != 5 {
				t.Errorf("%+v", st)
			}
			if st := v.Embeddings(); st.Records != 0 || st.Pending != 0 || st.Model != model || len(st.Others) != 0 {
				t.Errorf("%+v", st)
			}
			hits, err := v.Search(t.Context(), "text", Filter{}, -1)
			if err != nil || len(hits) != 5 {
				t.Errorf("%d found, %v", len(hits), err)
			}
		})
		d := Draft{Record: Record{ID: "again", Content: "text of b", Scope: "s"}, Dedup: true}
		list := []Draft{d}
		w.must(w.s.Save(t.Context(), list))
		if list[0].Twin != "b" {
			t.Errorf("the twin is %q", list[0].Twin)
		}
		if model.ID != "" {
			w.embedAll()
		}
		w.close()
		if st, err := readState(w.pairs); err != nil || st.schema != schemaVersion {
			t.Errorf("%+v, %v", st, err)
		}
		rebuilds := w.get(stateKey())[1]
		w.open() // for good
		if w.close(); w.get(stateKey())[1] != rebuilds {
			t.Error("rebuilt again")
		}
	}
}

// What cuts the migration off leaves a store that is migrated by the next Open.
func TestMigrationCutOff(t *testing.T) {
	for questions := 0; ; questions++ {
		w := newWard(t)
		asVersion1(w)
		s, err := Open(&countdown{t.Context(), questions}, w.opts)
		if err == nil {
			w.must(s.Close())
			if questions < 3 {
				t.Errorf("only %d questions", questions)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		w.open()
		w.must(w.s.Verify(t.Context()))
		w.embedAll()
		w.close()
	}
}

func TestLaterSchemaIsRefused(t *testing.T) {
	w := newWard(t)
	w.damage(func(w *ward, b kv.Batch) {
		value := w.get(stateKey())
		value[0] = schemaVersion + 1
		b.Set(stateKey(), append(value, 5))
	})
	before := dump(t, w.pairs, famMeta, famRecord, famID, famContent, famPending, famText, famVector)
	if _, err := Open(t.Context(), w.opts); !errors.Is(err, ErrNewer) {
		t.Errorf("%v", err)
	}
	if got := dump(t, w.pairs, famMeta, famRecord, famID, famContent, famPending, famText, famVector); got != before {
		t.Error("it was changed")
	}
}

// countdown is a context that is cancelled at the n-th question.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
