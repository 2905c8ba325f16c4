package store

// This file decides where the vectors of records are, which model they are of,
// and how they change with the records.
//
// The models' value: number of models, uvarint; for each the epoch, 1 byte, the
// dimension, uvarint, and the identity, a string.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// Model is what made vectors. Those of different models are never mixed.
type Model struct {
	ID  string
	Dim int
}

// Embedding is what an embedder made of a text.
type Embedding struct {
	Vectors [][]float32 // of the first windows
	Missing bool        // there are more windows, or it failed: the record has to wait for the rest
}

// generation is the vectors of one model.
type generation struct {
	epoch byte
	model Model
	index *vecindex.Index
}

// openVectors opens the vectors of all models in the store.
func (s *Store) openVectors() error {
	value, err := kv.GetCopy(s.kv, nil, modelsKey())
	if errors.Is(err, kv.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	d := decoder{b: value}
	for range d.uvarint() {
		epoch := d.take(1)
		model := Model{Dim: int(d.uvarint()), ID: d.text()}
		if d.err != nil {
			return d.err
		}
		g, err := s.openGeneration(epoch[0], model)
		if err != nil {
			return err
		}
		s.generations = append(s.generations, g)
	}
	return d.err
}

func (s *Store) openGeneration(epoch byte, model Model) (*generation, error) {
	o := s.opts.Vectors
	o.Prefix = vectorPrefix(epoch)
	index, err := vecindex.Open(s.kv, o)
	if err != nil {
		return nil, fmt.Errorf("vectors of %s: %w", model.ID, err)
	}
	return &generation{epoch: epoch, model: model, index: index}, nil
}

// active returns the vectors of the model in use, nil without one.
func (s *Store) active() *generation {
	i := slices.IndexFunc(s.generations, func(g *generation) bool { return g.model == s.opts.Model })
	if i < 0 {
		return nil
	}
	return s.generations[i]
}

// checkModel makes room for the vectors of the model in use, and says so when
// there are others.
func (s *Store) checkModel(ctx context.Context) error {
	if s.opts.Model.ID == "" || s.active() != nil {
		return nil
	}
	for _, g := range s.generations {
		if n := g.index.View().Stats().Documents; n > 0 {
			s.opts.Logger.Warn("contextforge: the store has vectors of another model; until they are made anew, by BackfillEmbeddings, search is by words alone",
				"stored", g.model.ID, "now", s.opts.Model.ID, "entries", n)
		}
	}
	epoch := byte(1)
	for slices.ContainsFunc(s.generations, func(g *generation) bool { return g.epoch == epoch }) {
		epoch++
	}
	g, err := s.openGeneration(epoch, s.opts.Model)
	if err != nil {
		return err
	}
	return s.setGenerations(ctx, append(slices.Clone(s.generations), g))
}

// setGenerations changes which models the store has vectors of, and removes
// those of the others.
func (s *Store) setGenerations(ctx context.Context, to []*generation) error {
	return s.alone(ctx, func(b kv.Batch) {
		value := binary.AppendUvarint(nil, uint64(len(to)))
		for _, g := range to {
			value = append(value, g.epoch)
			value = binary.AppendUvarint(value, uint64(g.model.Dim))
			value = appendString(value, g.model.ID)
		}
		b.Set(modelsKey(), value)
		for _, g := range s.generations {
			if !slices.Contains(to, g) {
				b.DeleteRange(vectorPrefix(g.epoch), kv.PrefixEnd(vectorPrefix(g.epoch)))
			}
		}
	}, func() { s.generations = to })
}

// alone makes a commit outside of the queue.
func (s *Store) alone(ctx context.Context, fill func(kv.Batch), then func()) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if err := errors.Join(s.checkOpen(), s.failure, ctx.Err()); err != nil {
		return err
	}
	b := s.kv.NewBatch()
	fill(b)
	err := s.kv.Commit(b, kv.Sync)
	if err = errors.Join(err, b.Close()); err != nil {
		s.noteFailure(err)
		return err
	}
	then()
	return s.publish()
}

