// This file checks that a mark survives its encoding and that damage is seen.

package ackmark

import "testing"

func TestEncodeDecode(t *testing.T) {
	for _, m := range []Mark{{}, {1, 0}, {1 << 63, 7}, {^uint64(0), ^uint64(0)}} {
		b := m.Encode()
		if got, ok := Decode(b[:]); !ok || got != m {
			t.Errorf("%+v decoded as %+v, %v", m, got, ok)
		}
		if got, ok := Decode(append(b[:], 1, 2, 3)); !ok || got != m {
			t.Errorf("%+v with bytes behind decoded as %+v, %v", m, got, ok)
		}
		for i := range b {
			bad := b
			bad[i] ^= 0x10
			if got, ok := Decode(bad[:]); ok {
				t.Errorf("%+v with byte %d changed decoded as %+v", m, i, got)
			}
			if _, ok := Decode(b[:i]); ok {
				t.Errorf("%d bytes decoded", i)
			}
		}
	}
}

// TestEncoding pins the bytes: marks are read by later versions.
func TestEncoding(t *testing.T) {
	b := Mark{Acknowledged: 0x0102030405060708, Lost: 9}.Encode()
	want := "CFAK\x01\x00\x00\x00\x08\x07\x06\x05\x04\x03\x02\x01\x09\x00\x00\x00\x00\x00\x00\x00"
	if string(b[:24]) != want {
		t.Errorf("encoded as %q", b[:24])
	}
}

func TestReconcile(t *testing.T) {
	tests := []struct {
		mark    Mark
		present uint64
		want    Mark
	}{
		{Mark{0, 0}, 0, Mark{0, 0}},
		{Mark{0, 0}, 9, Mark{9, 0}},
		{Mark{9, 0}, 9, Mark{9, 0}},
		{Mark{9, 0}, 12, Mark{12, 0}},
		{Mark{9, 0}, 5, Mark{9, 4}},
		{Mark{9, 2}, 5, Mark{9, 6}},
		{Mark{9, 2}, 10, Mark{10, 2}},
	}
	for _, test := range tests {
		if got := test.mark.Reconcile(test.present); got != test.want {
			t.Errorf("%+v with %d present: %+v, want %+v", test.mark, test.present, got, test.want)
		}
	}
}
