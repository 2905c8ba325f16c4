//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// This file decides what the vectors are.

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
)

const (
	topics      = 40
	clusterSize = 128 // vectors of a cluster on average
	// How far centres are from what they lie around, and vectors from centres, as
	// lengths beside a direction of length 1.
	topicSpread   = 2.0
	clusterSpread = 1.0
	leastSpread   = 0.45
	mostSpread    = 1.1
)

// Source makes vectors; each depends on the seed and its number alone.
type Source struct {
	Seed    uint64
	Vectors int
	Dim     int
	Scopes  int

	centres [][]float32 // of clusters, length 1
}

// NewSource prepares the centres.
func NewSource(seed uint64, vectors, dim, scopes int) *Source {
	s := &Source{Seed: seed, Vectors: vectors, Dim: dim, Scopes: scopes}
	r := rand.New(rand.NewPCG(seed, 1))
	common := s.around(r, make([]float32, dim), 1)
	var subjects [][]float32
	for range topics {
		subjects = append(subjects, s.around(r, common, topicSpread))
	}
	for range max(4, vectors/clusterSize) {
		s.centres = append(s.centres, s.around(r, subjects[r.IntN(topics)], clusterSpread))
	}
	return s
}

// around returns a vector of length 1: a point at about the distance spread from
// a centre, in any direction.
func (s *Source) around(r *rand.Rand, centre []float32, spread float64) []float32 {
	out := make([]float32, s.Dim)
	s.fill(out, r, centre, spread)
	return out
}

func (s *Source) fill(to []float32, r *rand.Rand, centre []float32, spread float64) {
	step := spread / math.Sqrt(float64(s.Dim))
	sum := 0.0
	for i, c := range centre {
		x := float64(c) + float64(step*r.NormFloat64())
		to[i] = float32(x)
		sum += float64(x * x)
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range to {
		to[i] *= scale
	}
}

// Fill makes the vector i. Numbers below Vectors are in the index; those from
// there on are questions.
func (s *Source) Fill(to []float32, i int) {
	r := rand.New(rand.NewPCG(s.Seed, 2+uint64(i)))
	u := r.Float64()
	centre := s.centres[int(u*u*float64(len(s.centres)))] // some clusters are bigger
	s.fill(to, r, centre, leastSpread+float64((mostSpread-leastSpread)*r.Float64()))
}

// Vector returns the vector i.
func (s *Source) Vector(i int) []float32 {
	v := make([]float32, s.Dim)
	s.Fill(v, i)
	return v
}

// Query returns the question j.
func (s *Source) Query(j int) []float32 { return s.Vector(s.Vectors + j) }

// Scope returns the scope of the vector i; all have equally many.
func (s *Source) Scope(i int) string { return fmt.Sprint("scope ", i%s.Scopes) }

// write writes n vectors from the number first on as little-endian float32.
func (s *Source) write(name string, first, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	v, row := make([]float32, s.Dim), make([]byte, 0, 4*s.Dim)
	for i := range n {
		s.Fill(v, first+i)
		row = row[:0]
		for _, x := range v {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x))
		}
		if _, err = w.Write(row); err != nil {
			break
		}
	}
	return errors.Join(err, w.Flush(), f.Close())
}
