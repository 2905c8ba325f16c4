package gguf_test

// This file tests that what was written is what is read, from memory and through
// a reader, that odd readers are borne, and what the getters say.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

// plain returns a value as the Go value that it was written from.
func plain(v gguf.Value) any {
	switch v.Type {
	case gguf.Uint8:
		return plainUint[uint8](v)
	case gguf.Uint16:
		return plainUint[uint16](v)
	case gguf.Uint32:
		return plainUint[uint32](v)
	case gguf.Uint64:
		return plainUint[uint64](v)
	case gguf.Int8:
		return plainInt[int8](v)
	case gguf.Int16:
		return plainInt[int16](v)
	case gguf.Int32:
		return plainInt[int32](v)
	case gguf.Int64:
		return plainInt[int64](v)
	case gguf.Float32:
		x, _ := v.Float()
		return float32(x)
	case gguf.Float64:
		x, _ := v.Float()
		return x
	case gguf.Bool:
		b, _ := v.Bool()
		return b
	case gguf.String:
		s, _ := v.Text()
		return s
	}
	out := []any{}
	for i := range v.Len() {
		out = append(out, plain(v.At(i)))
	}
	return out
}

func plainUint[T uint8 | uint16 | uint32 | uint64](v gguf.Value) any {
	n, _ := v.Uint()
	return T(n)
}

func plainInt[T int8 | int16 | int32 | int64](v gguf.Value) any {
	n, _ := v.Int()
	return T(n)
}

// list turns typed slices into []any, as plain returns them.
func list(value any) any {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Slice {
		return v.Interface()
	}
	out := []any{}
	for i := range v.Len() {
		out = append(out, list(v.Index(i).Interface()))
	}
	return out
}