// DropOtherModels removes the vectors of models that are not in use.
func (s *Store) DropOtherModels(ctx context.Context) error {
	s.writeMu.Lock()
	g, n := s.active(), len(s.generations)
	s.writeMu.Unlock()
	if g == nil || n == 1 {
		return nil
	}
	return s.setGenerations(ctx, []*generation{g})
}

// Warm reads what searches hold in memory.
func (s *Store) Warm(ctx context.Context) error {
	v, err := s.SearchView(ctx)
	if err != nil {
		return err
	}
	if v.state.vectors != nil {
		s.writeMu.Lock()
		g := s.active()
		s.writeMu.Unlock()
		err = g.index.Load(ctx, v.state.snap, v.state.vectors)
	}
	return errors.Join(err, v.Close())
}

// embed stores what an embedder made of a record that was just put.
func (t *tx) embed(rec *stored, e *Embedding) error {
	if v := t.activeVectors(); v != nil && len(e.Vectors) > 0 {
		if err := v.Add(vecindex.Doc{Num: rec.num, Scope: rec.Scope, Vectors: e.Vectors}); err != nil {
			return err
		}
	}
	if e.Missing {
		t.setPending(rec.num, uint64(len(e.Vectors)), 0)
		t.pending[rec.num] = true
		t.st.pending++
	}
	return nil
}

func (t *tx) activeVectors() *vecindex.Tx {
	for i, g := range t.s.generations {
		if g.model == t.s.opts.Model {
			return t.vectors[i]
		}
	}
	return nil
}

func (t *tx) setPending(num, windows, failures uint64) {
	t.batch.Set(pendingKey(num), binary.AppendUvarint(binary.AppendUvarint(nil, windows), failures))
}

// unembed removes the vectors of a record and its place in the queue.
func (t *tx) unembed(num uint64) error {
	for _, v := range t.vectors {
		if err := v.Delete(t.s.kv, num); err != nil {
			return err
		}
	}
	return t.dropPending(num)
}

func (t *tx) dropPending(num uint64) error {
	if t.st.pending == 0 {
		return nil
	}
	waits, known := t.pending[num]
	if !known && !t.cleared {
		var err error
		if waits, err = has(t.s.kv, pendingKey(num)); err != nil {
			return err
		}
	}
	if waits {
		t.batch.Delete(pendingKey(num))
		t.pending[num] = false
		t.st.pending--
	}
	return nil
}

