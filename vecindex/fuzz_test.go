// This file decides whether any bytes and any vectors are taken rightly.

package vecindex

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// FuzzDecode feeds values with a right checksum to the decoders: what they
// accept is encoded to the same bytes.
func FuzzDecode(f *testing.F) {
	f.Add(state{3, 4, 5}.encode(), uint16(3))
	f.Add((&codeRow{scope: "a", scale: 0.5, residual: 0.1, codes: []int8{1, -2, 3}}).encode(), uint16(3))
	f.Add(encodeMaster([]float32{1, 0, 0}), uint16(3))
	f.Fuzz(func(t *testing.T, value []byte, dim uint16) {
		sealed := value
		if len(value) >= crcBytes {
			sealed = seal(slices.Clone(value[:len(value)-crcBytes]))
		}
		for _, b := range [][]byte{value, sealed} {
			decodeAll(t, b, int(dim))
		}
	})
}

func decodeAll(t *testing.T, b []byte, dim int) {
	t.Helper()
	check := func(name string, err error, encode func() []byte) {
		t.Helper()
		if err == nil && !slices.Equal(encode(), b) {
			t.Errorf("%s is encoded to other bytes", name)
		}
		if err != nil && !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, err := decodeState(nil, b)
	check("state", err, s.encode)
	row, err := decodeRow(nil, b, dim)
	check("row", err, func() []byte {
		codes := make([]int8, len(row.codes))
		for i, c := range row.codes {
			codes[i] = int8(c)
		}
		return (&codeRow{scope: string(row.scope), scale: row.scale, residual: row.residual, codes: codes}).encode()
	})
	unit, err := decodeMaster(nil, b, dim)
	check("master", err, func() []byte { return encodeMaster(unit) })
}

// FuzzSearch reads vectors of a dimension from data, the last of them as query,
// and compares searches with brute force.
func FuzzSearch(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef0123456789abcdef"), uint8(2), uint8(1), uint8(0))
	f.Add(slices.Repeat([]byte{0, 0, 128, 63, 0, 0, 0, 0, 1, 0, 0, 0}, 20), uint8(3), uint8(4), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, dim, limit, option uint8) {
		if dim == 0 || len(data) > 1<<12 {
			return
		}
		vectors := vectorsOf(data, int(dim))
		if len(vectors) == 0 {
			return
		}
		fx := newFixture(t, nil, Options{tuning: small, MaxResident: maxResidents[option%5]})
		for i, v := range vectors[1:] {
			num := uint64(i * 7 % 10)
			d := Doc{Num: num, Vectors: [][]float32{v}}
			if old := fx.truth[num]; old != nil {
				d.First = len(old.units)
			}
			fx.addDocs(d)
			if option&64 != 0 && i%5 == 4 {
				fx.remove(uint64(option % 10))
			}
		}
		if option&128 != 0 {
			fx.reopen()
		}
		fx.search(vectors[0], Filter{}, int(limit%16))
		fx.verify(fx.freeze())
	})
}

// vectorsOf cuts data into vectors; what is no direction is left out.
func vectorsOf(data []byte, dim int) (list [][]float32) {
	for ; len(data) >= 4*dim; data = data[4*dim:] {
		v := make([]float32, dim)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		if check(v, dim) == nil {
			list = append(list, v)
		}
	}
	return list
}
