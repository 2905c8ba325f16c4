package store

// This file decides where the second vectors of records are, those of their
// longest sentences: in a generation of their own, under a model that is named
// after the one in use, so that whatever happens to vectors happens to them too.

import (
	"context"
	"strings"

	"github.com/contextforge-go/contextforge/vecindex"
)

// secondSuffix ends the identity under which second vectors are.
const secondSuffix = "#sentence"

// second reports whether the vectors are second ones.
func (m Model) second() bool { return strings.HasSuffix(m.ID, secondSuffix) }

// Sentences returns the model that second vectors are of; ok is false when m is that
// of others.
func (m Model) Sentences() (of Model, ok bool) {
	id, ok := strings.CutSuffix(m.ID, secondSuffix)
	return Model{ID: id, Dim: m.Dim}, ok
}

// models are those that the store is to have vectors of: that in use, and the one
// that second vectors are under.
func (s *Store) models() []Model {
	use := s.opts.Model
	switch {
	case use.ID == "":
		return nil
	case s.opts.Sentence == nil:
		return []Model{use}
	}
	return []Model{use, {ID: use.ID + secondSuffix, Dim: use.Dim}}
}

// inUse reports whether a model is one of them.
func (s *Store) inUse(m Model) bool {
	for _, used := range s.models() {
		if m == used {
			return true
		}
	}
	return false
}

// addSentence stores the second vector of a record that may have none yet.
func (t *tx) addSentence(rec *stored, vector []float32) error {
	if vector == nil {
		return nil
	}
	for i, g := range t.s.generations {
		if !t.s.inUse(g.model) || !g.model.second() {
			continue
		}
		if _, mine := t.added[rec.num]; !mine {
			if n, err := g.index.View().Has(t.s.kv, rec.num); n > 0 || err != nil {
				return err
			}
		}
		return t.vectors[i].Add(vecindex.Doc{Num: rec.num, Scope: rec.Scope, Vectors: [][]float32{vector}})
	}
	return nil
}

// lacksSentence reports whether a record ought to have a second vector and hasn't.
func (v *View) lacksSentence(num uint64, content string) (bool, error) {
	if v.state.sentences == nil || !v.s.opts.Sentence(content) {
		return false, nil
	}
	n, err := v.state.sentences.Has(v.state.snap, num)
	return n == 0, err
}

// KnownEmbedding returns the vectors of a record with this content, its second one
// too, if there is one that has all of its. complete tells that there is nothing
// left to embed.
func (v *View) KnownEmbedding(content string) (e Embedding, complete bool, err error) {
	num, vectors, err := v.known(content)
	if err != nil || len(vectors) == 0 {
		return Embedding{}, false, err
	}
	e.Vectors = vectors
	if v.state.sentences == nil {
		return e, true, nil
	}
	second, err := v.state.sentences.Vectors(v.state.snap, num)
	if err != nil {
		return Embedding{}, false, err
	}
	if len(second) > 0 {
		e.Sentence = second[0]
	}
	return e, e.Sentence != nil || !v.s.opts.Sentence(content), nil
}

// SentenceCosines returns the similarity of records' second vectors to a vector, by
// their codes, and whether they have one; a record without has one sentence, or
// waits for its vectors. The codes are read into memory by the first call, as by
// Warm.
func (v *View) SentenceCosines(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error) {
	if v.state.sentences == nil {
		return make([]float32, len(nums)), make([]bool, len(nums)), nil
	}
	return v.state.sentences.Approximate(ctx, v.state.snap, vector, nums)
}
