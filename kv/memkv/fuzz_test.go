// This file feeds arbitrary bytes to the decoders.

package memkv

import (
	"bytes"
	"errors"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// FuzzReadLog checks that no log makes the reader fail otherwise than with
// kv.ErrCorrupt, and that what it accepts, written again, is the same.
func FuzzReadLog(f *testing.F) {
	header := appendFrame(nil, 4, tagged(logMagic, 1))
	one := appendFrame(bytes.Clone(header), 5, appendChange(nil, kindSet, []byte("key"), []byte("value")))
	two := appendFrame(bytes.Clone(one), 6, appendChange(nil, kindDeleteRange, []byte("a"), []byte("b")))
	for _, seed := range [][]byte{nil, header, one, two, two[:len(two)-3], append(bytes.Clone(one), make([]byte, 40)...)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		again := bytes.Clone(header)
		sequence := uint64(4)
		st := &state{tree: newTree()}
		last, intact, err := readLog(data, 1, func(batch []byte) bool {
			sequence++
			again = appendFrame(again, sequence, batch)
			return st.apply(batch)
		})
		if err != nil {
			if !errors.Is(err, kv.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if intact > len(data) {
			t.Fatalf("%d of %d bytes intact", intact, len(data))
		}
		if bytes.HasPrefix(data, header) && !bytes.Equal(again, data[:intact]) || last < sequence-4 {
			t.Fatalf("read %x, wrote %x", data[:intact], again)
		}
	})
}

// FuzzReadSnapshot checks the same of snapshots.
func FuzzReadSnapshot(f *testing.F) {
	good := appendFrame(nil, 9, tagged(snapshotMagic, 1))
	good = appendFrame(good, 9, appendChange(nil, kindSet, []byte("key"), []byte("value")))
	good = appendFrame(good, 9, tagged(endMagic, 1))
	for _, seed := range [][]byte{nil, good, good[:len(good)-1], good[:40]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		st := &state{tree: newTree()}
		_, entries, err := readSnapshot(data, 1, st.apply)
		if err != nil && !errors.Is(err, kv.ErrCorrupt) {
			t.Fatal(err)
		}
		if err == nil && bytes.Equal(data, good) && (entries != 1 || st.tree.Len() != 1) {
			t.Fatalf("%d entries", entries)
		}
	})
}
