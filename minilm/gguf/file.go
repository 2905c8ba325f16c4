package gguf

// This file decides what a file is once it was read, and where its bytes come
// from.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"
)

// maxHead is far above what vocabularies and settings take, some 10 MB; more would
// be an attempt to exhaust memory or time with a file that mostly consists of
// holes.
const maxHead = 256 << 20

// File is what a model file holds. Nothing in it may be changed.
type File struct {
	Version   uint32
	Alignment uint64   // of tensor data, in bytes
	DataStart uint64   // where the data section begins in the file
	Size      uint64   // length of the file, in bytes
	Pairs     []Pair   // in file order
	Tensors   []Tensor // in file order

	keys, names map[string]int // indexes into Pairs and Tensors
	data        []byte         // the whole file after Parse
	reader      io.ReaderAt    // the file after Read
}

// Pair is a key with its value.
type Pair struct {
	Key   string
	Value Value
}

// Tensor says where a tensor is and what it looks like.
type Tensor struct {
	Name   string
	Dims   []uint64 // as stored: that of neighbouring elements first, {in, out} for a matrix
	Type   Type
	Offset uint64 // from the start of the data section, in bytes
	Size   uint64 // in bytes
}

// Elements returns the number of elements.
func (t *Tensor) Elements() uint64 {
	n := uint64(1)
	for _, d := range t.Dims {
		n *= d
	}
	return n
}

// Parse reads a whole file held in memory. Names, strings and tensor data are
// views into data, which must stay unchanged. The errors are ErrNotGGUF,
// ErrVersion, ErrTruncated, ErrCorrupt and ErrUnsupportedType.
func Parse(data []byte) (*File, error) {
	text := shared(data)
	end, err := headEnd(cursor{text: text, size: uint64(len(data))})
	if err != nil {
		return nil, err
	}
	f, err := parseHead(text[:end], uint64(len(data)))
	if err != nil {
		return nil, err
	}
	f.data = data
	return f, nil
}

// Read reads the head of the file behind r; tensor data is read when it is asked
// for. Size is the file's length in bytes; when the file turns out to be shorter,
// that is ErrTruncated. The other errors are those of Parse and of r.
func Read(r io.ReaderAt, size int64) (*File, error) {
	if size < 0 {
		return nil, fmt.Errorf("%w: its length is %d", ErrTruncated, size)
	}
	if size > 0 { // so that memory is taken for bytes that are there alone
		if err := readAt(r, make([]byte, 1), uint64(size-1)); err != nil {
			return nil, err
		}
	}
	end, err := headEnd(cursor{reader: r, size: uint64(size)})
	if err != nil {
		return nil, err
	}
	head := make([]byte, end)
	if err := readAt(r, head, 0); err != nil {
		return nil, err
	}
	f, err := parseHead(shared(head), uint64(size))
	if err != nil {
		return nil, err
	}
	f.reader = r
	return f, nil
}

// headEnd walks a head without keeping it and returns where it ends.
func headEnd(c cursor) (uint64, error) {
	if _, err := c.head(); err != nil {
		return 0, err
	}
	return c.pos, nil
}

// shared returns bytes as a string in the same memory. It holds as long as nobody
// changes them, which the caller of Parse promised; those that Read reads nobody
// else knows. The string has the length of the slice, so that slicing it is checked.
func shared(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// parseHead reads a head, from the file's first byte to the end of the last
// tensor's description.
func parseHead(head string, size uint64) (*File, error) {
	c := cursor{text: head, size: uint64(len(head)), keep: true}
	f, err := c.head()
	if err != nil {
		return nil, err
	}
	f.Size = size
	if err := f.index(); err != nil {
		return nil, err
	}
	if err := f.arrange(c.pos); err != nil {
		return nil, err
	}
	return f, nil
}

// Tensor returns the tensor of a name, in constant time.
func (f *File) Tensor(name string) (*Tensor, bool) {
	i, ok := f.names[name]
	if !ok {
		return nil, false
	}
	return &f.Tensors[i], true
}

// Data returns the bytes of a tensor of this file, which must not be changed: a
// view after Parse, freshly read after Read. The errors are ErrTruncated and those
// of the reader.
func (f *File) Data(t *Tensor) ([]byte, error) {
	if room := f.Size - min(f.Size, f.DataStart); t.Size > room || t.Offset > room-t.Size || t.Size > math.MaxInt {
		return nil, fmt.Errorf("%w: tensor %q: %d bytes at %d of the data", ErrTruncated, t.Name, t.Size, t.Offset)
	}
	start, end := f.DataStart+t.Offset, f.DataStart+t.Offset+t.Size
	if f.reader == nil {
		return f.data[start:end:end], nil
	}
	data := make([]byte, t.Size)
	if err := readAt(f.reader, data, start); err != nil {
		return nil, fmt.Errorf("gguf: tensor %q: %w", t.Name, err)
	}
	return data, nil
}

// readAt fills p with the bytes from an offset on.
func readAt(r io.ReaderAt, p []byte, offset uint64) error {
	n, err := r.ReadAt(p, int64(offset)) // fits, since files have lengths of type int64
	switch {
	case n == len(p):
		return nil
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %d bytes at byte %d, of which there are %d", ErrTruncated, len(p), offset, n)
	}
	return fmt.Errorf("gguf: reading %d bytes at byte %d: %w", len(p), offset, err)
}
