package store

// Several operations in one commit, in a known order: what they do to vectors and
// to the queue is what they would do one after the other.

import (
	"context"
	"errors"
	"testing"
	"time"
)

// grouped lets the operations queue behind one that waits, so that they share a
// commit, in their order. It returns their errors.
func (w *ward) grouped(ops ...func() error) []error {
	w.Helper()
	w.view(func(*View) {}) // loads the text index, which takes the lock
	commits := w.s.st.commits
	entered, leave, first := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		first <- w.s.submit(context.Background(), func(*tx) error {
			close(entered)
			<-leave
			return nil
		})
	}()
	<-entered
	errs := make([]error, len(ops))
	done := make(chan struct{}, len(ops))
	for i, op := range ops {
		go func() {
			errs[i] = op()
			done <- struct{}{}
		}()
		for w.queued() <= i {
			time.Sleep(time.Millisecond)
		}
	}
	close(leave)
	w.must(<-first)
	for range ops {
		<-done
	}
	if n := w.s.st.commits - commits; n > 1 {
		w.Fatalf("%d commits", n)
	}
	return errs
}

func (w *ward) queued() int {
	w.s.queueMu.Lock()
	defer w.s.queueMu.Unlock()
	return len(w.s.queue)
}

// Each operation of the script is one step on the ward's records.
type groupStep struct {
	name string
	do   func(w *ward) error
}

func groupSave(id string, e func(m Model) Embedding) groupStep {
	return groupStep{"save " + id, func(w *ward) error {
		r := Record{ID: id, Content: "new text of " + id, Scope: "s", Timestamp: time.Unix(1_600_000_000, 0), TokenCount: 4}
		return w.s.Save(context.Background(), []Draft{{Record: r, Embedding: e(w.opts.Model)}})
	}}
}

func groupAdd(id string, a Addition, seeds ...uint64) groupStep {
	return groupStep{"add to " + id, func(w *ward) error {
		a.Vectors = testVectors(w.opts.Model, seeds...)
		_, err := w.s.AddVectors(context.Background(), []Addition{a})
		return err
	}}
}

func groupDelete(id string) groupStep {
	return groupStep{"delete " + id, func(w *ward) error {
		_, err := w.s.Delete(context.Background(), id)
		return err
	}}
}

func groupRelabel(id string) groupStep {
	return groupStep{"relabel " + id, func(w *ward) error {
		_, err := w.s.Update(context.Background(), id, nil, Embedding{}, func(r *Record) error {
			r.Kind += "!"
			return nil
		})
		return err
	}}
}

var groupClear = groupStep{"clear", func(w *ward) error {
	_, err := w.s.Clear(context.Background())
	return err
}}

var groupClearScope = groupStep{"clear scope", func(w *ward) error {
	_, err := w.s.ClearScope(context.Background(), "s")
	return err
}}

func missing(Model) Embedding { return Embedding{Missing: true} }
func whole(m Model) Embedding { return Embedding{Vectors: testVectors(m, 11, 12)} }
func part(m Model) Embedding  { return Embedding{Vectors: testVectors(m, 13), Missing: true} }

