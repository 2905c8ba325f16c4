package gguf

// This file decides how the head is walked: every count and length is checked
// against what is left of the file before anything depends on it.

import (
	"fmt"
	"io"
	"unicode/utf8"
)

const (
	maxDims   = 4
	maxName   = 1<<16 - 1 // bytes of a key or a tensor's name
	maxNested = 8         // arrays in arrays
	window    = 1 << 16   // bytes read at a time, at least maxName

	// The fewest bytes that each of these takes.
	minString = 8
	minArray  = 4 + 8
	minPair   = minString + 4 + 1
	minTensor = minString + 4 + 8 + 4 + 8
)

// cursor walks a head. With keep it returns what it finds, all of it in text;
// without, it only learns where the head ends, and takes no memory but for one window.
type cursor struct {
	text      string // bytes at hand: all there are, or a window of the reader
	base      uint64 // where in the file text begins
	reader    io.ReaderAt
	buffer    []byte // of the window
	pos, size uint64 // the next byte, and where the bytes end
	keep      bool

	// What is being read, for messages.
	kind  string
	place uint64
	name  string
}

// fail returns an error that says what was being read where.
func (c *cursor) fail(cause error, format string, args ...any) error {
	where := "the file's first bytes"
	switch {
	case c.name != "":
		where = fmt.Sprintf("%s %q", c.kind, c.name)
	case c.kind != "":
		where = fmt.Sprintf("%s number %d", c.kind, c.place+1)
	}
	return fmt.Errorf("%w: %s, at byte %d: %s", cause, where, c.pos, fmt.Sprintf(format, args...))
}

// left returns how many bytes follow.
func (c *cursor) left() uint64 { return c.size - c.pos }

// need checks that count elements of at least each bytes can follow, and belong
// to a head of sensible length.
func (c *cursor) need(count, each uint64, what string) error {
	if count <= c.left()/each {
		if count <= maxHead/each && c.pos+count*each <= maxHead {
			return nil
		}
		return c.fail(ErrCorrupt, "%d %s make a head of more than %d bytes", count, what, maxHead)
	}
	return c.fail(ErrTruncated, "%d %s, but only %d bytes are left", count, what, c.left())
}

// take returns the next n bytes; without keep at most a window of them.
func (c *cursor) take(n uint64) (string, error) {
	if err := c.need(n, 1, "bytes"); err != nil {
		return "", err
	}
	if c.pos+n > c.base+uint64(len(c.text)) {
		if err := c.fill(); err != nil {
			return "", err
		}
	}
	start := c.pos - c.base
	c.pos += n
	return c.text[start : start+n], nil
}

// fill reads the window that begins at the next byte.
func (c *cursor) fill() error {
	if c.buffer == nil {
		c.buffer = make([]byte, min(window, c.left()))
	}
	bytes := c.buffer[:min(uint64(len(c.buffer)), c.left())]
	if err := readAt(c.reader, bytes, c.pos); err != nil {
		return err
	}
	c.text, c.base = string(bytes), c.pos
	return nil
}

// pass takes n bytes if they are to be kept, and otherwise goes on behind them.
func (c *cursor) pass(n uint64) (string, error) {
	if c.keep {
		return c.take(n)
	}
	if err := c.need(n, 1, "bytes"); err != nil {
		return "", err
	}
	c.pos += n
	return "", nil
}

// number reads an unsigned integer of some bytes.
func (c *cursor) number(width uint64) (uint64, error) {
	s, err := c.take(width)
	return number(s), err
}

// string reads a string of any length.
func (c *cursor) string() (string, error) {
	n, err := c.number(8)
	if err != nil {
		return "", err
	}
	return c.pass(n)
}

// identifier reads the name of the next key or tensor.
func (c *cursor) identifier(kind string, place uint64) (string, error) {
	c.kind, c.place, c.name = kind, place, ""
	n, err := c.number(8)
	if err != nil {
		return "", err
	}
	if n > maxName {
		return "", c.fail(ErrCorrupt, "a name of %d bytes", n)
	}
	name, err := c.take(n)
	if err != nil {
		return "", err
	}
	c.name = name
	if !utf8.ValidString(name) {
		return "", c.fail(ErrCorrupt, "the name isn't UTF-8")
	}
	return name, nil
}

// head walks the whole head.
func (c *cursor) head() (*File, error) {
	f := &File{}
	tensors, pairs, err := c.prologue(f)
	if err != nil {
		return nil, err
	}
	if c.keep {
		f.Pairs, f.Tensors = make([]Pair, pairs), make([]Tensor, tensors)
	}
	for i := range pairs {
		p, err := c.pair(i)
		if err != nil {
			return nil, err
		}
		if c.keep {
			f.Pairs[i] = p
		}
	}
	dims := make([]uint64, 0, maxDims*len(f.Tensors))
	for i := range tensors {
		t, err := c.tensor(i, &dims)
		if err != nil {
			return nil, err
		}
		if c.keep {
			f.Tensors[i] = t
		}
	}
	return f, nil
}

