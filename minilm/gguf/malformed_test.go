package gguf_test

// This file tests that every kind of malformed file is refused, with words that
// say what is wrong where, and without taking memory for what isn't there.

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

type malformedFile struct {
	label string
	data  []byte
	cause error
	say   string
	file  string // in testdata, if tests of other packages read it
}

// malformed lists files that each have one thing wrong.
func malformed() []malformedFile {
	const huge = 1 << 60
	key := func(parts ...any) []byte { return head(0, 1, name("k"), join(parts...)) }
	data := func(n int, infos ...[]byte) []byte {
		return pad(head(uint64(len(infos)), 0, join(bytesOf(infos)...)), n)
	}
	nested := join(int(gguf.Array), int(gguf.Array))
	for range 9 {
		nested = join(nested, uint64(1), int(gguf.Array))
	}
	alignment := func(t gguf.ValueType, value ...any) []byte {
		return pad(head(0, 1, name("general.alignment"), int(t), join(value...)), 0)
	}
	return []malformedFile{
		{"empty", nil, gguf.ErrNotGGUF, "it has 0 bytes", ""},
		{"short", []byte("GGU"), gguf.ErrNotGGUF, "it has 3 bytes", ""},
		{"magic", []byte("GGJT\x03\x00\x00\x00"), gguf.ErrNotGGUF, `it begins with "GGJT"`, "not.gguf"},
		{"version_0", join("GGUF", 0, uint64(0), uint64(0)), gguf.ErrVersion, "unsupported version 0, want 2 or 3", ""},
		{"version_1", join("GGUF", 1, 0, 0), gguf.ErrVersion, "unsupported version 1, want 2 or 3", "version.gguf"},
		{"version_4", join("GGUF", 4, uint64(0), uint64(0)), gguf.ErrVersion, "unsupported version 4", ""},
		{"big_endian", []byte("GGUF\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), gguf.ErrVersion, "big-endian", ""},
		{"no_version", []byte("GGUF\x03\x00"), gguf.ErrTruncated, "the file's first bytes, at byte 4: 4 bytes, but only 2", ""},
		{"no_counts", join("GGUF", 3), gguf.ErrTruncated, "at byte 8", ""},
		{"tensor_count", head(huge, 0), gguf.ErrTruncated, "tensors, but only", ""},
		{"key_count", head(0, huge), gguf.ErrTruncated, "1152921504606846976 keys, but only 0 bytes are left", ""},
		{"key_count_2", head(0, 2, name("k"), int(gguf.Uint8), "\x00"), gguf.ErrTruncated, "2 keys, but only 14", ""},

		{"key_length", head(0, 1, uint64(100), "abcde"), gguf.ErrTruncated, "key number 1, at byte 32: 100 bytes, but only 5", ""},
		{"key_too_long", head(0, 1, uint64(1<<16), "abcde"), gguf.ErrCorrupt, "key number 1, at byte 32: a name of 65536 bytes", ""},
		{"key_not_utf8", head(0, 1, name("k\xff"), int(gguf.Uint8), "\x00"), gguf.ErrCorrupt, `key "k\xff", at byte 34: the name isn't UTF-8`, ""},
		{"key_twice", head(0, 2, name("k"), int(gguf.Uint8), "\x00", name("k"), int(gguf.Uint8), "\x00"), gguf.ErrCorrupt, `key "k" is there twice`, "twice.gguf"},
		{"key_cut", head(0, 1, name("keys"), "\x00"), gguf.ErrTruncated, `key "keys", at byte 36: 4 bytes, but only 1`, ""},
		{"value_type", key(13, uint64(0)), gguf.ErrCorrupt, `key "k", at byte 37: there is no value type 13`, ""},
		{"value_cut", key(int(gguf.Uint64), 0), gguf.ErrTruncated, `key "k", at byte 37: 8 bytes, but only 4`, ""},
		{"bool", key(int(gguf.Bool), "\x02"), gguf.ErrCorrupt, "a boolean is 2", ""},
		{"string_length", key(int(gguf.String), uint64(huge), "abc"), gguf.ErrTruncated, "1152921504606846976 bytes, but only 3", ""},
		{"string_length_overflow", key(int(gguf.String), ^uint64(0), "abc"), gguf.ErrTruncated, "18446744073709551615 bytes, but only 3", ""},
		{"array_type", key(int(gguf.Array), 77, uint64(0)), gguf.ErrCorrupt, "there is no value type 77", ""},
		{"array_count", key(int(gguf.Array), int(gguf.Uint32), uint64(2), 0), gguf.ErrTruncated, "2 elements, but only 4", ""},
		{"array_count_overflow", key(int(gguf.Array), int(gguf.Uint64), uint64(1<<61+1), uint64(0)), gguf.ErrTruncated, "elements, but only 8", ""},
		{"array_count_strings", key(int(gguf.Array), int(gguf.String), uint64(3), uint64(0), uint64(0)), gguf.ErrTruncated, "3 elements, but only 16", ""},
		{"array_count_arrays", key(int(gguf.Array), int(gguf.Array), uint64(2), int(gguf.Uint8), uint64(0)), gguf.ErrTruncated, "2 elements, but only 12", ""},
		{"array_string", key(int(gguf.Array), int(gguf.String), uint64(1), uint64(9), "abc"), gguf.ErrTruncated, "9 bytes, but only 3", ""},
		{"array_bools", key(int(gguf.Array), int(gguf.Bool), uint64(3), "\x01\x00\x80"), gguf.ErrCorrupt, "a boolean is 128", ""},
		{"array_nested", head(0, 1, name("k"), nested), gguf.ErrCorrupt, "nested deeper than 8", ""},
		{"array_cut", key(int(gguf.Array), "\x00"), gguf.ErrTruncated, "4 bytes, but only 1", ""},

		{"alignment_0", alignment(gguf.Uint32, 0), gguf.ErrCorrupt, `key "general.alignment" is uint32 0, want a power of two`, ""},
		{"alignment_48", alignment(gguf.Uint32, 48), gguf.ErrCorrupt, "is uint32 48", ""},
		{"alignment_huge", alignment(gguf.Uint64, uint64(1<<21)), gguf.ErrCorrupt, "up to 1048576", ""},
		{"alignment_negative", alignment(gguf.Int32, -32), gguf.ErrCorrupt, "is int32 -32", ""},
		{"alignment_string", alignment(gguf.String, name("32")), gguf.ErrCorrupt, "is string, want", ""},

		{"tensor_cut", head(1, 0, info("t", gguf.F32, 0, 8)[:20]), gguf.ErrTruncated, `1 tensors, but only 28`, ""},
		{"tensor_name_not_utf8", data(32, info("t\x80", gguf.F32, 0, 8)), gguf.ErrCorrupt, `tensor "t\x80", at byte`, ""},
		{"tensor_name_length", data(32, join(uint64(huge), "t", 1, uint64(8), 0, uint64(0))), gguf.ErrCorrupt, "tensor number 1, at byte 32: a name of", ""},
		{"tensor_twice", data(64, info("t", gguf.F32, 0, 8), info("t", gguf.F32, 32, 8)), gguf.ErrCorrupt, `tensor "t" is there twice`, ""},
		{"tensor_no_dims", data(32, join(info("t", gguf.F32, 0), uint64(0))), gguf.ErrCorrupt, `tensor "t", at byte 37: 0 dimensions`, ""},
		{"tensor_dims", data(32, info("t", gguf.F32, 0, 8, 1, 1, 1, 1)), gguf.ErrCorrupt, "5 dimensions, want 1 to 4", ""},
		{"tensor_dims_huge", data(32, join(name("t"), -1, uint64(8), 0, uint64(0))), gguf.ErrCorrupt, "4294967295 dimensions", ""},
		{"tensor_empty", data(32, info("t", gguf.F32, 0, 8, 0)), gguf.ErrCorrupt, `tensor "t": gguf: the file is damaged: a dimension is 0 in [8 0]`, ""},
		{"tensor_empty_row", data(32, info("t", gguf.Q8_0, 0, 0, 8)), gguf.ErrCorrupt, "a dimension is 0", ""},
		{"tensor_overflow", data(32, info("t", gguf.F32, 0, 1<<32, 1<<32)), gguf.ErrCorrupt, "more than any file holds", ""},
		{"tensor_overflow_bytes", data(32, info("t", gguf.F32, 0, 1<<31, 1<<31)), gguf.ErrCorrupt, "more than any file holds", ""},
		{"tensor_overflow_to_0", data(32, info("t", gguf.F32, 0, 1<<32, 1<<32, 0)), gguf.ErrCorrupt, "", ""},
		{"tensor_rows", data(64, info("t", gguf.Q8_0, 0, 33)), gguf.ErrCorrupt, "rows of 33 elements aren't whole Q8_0 blocks of 32", ""},
		{"tensor_type", data(64, info("t", 4, 0, 32)), gguf.ErrUnsupportedType, `tensor "t": gguf: unsupported tensor type: type 4`, "type.gguf"},
		{"tensor_type_huge", data(64, info("t", 1<<31, 0, 32)), gguf.ErrUnsupportedType, "type 2147483648", ""},
		{"tensor_misaligned", data(64, info("t", gguf.F32, 4, 8)), gguf.ErrCorrupt, `tensor "t": offset 4 isn't a multiple of 32`, ""},
		{"tensor_outside", data(32, info("t", gguf.F32, 0, 9)), gguf.ErrTruncated, `tensor "t": 36 bytes at 0 of the data, which has 32`, ""},
		{"tensor_offset", data(32, info("t", gguf.F32, 32, 8)), gguf.ErrTruncated, "32 bytes at 32 of the data, which has 32", ""},
		{"tensor_offset_overflow", data(32, info("t", gguf.F32, ^uint64(31), 8)), gguf.ErrTruncated, "at 18446744073709551584", ""},
		{"tensor_no_data", head(1, 0, info("t", gguf.F32, 0, 8)), gguf.ErrTruncated, "which has 0", ""},
		{"tensors_overlap", data(96, info("a", gguf.F32, 32, 8), info("b", gguf.F32, 0, 9)), gguf.ErrCorrupt, `tensors "b" and "a" overlap at 32`, "overlap.gguf"},
		{"tensors_same_place", data(96, info("a", gguf.F32, 0, 8), info("b", gguf.F32, 0, 8)), gguf.ErrCorrupt, `tensors "a" and "b" overlap at 0`, ""},
	}
}

func bytesOf(parts [][]byte) (out []any) {
	for _, p := range parts {
		out = append(out, p)
	}
	return out
}

func TestMalformed(t *testing.T) {
	for _, m := range malformed() {
		t.Run(m.label, func(t *testing.T) {
			f, err := gguf.Parse(m.data)
			if f != nil || !errors.Is(err, m.cause) || !strings.Contains(fmt.Sprint(err), m.say) {
				t.Errorf("Parse: %v, want %v saying %q", err, m.cause, m.say)
			}
			f, again := gguf.Read(bytes.NewReader(m.data), int64(len(m.data)))
			if f != nil || !errors.Is(again, m.cause) || again.Error() != err.Error() {
				t.Errorf("Read: %v, want %v", again, err)
			}
			golden(t, "fuzz/FuzzParse/"+m.label, fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", m.data))
		})
	}
}

// TestCut cuts a sound file at every byte: only the zeros at its end may go.
func TestCut(t *testing.T) {
	for _, file := range [][]byte{encode(t, odd(t)), encode(t, bert(t))} {
		f := parse(t, file)
		last := f.Tensors[len(f.Tensors)-1]
		end := int(f.DataStart + last.Offset + last.Size)
		for n := range len(file) {
			_, err := gguf.Parse(file[:n])
			_, again := gguf.Read(bytes.NewReader(file[:n]), int64(n))
			switch {
			case n >= end && (err != nil || again != nil):
				t.Fatalf("cut to %d of %d: %v, %v", n, len(file), err, again)
			case n < end && !(sentinel(err) && sentinel(again)):
				t.Fatalf("cut to %d of %d: %v, %v", n, len(file), err, again)
			}
		}
	}
}

// sentinel reports whether an error says what is wrong with a file.
func sentinel(err error) bool {
	for _, s := range []error{gguf.ErrNotGGUF, gguf.ErrVersion, gguf.ErrTruncated, gguf.ErrCorrupt, gguf.ErrUnsupportedType} {
		if errors.Is(err, s) {
			return true
		}
	}
	return false
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestAllocation: files of a megabyte made to cost as much memory as they can,
// sound ones and some that claim what they don't hold.
func TestAllocation(t *testing.T) {
	const n = 1 << 20
	pairs := func(claimed, held int) []byte {
		var out []byte
		for i := range held {
			out = append(out, join(name(fmt.Sprintf("%05x", i)), int(gguf.Uint8), "\x00")...)
		}
		return head(0, uint64(claimed), out)
	}
	var tensors []byte
	for i := range 20000 {
		tensors = append(tensors, info(fmt.Sprintf("%05x", i), gguf.F32, uint64(32*i), 8)...)
	}
	list := func(elem gguf.ValueType, count uint64, each ...any) []byte {
		return head(0, 1, name("k"), int(gguf.Array), int(elem), count, bytes.Repeat(join(each...), n/len(join(each...))))
	}
	rubbish := bytes.Repeat([]byte{0xEE}, n)
	for _, c := range []struct {
		label string
		file  []byte
		sound bool
	}{
		{"pairs", pairs(n/18, n/18), true},
		{"pairs that aren't there", append(pairs(n/18, 5), rubbish...), false},
		{"tensors", pad(head(20000, 0, tensors), 20000*32), true},
		{"tensors that aren't there", append(head(n/32, 0), rubbish...), false},
		{"empty strings", list(gguf.String, n/8, uint64(0)), true},
		{"strings that aren't there", append(list(gguf.String, n/4, uint64(0)), rubbish...), false},
		{"empty arrays", list(gguf.Array, n/12, int(gguf.Uint8), uint64(0)), true},
		{"arrays of nothing", list(gguf.Array, n/12, int(gguf.String), uint64(0)), true},
		{"bytes", list(gguf.Uint8, n, uint64(0)), true},
	} {
		var errs [2]error
		limit := uint64(20 * len(c.file))
		if !c.sound {
			limit = 4 << 16 // nothing is kept, but for a window
		}
		if got := allocated(func() { _, errs[0] = gguf.Parse(c.file) }); got > limit {
			t.Errorf("%s: Parse took %d bytes for %d", c.label, got, len(c.file))
		}
		if !c.sound {
			limit += n // windows, one after the other
		}
		if got := allocated(func() { _, errs[1] = gguf.Read(bytes.NewReader(c.file), int64(len(c.file))) }); got > limit {
			t.Errorf("%s: Read took %d bytes for %d", c.label, got, len(c.file))
		}
		if (errs[0] == nil) != c.sound || (errs[1] == nil) != c.sound {
			t.Errorf("%s: %v, %v", c.label, errs[0], errs[1])
		}
	}
}

// TestAllocations: strings are views, so that their number doesn't matter.
func TestAllocations(t *testing.T) {
	tokens := make([]string, 30000)
	for i := range tokens {
		tokens[i] = fmt.Sprint("token ", i)
	}
	data := encode(t, ggufwrite.File{Pairs: []ggufwrite.Pair{{Key: "tokens", Value: tokens}, {Key: "types", Value: make([]int32, len(tokens))}}})
	if n := testing.AllocsPerRun(10, func() { parse(t, data) }); n > 20 {
		t.Errorf("%v allocations", n)
	}
	f := parse(t, data)
	// The first token's first byte, behind the prologue (24 bytes), the key, two types,
	// the count and the length. A view shows the change, a copy wouldn't.
	data[24+8+len("tokens")+4+4+8+8] = 'T'
	if got, err := f.Strings("tokens"); err != nil || got[0] != "Token 0" {
		t.Error(got[0], err)
	}
}

// holes is a file that goes on with zeros.
type holes []byte

func (h holes) ReadAt(p []byte, offset int64) (int, error) {
	clear(p)
	if offset < int64(len(h)) {
		copy(p, h[offset:])
	}
	return len(p), nil
}

// TestSizeClaim: a file that claims to be enormous costs nothing.
func TestSizeClaim(t *testing.T) {
	data := pad(head(1, 0, info("t", gguf.F32, 0, 1<<30)), 32)
	got := allocated(func() {
		if _, err := gguf.Read(bytes.NewReader(data), 1<<40); !errors.Is(err, gguf.ErrTruncated) {
			t.Error(err)
		}
	})
	if got > 1<<18 {
		t.Errorf("%d bytes", got)
	}
	// The head itself: arrays that would need a gigabyte, or more than there can be.
	for _, count := range []uint64{1 << 30, 1 << 61} {
		claim := head(0, 1, name("k"), int(gguf.Array), int(gguf.Uint8), count)
		if _, err := gguf.Read(holes(claim), 1<<62); !errors.Is(err, gguf.ErrCorrupt) {
			t.Error(err)
		}
	}
	// A hole as an array of empty strings: each would have to be walked over.
	strings := head(0, 1, name("k"), int(gguf.Array), int(gguf.String), uint64(1<<27))
	if _, err := gguf.Read(holes(strings), 1<<62); !errors.Is(err, gguf.ErrCorrupt) {
		t.Error(err)
	}
	claim := pad(head(0, 1, name("k"), int(gguf.Array), int(gguf.Uint8), uint64(1<<27)), 1<<16)
	if got := allocated(func() {
		if _, err := gguf.Read(bytes.NewReader(claim), 1<<62); !errors.Is(err, gguf.ErrTruncated) {
			t.Error(err)
		}
	}); got > 1<<18 {
		t.Errorf("%d bytes", got)
	}
	if _, err := gguf.Read(bytes.NewReader(claim), -1); !errors.Is(err, gguf.ErrTruncated) {
		t.Error(err)
	}
}