func TestVectorsInOneCommit(t *testing.T) {
	// In the ward c is record 3 and waits for all, d is 4 and has one window.
	addC, addD := Addition{Num: 3}, Addition{Num: 4, First: 1}
	moreC, failC := Addition{Num: 3, Missing: true}, Addition{Num: 3, Missing: true, Failed: true}
	for _, test := range []struct {
		steps            []groupStep
		waiting, lacking string
		records, vectors int
	}{
		{[]groupStep{groupSave("x", missing), groupDelete("x")}, "c0 d1", "c0 d1 e0", 3, 4},
		{[]groupStep{groupSave("x", part), groupDelete("x")}, "c0 d1", "c0 d1 e0", 3, 4},
		{[]groupStep{groupSave("x", part), groupDelete("x"), groupSave("x", whole)}, "c0 d1", "c0 d1 e0", 4, 6},
		{[]groupStep{groupSave("x", part), groupSave("x", missing)}, "c0 d1 x0", "c0 d1 e0 x0", 3, 4},
		{[]groupStep{groupSave("c", whole)}, "d1", "d1 e0", 4, 6},
		{[]groupStep{groupSave("a", part), groupSave("c", whole)}, "d1 a1", "d1 e0 a1", 4, 5},
		{[]groupStep{groupAdd("c", addC, 5), groupDelete("c")}, "d1", "d1 e0", 3, 4},
		{[]groupStep{groupDelete("c"), groupAdd("c", addC, 5)}, "d1", "d1 e0", 3, 4},
		{[]groupStep{groupAdd("d", addD, 5, 6), groupDelete("d")}, "c0", "c0 e0", 2, 3},
		{[]groupStep{groupAdd("d", addD, 5, 6), groupSave("d", missing)}, "c0 d0", "c0 e0 d0", 2, 3},
		{[]groupStep{groupAdd("c", addC, 5), groupAdd("c", addC, 6)}, "d1", "d1 e0", 4, 5},
		{[]groupStep{groupAdd("c", moreC, 5), groupAdd("c", addC, 6)}, "c1 d1", "c1 d1 e0", 4, 5},
		{[]groupStep{groupAdd("c", failC), groupAdd("c", addC, 6)}, "c0 d1", "c0 d1 e0", 3, 4},
		{[]groupStep{groupAdd("c", addC, 5), groupRelabel("c")}, "d1 c0", "d1 e0 c0", 3, 4},
		{[]groupStep{groupRelabel("c"), groupAdd("c", addC, 5)}, "d1 c0", "d1 e0 c0", 3, 4},
		{[]groupStep{groupAdd("d", addD, 5), groupRelabel("d")}, "c0 d0", "c0 e0 d0", 2, 3},
		{[]groupStep{groupRelabel("d"), groupRelabel("a")}, "c0 d1", "c0 e0 d1", 3, 4},
		{[]groupStep{groupRelabel("a"), groupRelabel("a")}, "c0 d1 a0", "c0 d1 e0 a0", 2, 2},
		{[]groupStep{groupSave("x", whole), groupRelabel("x")}, "c0 d1 x0", "c0 d1 e0 x0", 3, 4},
		{[]groupStep{groupClear, groupSave("x", part), groupSave("y", whole)}, "x1", "x1", 2, 3},
		{[]groupStep{groupSave("x", part), groupAdd("c", addC, 5), groupClear}, "", "", 0, 0},
		{[]groupStep{groupClear, groupAdd("c", addC, 5), groupDelete("d")}, "", "", 0, 0},
		{[]groupStep{groupSave("x", missing), groupClear, groupSave("x", missing), groupDelete("x")}, "", "", 0, 0},
		{[]groupStep{groupSave("x", missing), groupAdd("d", addD, 5), groupClearScope, groupSave("y", part)}, "y1", "y1", 1, 1},
	} {
		name := ""
		for _, step := range test.steps {
			name += step.name + ", "
		}
		t.Run(name, func(t *testing.T) {
			w := newWard(t)
			var ops []func() error
			for _, step := range test.steps {
				ops = append(ops, func() error { return step.do(w) })
			}
			w.must(errors.Join(w.grouped(ops...)...))
			w.inState(test.waiting, test.lacking, test.records, test.vectors)
			w.close()
			w.open()
			w.inState(test.waiting, test.lacking, test.records, test.vectors)
			w.embedAll()
			w.close()
		})
	}
}

// inState checks queue, counts and soundness.
func (w *ward) inState(waiting, lacking string, records, vectors int) {
	w.Helper()
	w.must(w.s.Verify(w.Context()))
	if a, b := w.lists(); a != waiting || b != lacking {
		w.Errorf("%q wait, %q lack vectors, want %q and %q", a, b, waiting, lacking)
	}
	w.view(func(v *View) {
		if st := v.Embeddings(); st.Records != records || st.Vectors != vectors {
			w.Errorf("%d records with %d vectors, want %d with %d", st.Records, st.Vectors, records, vectors)
		}
	})
}

// An operation that fails midway takes none of the others' vectors along.
func TestBadVectorsFailAlone(t *testing.T) {
	w := newWard(t)
	bad := func(m Model) Embedding { return Embedding{Vectors: [][]float32{make([]float32, m.Dim)}} }
	longer := func(m Model) Embedding { return Embedding{Vectors: [][]float32{make([]float32, m.Dim+1)}} }
	steps := []groupStep{
		groupSave("x", part), groupSave("bad", bad), groupAdd("c", Addition{Num: 3}, 5), groupSave("worse", longer), groupSave("y", whole),
		{"add zeros", func(w *ward) error {
			_, err := w.s.AddVectors(context.Background(), []Addition{{Num: 4, First: 1, Vectors: [][]float32{make([]float32, w.opts.Model.Dim)}}})
			return err
		}},
	}
	var ops []func() error
	for _, step := range steps {
		ops = append(ops, func() error { return step.do(w) })
	}
	for i, err := range w.grouped(ops...) {
		if failed := i == 1 || i == 3 || i == 5; failed != (err != nil) {
			t.Errorf("%s: %v", steps[i].name, err)
		}
	}
	w.inState("d1 x1", "d1 e0 x1", 6, 8)
	w.close()
}

// Without a model vectors are refused where they are added, and ignored where
// they come with a record; what waits goes on waiting.
func TestVectorsWithoutAModel(t *testing.T) {
	w := newWard(t)
	w.close()
	w.opts.Model = Model{}
	w.open()
	if _, err := w.s.AddVectors(t.Context(), []Addition{{Num: 3, Vectors: [][]float32{{1}}}}); err == nil {
		t.Error("vectors were added without a model")
	}
	w.save("x", Embedding{Vectors: [][]float32{{1, 2, 3}}})
	w.must(groupRelabel("a").do(w))
	w.must(groupRelabel("d").do(w))
	w.must(w.s.DropOtherModels(t.Context()))
	w.must(w.s.Warm(t.Context()))
	w.inState("c0 d0", "", 0, 0)
	w.close()
	w.opts.Model = testModels[1]
	w.open()
	w.inState("c0 d1", "c0 e0 x0 d1", 3, 4)
	w.embedAll()
	w.close()
}
