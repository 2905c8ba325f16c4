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
	"slices"

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
	// Sentence is the second vector, nil for none.
	Sentence []float32
}

// generation is the vectors of one model.
type generation struct {
	epoch byte
	model Model
	index *vecindex.Index
}

// generationView is a state of them.
type generationView struct {
	*generation
	view *vecindex.View
}

// openVectors opens the vectors of all models in the store.
func (s *Store) openVectors() error {
	models, err := readModels(s.kv)
	if err != nil {
		return err
	}
	for _, m := range models {
		g, err := s.openGeneration(m.epoch, m.model)
		if err != nil {
			return err
		}
		s.generations = append(s.generations, g)
	}
	return nil
}

// readModels returns the models that the store has vectors of, without an index.
func readModels(r kv.Reader) (models []generation, err error) {
	value, err := kv.GetCopy(r, nil, modelsKey())
	if errors.Is(err, kv.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := decoder{b: value}
	for range d.uvarint() {
		epoch := d.take(1)
		model := Model{Dim: int(d.uvarint()), ID: d.text()}
		if d.err != nil {
			break
		}
		models = append(models, generation{epoch: epoch[0], model: model})
	}
	if d.err != nil {
		return nil, fmt.Errorf("models of vectors: %w", d.err)
	}
	return models, nil
}

// strayEpochs returns the epochs that have keys and belong to no model.
func strayEpochs(r kv.Reader) (stray []byte, err error) {
	models, err := readModels(r)
	if err != nil {
		return nil, err
	}
	it, err := r.Iter(vectorPrefix(0), []byte{famVector + 1})
	if err != nil {
		return nil, err
	}
	for ok := it.First(); ok; {
		epoch := it.Key()[1]
		if !slices.ContainsFunc(models, func(g generation) bool { return g.epoch == epoch }) {
			stray = append(stray, epoch)
		}
		ok = it.SeekGE(kv.PrefixEnd(vectorPrefix(epoch)))
	}
	return stray, errors.Join(it.Error(), it.Close())
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
	for _, model := range s.models() {
		if !slices.ContainsFunc(s.generations, func(g *generation) bool { return g.model == model }) {
			if err := s.begin(ctx, model); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin makes room for the vectors of a model.
func (s *Store) begin(ctx context.Context, model Model) error {
	for _, g := range s.generations {
		if n := g.index.View().Stats().Documents; n > 0 && model == s.opts.Model && !g.model.second() {
			s.opts.Logger.Warn("contextforge: the store has vectors of another model; until they are made anew, by BackfillEmbeddings, search is by words alone",
				"stored", g.model.ID, "now", s.opts.Model.ID, "entries", n)
		}
	}
	kept := slices.DeleteFunc(slices.Clone(s.generations), func(g *generation) bool {
		return g.index.View().Stats().Vectors == 0 && !s.inUse(g.model)
	})
	epoch, err := s.freeEpoch()
	if err != nil {
		return err
	}
	g, err := s.openGeneration(epoch, model)
	if err != nil {
		return err
	}
	return s.setGenerations(ctx, func() []*generation { return append(kept, g) })
}

// freeEpoch returns an epoch under which nothing is, not even what has lost its
// model.
func (s *Store) freeEpoch() (byte, error) {
	taken, err := strayEpochs(s.kv)
	if err != nil {
		return 0, err
	}
	for _, g := range s.generations {
		taken = append(taken, g.epoch)
	}
	for epoch := byte(1); epoch > 0; epoch++ {
		if !slices.Contains(taken, epoch) {
			return epoch, nil
		}
	}
	return 0, fmt.Errorf("store: it has vectors of %d models, which leaves no room for another", len(taken))
}

// setGenerations changes which models the store has vectors of, and removes
// those of the others. choose runs under the lock.
func (s *Store) setGenerations(ctx context.Context, choose func() []*generation) error {
	var to []*generation
	return s.alone(ctx, func(b kv.Batch) {
		to = choose()
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
	own := func() []*generation {
		return slices.DeleteFunc(slices.Clone(s.generations), func(g *generation) bool { return !s.inUse(g.model) })
	}
	s.writeMu.Lock()
	used, all := len(own()), len(s.generations)
	s.writeMu.Unlock()
	if used == 0 || used == all {
		return nil
	}
	// A rebuild may have exchanged the generations since.
	return s.setGenerations(ctx, own)
}

// Warm reads what searches hold in memory.
func (s *Store) Warm(ctx context.Context) error {
	v, err := s.SearchView(ctx)
	if err != nil {
		return err
	}
	for _, g := range v.state.generations {
		if g.view == v.state.vectors || g.view == v.state.sentences {
			err = errors.Join(err, g.index.Load(ctx, v.state.snap, g.view))
		}
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
	if err := t.addSentence(rec, e.Sentence); err != nil {
		return err
	}
	if e.Missing {
		t.setPending(rec.num, 0)
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

// unembed removes the vectors of a record and its place in the queue.
func (t *tx) unembed(num uint64) error {
	for _, v := range t.vectors {
		if err := v.Delete(t.s.kv, num); err != nil {
			return err
		}
	}
	return t.dropPending(num)
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

// carried is what is stored of a record's vectors, for its next version with the
// same content.
type carried struct {
	vectors [][][]float32 // by generation
	waits   bool
}

func (t *tx) carry(num uint64) (c carried, err error) {
	// Vectors that came with this very commit are in no view yet: they are made
	// anew.
	if _, mine := t.added[num]; mine || t.embedded[num] {
		return carried{waits: t.s.active() != nil || t.pending[num]}, nil
	}
	for _, g := range t.s.generations {
		vectors, err := g.index.View().Vectors(t.s.kv, num)
		if err != nil {
			return c, err
		}
		c.vectors = append(c.vectors, vectors)
	}
	c.waits, err = t.waits(num)
	return c, err
}

// embedAs stores what was carried from a record to its next version.
func (t *tx) embedAs(rec *stored, c carried) error {
	for i, vectors := range c.vectors {
		if err := t.vectors[i].Add(vecindex.Doc{Num: rec.num, Scope: rec.Scope, Vectors: vectors}); err != nil {
			return err
		}
	}
	return t.embed(rec, &Embedding{Missing: c.waits})
}