// prologue reads what precedes the pairs.
func (c *cursor) prologue(f *File) (tensors, pairs uint64, err error) {
	if c.left() < 4 {
		return 0, 0, fmt.Errorf("%w: it has %d bytes", ErrNotGGUF, c.left())
	}
	magic, err := c.take(4)
	if err != nil {
		return 0, 0, err
	}
	if magic != "GGUF" {
		return 0, 0, fmt.Errorf("%w: it begins with %q", ErrNotGGUF, magic)
	}
	version, err := c.number(4)
	switch {
	case err != nil:
		return 0, 0, err
	case version != 0 && version&0xFFFF == 0:
		return 0, 0, fmt.Errorf("%w: the file is in big-endian byte order", ErrVersion)
	case version != 2 && version != 3:
		return 0, 0, fmt.Errorf("%w %d, want 2 or 3", ErrVersion, version)
	}
	f.Version = uint32(version)
	if tensors, err = c.count(minTensor, "tensors"); err != nil {
		return 0, 0, err
	}
	pairs, err = c.count(minPair, "keys")
	return tensors, pairs, err
}

// count reads how many elements follow, of at least each bytes.
func (c *cursor) count(each uint64, what string) (uint64, error) {
	n, err := c.number(8)
	if err != nil {
		return 0, err
	}
	return n, c.need(n, each, what)
}

func (c *cursor) pair(i uint64) (Pair, error) {
	key, err := c.identifier("key", i)
	if err != nil {
		return Pair{}, err
	}
	t, err := c.number(4)
	if err != nil {
		return Pair{}, err
	}
	v, err := c.value(ValueType(t), 0)
	return Pair{key, v}, err
}

// value reads a value that lies in depth arrays.
func (c *cursor) value(t ValueType, depth int) (v Value, err error) {
	v.Type = t
	switch width := t.width(); {
	case width > 0:
		if v.raw, err = c.pass(width); err == nil {
			err = c.booleans(t, v.raw)
		}
	case t == String:
		v.raw, err = c.string()
	case t == Array:
		err = c.array(&v, depth)
	default:
		err = c.fail(ErrCorrupt, "there is no %s", t)
	}
	return v, err
}

// booleans checks that bytes of type Bool are 0 or 1.
func (c *cursor) booleans(t ValueType, raw string) error {
	for i := 0; t == Bool && i < len(raw); i++ {
		if raw[i] > 1 {
			return c.fail(ErrCorrupt, "a boolean is %d", raw[i])
		}
	}
	return nil
}

func (c *cursor) array(v *Value, depth int) error {
	elem, err := c.number(4)
	if err != nil {
		return err
	}
	v.Elem = ValueType(elem)
	switch width := v.Elem.width(); {
	case width > 0:
		n, err := c.count(width, "elements")
		if err != nil {
			return err
		}
		if v.raw, err = c.pass(n * width); err != nil {
			return err
		}
		return c.booleans(v.Elem, v.raw)
	case v.Elem == String:
		v.list, err = elementsOf(c, minString, c.string)
	case v.Elem == Array && depth+1 < maxNested:
		v.nested, err = elementsOf(c, minArray, func() (Value, error) { return c.value(Array, depth+1) })
	case v.Elem == Array:
		return c.fail(ErrCorrupt, "arrays are nested deeper than %d", maxNested)
	default:
		return c.fail(ErrCorrupt, "there is no %s", v.Elem)
	}
	return err
}

// elementsOf reads a count and as many elements, which have at least each bytes.
func elementsOf[T any](c *cursor, each uint64, next func() (T, error)) (list []T, err error) {
	n, err := c.count(each, "elements")
	if err != nil {
		return nil, err
	}
	if c.keep {
		list = make([]T, n)
	}
	for i := range n {
		element, err := next()
		if err != nil {
			return nil, err
		}
		if c.keep {
			list[i] = element
		}
	}
	return list, nil
}

// tensor reads a tensor's description; its dimensions go into the spare room of
// dims, which all tensors share.
func (c *cursor) tensor(i uint64, dims *[]uint64) (t Tensor, err error) {
	if t.Name, err = c.identifier("tensor", i); err != nil {
		return t, err
	}
	n, err := c.number(4)
	if err != nil {
		return t, err
	}
	if n == 0 || n > maxDims {
		return t, c.fail(ErrCorrupt, "%d dimensions, want 1 to %d", n, maxDims)
	}
	numbers, err := c.take(8*n + 4 + 8)
	if err != nil || !c.keep {
		return t, err
	}
	first := len(*dims)
	for ; n > 0; n-- {
		*dims = append(*dims, number(numbers))
		numbers = numbers[8:]
	}
	t.Dims = (*dims)[first:len(*dims):len(*dims)]
	t.Type, t.Offset = Type(number(numbers[:4])), number(numbers[4:])
	if t.Size, err = t.Type.Size(t.Dims); err != nil {
		return t, fmt.Errorf("gguf: tensor %q: %w", t.Name, err)
	}
	return t, nil
}
