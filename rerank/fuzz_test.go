package rerank

// Steps against their definitions, on any input.

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// byBytes returns a list in which the bytes decide everything: five of them an
// entry.
func byBytes(data []byte) *sample {
	s := draw(rand.New(rand.NewPCG(1, 1)), 0)
	s.terms.Weights = []float64{1.5, 0.25}
	if len(data) < 4 {
		return s
	}
	s.lending = Lending{Reach: int(data[0] % 17), Falling: float64(data[1]) / 255, Answer: float64(data[2]) / 255}
	x := float64(data[3]) / 255
	s.form = Form{x, x, x, data[3]%2 == 0, x, x, x}
	for part := range slices.Chunk(data[4:min(len(data), 400)], 5) {
		if len(part) < 5 {
			break
		}
		e := Entry{
			Session: int(part[0]%4) - 1, Place: int(part[1] % 32), Length: uint32(part[2]), Tokens: int(int8(part[2])), Sec: int64(int8(part[3])),
			Cosine: float64(int8(part[3])) / 128, Alike: part[0] < 200, Marks: Marks(part[4] % 32),
		}
		if s.at(e.Session, e.Place) >= 0 { // no two turns have one place
			continue
		}
		s.entries, s.scores = append(s.entries, e), append(s.scores, float64(part[4])/255)
		s.terms.TF = append(s.terms.TF, uint32(part[1]/86), uint32(part[3]%3))
	}
	return s
}

// FuzzSteps checks all steps against their definitions.
func FuzzSteps(f *testing.F) {
	f.Add([]byte{3, 128, 204, 12, 1, 1, 20, 90, 2, 1, 2, 40, 80, 0, 1, 200, 9, 100, 31})
	f.Add([]byte{16, 255, 255, 255, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0})
	f.Add([]byte{0, 0, 0, 0, 2, 255, 1, 1, 1, 2, 254, 1, 1, 3, 250, 253, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) { byBytes(data).check(t) })
}