// holdsWritten compares a file with what it was written from.
func holdsWritten(t *testing.T, f *gguf.File, w ggufwrite.File) {
	t.Helper()
	if len(f.Pairs) != len(w.Pairs) || len(f.Tensors) != len(w.Tensors) {
		t.Fatalf("%d keys, %d tensors", len(f.Pairs), len(f.Tensors))
	}
	for i, p := range w.Pairs {
		got, ok := f.Value(p.Key)
		if !ok || f.Pairs[i].Key != p.Key || !reflect.DeepEqual(plain(got), list(p.Value)) || !reflect.DeepEqual(got, f.Pairs[i].Value) {
			t.Errorf("key %q is %v, want %v", f.Pairs[i].Key, plain(got), p.Value)
		}
	}
	for i, want := range w.Tensors {
		got, ok := f.Tensor(want.Name)
		if !ok || got != &f.Tensors[i] || got.Name != want.Name || !slices.Equal(got.Dims, want.Dims) || got.Type != want.Type {
			t.Fatalf("tensor %d is %+v", i, f.Tensors[i])
		}
		data, err := f.Data(got)
		if err != nil || !bytes.Equal(data, want.Data) || got.Size != uint64(len(data)) {
			t.Errorf("tensor %q has %d bytes, want %d: %v", got.Name, len(data), len(want.Data), err)
		}
		if (f.DataStart+got.Offset)%f.Alignment != 0 {
			t.Errorf("tensor %q lies at %d of the file", got.Name, f.DataStart+got.Offset)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, w := range []ggufwrite.File{odd(t), bert(t), {}, {Version: 2}} {
		data := encode(t, w)
		before := slices.Clone(data)
		f := parse(t, data)
		holdsWritten(t, f, w)
		r, err := gguf.Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		holdsWritten(t, r, w)
		if f.Version != max(w.Version, 3) && f.Version != w.Version || f.Size != uint64(len(data)) || f.Alignment != max(32, w.Alignment) {
			t.Errorf("version %d, size %d, alignment %d", f.Version, f.Size, f.Alignment)
		}
		same(t, f, r)
		if !bytes.Equal(before, data) {
			t.Error("reading changed the file")
		}
	}
}

// same compares a file that was parsed with the same file read.
func same(t testing.TB, f, r *gguf.File) {
	t.Helper()
	sameHead(t, f, r)
	for i := range f.Tensors {
		a, errA := f.Data(&f.Tensors[i])
		b, errB := r.Data(&r.Tensors[i])
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("data of %q: %v, %v", f.Tensors[i].Name, errA, errB)
		}
	}
}

func sameHead(t testing.TB, f, r *gguf.File) {
	t.Helper()
	if f.Version != r.Version || f.Size != r.Size || f.Alignment != r.Alignment || f.DataStart != r.DataStart {
		t.Errorf("%d, %d, %d, %d, want %d, %d, %d, %d", r.Version, r.Size, r.Alignment, r.DataStart, f.Version, f.Size, f.Alignment, f.DataStart)
	}
	if !reflect.DeepEqual(f.Pairs, r.Pairs) || !reflect.DeepEqual(f.Tensors, r.Tensors) {
		t.Error("keys or tensors differ")
	}
}

// TestGaps: tensors may lie in any order with room between them.
func TestGaps(t *testing.T) {
	file := pad(head(3, 0, info("c", gguf.F32, 128, 2, 2), info("a", gguf.F16, 0, 3), info("b", gguf.Type(24), 64, 7)), 0)
	start := len(file)
	file = append(file, make([]byte, 200)...)
	file[start], file[start+64], file[start+128] = 1, 2, 3
	f := parse(t, file)
	for i, want := range []struct {
		first byte
		size  int
	}{{3, 16}, {1, 6}, {2, 7}} {
		data, err := f.Data(&f.Tensors[i])
		if err != nil || len(data) != want.size || cap(data) != want.size || data[0] != want.first {
			t.Errorf("%s: %v, %v", f.Tensors[i].Name, data, err)
		}
	}
	if _, ok := f.Tensor("d"); ok {
		t.Error("there is no d")
	}
}

// TestRandomFiles writes files at random and compares them with what they were
// written from; then it damages them.
func TestRandomFiles(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	rng := rand.New(rand.NewPCG(5, 26))
	for range rounds {
		w := randomFile(t, rng)
		data := encode(t, w)
		f := parse(t, data)
		holdsWritten(t, f, w)
		again, err := ggufwrite.Reencode(f, gguf.Q8_0)
		if err != nil {
			t.Fatal(err)
		}
		if len(parse(t, again).Tensors) != len(f.Tensors) {
			t.Error("tensors were lost")
		}
		for range 30 {
			agree(t, damaged(rng, data))
		}
	}
}

func randomFile(t *testing.T, rng *rand.Rand) (w ggufwrite.File) {
	w.Version = 2 + rng.Uint32N(2)
	w.Alignment = 1 << rng.IntN(9)
	w.Pairs = []ggufwrite.Pair{{Key: "general.alignment", Value: w.Alignment}}
	values := odd(t).Pairs
	for i := range rng.IntN(20) {
		value := values[rng.IntN(len(values))].Value
		w.Pairs = append(w.Pairs, ggufwrite.Pair{Key: fmt.Sprintf("k%d.%s", i, strings.Repeat("x", rng.IntN(30))), Value: value})
	}
	for i := range rng.IntN(12) {
		kind := writable()[rng.IntN(len(writable()))]
		dims := []uint64{32 * (1 + rng.Uint64N(3)), 1 + rng.Uint64N(4), 1 + rng.Uint64N(2), 1}
		w.Tensors = append(w.Tensors, tensor(t, fmt.Sprintf("t%d", i), kind, dims[:1+rng.IntN(4)]...))
	}
	return w
}

// damaged returns a copy with a few bytes changed, mostly in the head.
func damaged(rng *rand.Rand, data []byte) []byte {
	out := slices.Clone(data)
	for range 1 + rng.IntN(4) {
		i := rng.IntN(len(out))
		if rng.IntN(4) > 0 {
			i = rng.IntN(min(len(out), 400))
		}
		out[i] = byte(rng.IntN(256)) >> rng.IntN(8)
	}
	return out
}

// agree parses and reads what may be anything, and compares.
func agree(t testing.TB, data []byte) *gguf.File {
	t.Helper()
	f, err := gguf.Parse(data)
	r, errRead := gguf.Read(bytes.NewReader(data), int64(len(data)))
	switch {
	case (err == nil) != (errRead == nil):
		t.Fatalf("Parse: %v, Read: %v", err, errRead)
	case err != nil && (!sentinel(err) || err.Error() != errRead.Error()):
		t.Fatalf("Parse: %v, Read: %v", err, errRead)
	case err == nil:
		same(t, f, r)
	}
	return f
}

// fault is a reader that does something wrong from a byte on.
type fault struct {
	io.ReaderAt
	from int64
	n    int
	err  error
}

func (r fault) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) <= r.from {
		return r.ReaderAt.ReadAt(p, offset)
	}
	return min(r.n, len(p)), r.err
}