// has reports whether a key exists.
func has(r kv.Reader, key []byte) (bool, error) {
	_, closer, err := r.Get(key)
	if errors.Is(err, kv.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, closer.Close()
}

// Addition is vectors for a record that waits for them.
type Addition struct {
	Num     uint64
	First   int // number of the first window
	Vectors [][]float32
	Missing bool // more windows are to come, or it failed
	Failed  bool
}

// AddVectors stores vectors of records that are still there and have just the
// windows before First, in one durable commit. It returns how many records got
// all of theirs.
func (s *Store) AddVectors(ctx context.Context, additions []Addition) (complete int, err error) {
	err = s.submit(ctx, func(t *tx) error {
		complete = 0
		for i := range additions {
			done, err := t.addVectors(&additions[i])
			if err != nil {
				return err
			}
			if done {
				complete++
			}
		}
		return nil
	})
	return complete, err
}

func (t *tx) addVectors(a *Addition) (complete bool, err error) {
	rec, err := t.live(a.Num)
	if err != nil || rec == nil {
		return false, err
	}
	v := t.activeVectors()
	if v == nil {
		return false, fmt.Errorf("store: vectors without a model")
	}
	if n, err := t.s.active().index.View().Has(t.s.kv, a.Num); err != nil || n != a.First {
		return false, err
	}
	t.changes++
	if len(a.Vectors) > 0 {
		if err := v.Add(vecindex.Doc{Num: a.Num, Scope: rec.Scope, First: a.First, Vectors: a.Vectors}); err != nil {
			return false, err
		}
	}
	if !a.Missing {
		return true, t.dropPending(a.Num)
	}
	failures, err := t.failures(a.Num)
	if err != nil {
		return false, err
	}
	if a.Failed {
		failures++
	}
	waits, err := t.waits(a.Num)
	if err != nil {
		return false, err
	}
	if !waits {
		t.st.pending++
	}
	t.pending[a.Num] = true
	t.setPending(a.Num, uint64(a.First+len(a.Vectors)), failures)
	return false, nil
}

// live returns the record of a docNum, nil if it has gone.
func (t *tx) live(num uint64) (*stored, error) {
	if rec, ok := t.added[num]; ok {
		return rec, nil
	}
	if t.cleared || t.removed[num] {
		return nil, nil
	}
	value, closer, err := t.s.kv.Get(recordKey(num))
	if errors.Is(err, kv.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rec, err := decodeRecord(num, value)
	return rec, errors.Join(err, closer.Close())
}

func (t *tx) waits(num uint64) (bool, error) {
	if waits, known := t.pending[num]; known || t.cleared {
		return waits, nil
	}
	return has(t.s.kv, pendingKey(num))
}

// failures returns how often the embedder failed on a record.
func (t *tx) failures(num uint64) (uint64, error) {
	value, err := kv.GetCopy(t.s.kv, nil, pendingKey(num))
	if errors.Is(err, kv.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	d := decoder{b: value}
	d.uvarint()
	return d.uvarint(), d.err
}

// embeddingOf returns what is stored of a record's vectors, for its next
// version with the same content.
func (t *tx) embeddingOf(num uint64) (e Embedding, err error) {
	g := t.s.active()
	if g == nil {
		return e, nil
	}
	// A record of this very commit has its vectors in no view yet: they are made
	// anew.
	if _, mine := t.added[num]; mine {
		return Embedding{Missing: true}, nil
	}
	if e.Vectors, err = g.index.View().Vectors(t.s.kv, num); err != nil {
		return e, err
	}
	e.Missing, err = t.waits(num)
	return e, err
}

// Known returns the vectors of a record with this content, if there is one that
// has all of its.
func (v *View) Known(content string) (vectors [][]float32, err error) {
	if v.state.vectors == nil {
		return nil, nil
	}
	err = scan(v.state.snap, contentPrefix(content), func(key, _ []byte) (bool, error) {
		num := contentNum(key)
		if waits, err := has(v.state.snap, pendingKey(num)); waits || err != nil {
			return true, err
		}
		rec, err := readRecord(v.state.snap, num)
		if err != nil || rec.Content != content {
			return true, err
		}
		vectors, err = v.state.vectors.Vectors(v.state.snap, num)
		return len(vectors) == 0, err
	})
	return vectors, err
}

// Waiting is a record that lacks vectors.
type Waiting struct {
	Num      uint64
	ID       string
	Content  string
	Windows  int // that it has
	Failures int
}

// Pending yields the records in the queue whose docNum is from or greater, in
// the order in which they were saved.
func (v *View) Pending(from uint64) iter.Seq2[Waiting, error] {
	return func(yield func(Waiting, error) bool) {
		err := scanFrom(v.state.snap, pendingKey(from), []byte{famPending + 1}, func(key, value []byte) (bool, error) {
			num, err := parseNum(key)
			if err != nil {
				return false, err
			}
			d := decoder{b: value}
			w := Waiting{Num: num, Windows: int(d.uvarint()), Failures: int(d.uvarint())}
			if d.err != nil {
				return false, d.err
			}
			rec, err := readRecord(v.state.snap, num)
			if err != nil {
				return false, err
			}
			w.ID, w.Content = rec.ID, rec.Content
			return yield(w, nil), nil
		})
		if err != nil {
			yield(Waiting{}, err)
		}
	}
}

// Unembedded yields the records with a docNum of from or greater that have no
// vectors of the model in use, or not all of theirs.
func (v *View) Unembedded(from uint64) iter.Seq2[Waiting, error] {
	return func(yield func(Waiting, error) bool) {
		for rec, err := range recordsFrom(v.state.snap, from) {
			w := Waiting{}
			lacks := false
			if err == nil {
				w = Waiting{Num: rec.num, ID: rec.ID, Content: rec.Content}
				lacks, err = v.lacksVectors(&w)
			}
			if (lacks || err != nil) && !yield(w, err) || err != nil {
				return
			}
		}
	}
}

func (v *View) lacksVectors(w *Waiting) (bool, error) {
	if v.state.vectors == nil {
		return false, nil
	}
	n, err := v.state.vectors.Has(v.state.snap, w.Num)
	if err != nil {
		return false, err
	}
	w.Windows = n
	if n == 0 {
		return true, nil
	}
	return has(v.state.snap, pendingKey(w.Num))
}

// Similar ranks the records by the cosine of their best window to a vector:
// descending, then newest, then by id. limit < 0 means all.
func (v *View) Similar(ctx context.Context, vector []float32, f Filter, limit int) ([]bm25.Hit, error) {
	if v.state.vectors == nil {
		return nil, nil
	}
	vf := vecindex.Filter{Before: v.before(ctx)}
	if scope, one := f.scope(); one {
		vf.Scope = &scope
	}
	if !f.simple() || v.state.st.expiring > 0 {
		tf := f.text(v)
		admits, err := v.state.index.Admitter(ctx, v.state.snap, tf)
		if err != nil {
			return nil, err
		}
		vf.Accept = func(num uint64) (bool, error) {
			ok, err := admits(num)
			if !ok || err != nil || tf.Accept == nil {
				return ok, err
			}
			return tf.Accept(num)
		}
	}
	found, err := v.state.vectors.Search(ctx, v.state.snap, vector, vf, limit)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	nums := make([]uint64, len(found))
	for i, f := range found {
		nums[i] = f.Num
	}
	hits, _, err := v.Describe(ctx, nums)
	for i := range hits {
		hits[i].Score = float64(found[i].Score)
	}
	return hits, err
}

// before orders records of the same similarity.
func (v *View) before(ctx context.Context) func(a, b uint64) (bool, error) {
	return func(a, b uint64) (bool, error) {
		hits, _, err := v.Describe(ctx, []uint64{a, b})
		if err != nil {
			return false, err
		}
		at := func(h bm25.Hit) Time { return Time{h.Sec, h.Nsec} }
		if c := at(hits[0]).Compare(at(hits[1])); c != 0 {
			return c > 0, nil
		}
		return hits[0].ID < hits[1].ID, nil
	}
}

// Describe returns what a search tells of records, and whether it knows them.
func (v *View) Describe(ctx context.Context, nums []uint64) ([]bm25.Hit, []bool, error) {
	return v.state.index.Describe(ctx, v.state.snap, nums)
}

// Scores returns the BM25 scores of records, and whether they have a term of
// the query.
func (v *View) Scores(ctx context.Context, query string, nums []uint64) ([]float64, []bool, error) {
	return v.state.index.Scores(ctx, v.state.snap, v.terms(query), nums)
}

// Cosines returns the similarity of records to a vector, and whether they have
// vectors.
func (v *View) Cosines(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error) {
	if v.state.vectors == nil {
		return make([]float32, len(nums)), make([]bool, len(nums)), nil
	}
	return v.state.vectors.Scores(ctx, v.state.snap, vector, nums)
}

// Vectors returns the vectors of a record, of the model in use.
func (v *View) Vectors(num uint64) ([][]float32, error) {
	if v.state.vectors == nil {
		return nil, nil
	}
	return v.state.vectors.Vectors(v.state.snap, num)
}

// Num returns the docNum of an id, or ErrNotFound.
func (v *View) Num(id string) (uint64, error) {
	num, err := lookupID(v.state.snap, id)
	if err == nil && num == 0 {
		err = fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	return num, err
}

// EmbeddingStats are the figures of the vectors of the model in use.
type EmbeddingStats struct {
	Model    Model
	Records  int // that have vectors
	Vectors  int
	Pending  int   // records in the queue
	Resident int64 // bytes of codes in memory
	Others   []Model
}

// Embeddings returns the figures of the view.
func (v *View) Embeddings() EmbeddingStats {
	st := EmbeddingStats{Pending: int(v.state.st.pending), Others: v.state.others}
	if v.state.vectors != nil {
		s := v.state.vectors.Stats()
		st.Model = v.s.opts.Model
		st.Records, st.Vectors, st.Resident = int(s.Documents), int(s.Vectors), s.Resident
	}
	return st
}