func TestFaultyReaders(t *testing.T) {
	data := encode(t, bert(t))
	size := int64(len(data))
	f := parse(t, data)
	broken := errors.New("the disk is broken")
	inside := int64(f.DataStart + f.Tensors[2].Offset)
	sound := bytes.NewReader(data)
	for _, c := range []struct {
		label string
		r     io.ReaderAt
		size  int64
		want  error // of Read
	}{
		{"broken at once", fault{sound, 0, 0, broken}, size, broken},
		{"broken at the last byte", fault{sound, size - 1, 0, broken}, size, broken},
		{"ends early", bytes.NewReader(data[:inside]), size, gguf.ErrTruncated},
		{"ends in the head", bytes.NewReader(data[:100]), size, gguf.ErrTruncated},
		{"gives less without a reason", fault{sound, 0, 10, nil}, size, gguf.ErrTruncated},
		{"gives less, unexpected end", fault{sound, 0, 10, io.ErrUnexpectedEOF}, size, gguf.ErrTruncated},
		{"empty", bytes.NewReader(nil), 0, gguf.ErrNotGGUF},
		{"empty, but longer by word", bytes.NewReader(nil), 1000, gguf.ErrTruncated},
		{"size too large", sound, size + 1, gguf.ErrTruncated},
		{"size too small", sound, inside, gguf.ErrTruncated},
		{"size too small for the head", sound, 60, gguf.ErrTruncated},
		{"size negative", sound, -5, gguf.ErrTruncated},
	} {
		got, err := gguf.Read(c.r, c.size)
		if got != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.label, err, c.want)
		}
	}
}

// TestDataFails: tensors that aren't of the file, and a file that breaks later.
func TestDataFails(t *testing.T) {
	data := encode(t, bert(t))
	f := parse(t, data)
	for _, tensor := range []gguf.Tensor{
		{Name: "x", Offset: 0, Size: 1 << 40},
		{Name: "x", Offset: 1 << 63, Size: 1 << 63},
		{Name: "x", Offset: ^uint64(0), Size: 2},
		{Name: "x", Offset: uint64(len(data)), Size: 1},
	} {
		if _, err := f.Data(&tensor); !errors.Is(err, gguf.ErrTruncated) || !strings.Contains(err.Error(), `tensor "x"`) {
			t.Errorf("%+v: %v", tensor, err)
		}
	}
	broken := errors.New("the disk is broken")
	r := &fault{bytes.NewReader(data), int64(len(data)), 0, broken}
	f, err := gguf.Read(r, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	r.from = 0
	if _, err := f.Data(&f.Tensors[0]); !errors.Is(err, broken) || !strings.Contains(err.Error(), `tensor "token_embd.weight"`) {
		t.Error(err)
	}
	empty := parse(t, head(0, 0))
	if _, err := empty.Data(&gguf.Tensor{Size: 1}); !errors.Is(err, gguf.ErrTruncated) {
		t.Error(err)
	}
}

func TestConcurrentUse(t *testing.T) {
	data := encode(t, odd(t))
	r, err := gguf.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { holdsWritten(t, r, odd(t)) })
	}
	group.Wait()
}
