package gguf

// This file decides which heads make a sound file: names are unique, tensors
// lie aligned within the file and apart from each other.

import (
	"cmp"
	"fmt"
	"slices"
)

const (
	alignmentKey     = "general.alignment"
	defaultAlignment = 32
	maxAlignment     = 1 << 20
)

// index fills the maps from names to positions.
func (f *File) index() error {
	f.keys = make(map[string]int, len(f.Pairs))
	for i := range f.Pairs {
		key := f.Pairs[i].Key
		if _, ok := f.keys[key]; ok {
			return fmt.Errorf("%w: key %q is there twice", ErrCorrupt, key)
		}
		f.keys[key] = i
	}
	f.names = make(map[string]int, len(f.Tensors))
	for i := range f.Tensors {
		name := f.Tensors[i].Name
		if _, ok := f.names[name]; ok {
			return fmt.Errorf("%w: tensor %q is there twice", ErrCorrupt, name)
		}
		f.names[name] = i
	}
	return nil
}

// arrange finds the data section, which begins behind the head, and checks where
// in it the tensors lie.
func (f *File) arrange(headEnd uint64) error {
	f.Alignment = defaultAlignment
	if v, ok := f.Value(alignmentKey); ok {
		n, ok := v.Uint()
		if !ok || n == 0 || n > maxAlignment || n&(n-1) != 0 {
			return fmt.Errorf("%w: key %q is %s, want a power of two up to %d", ErrCorrupt, alignmentKey, v.shown(), maxAlignment)
		}
		f.Alignment = n
	}
	f.DataStart = (headEnd + f.Alignment - 1) &^ (f.Alignment - 1)
	room := f.Size - min(f.Size, f.DataStart)
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if t.Offset%f.Alignment != 0 {
			return fmt.Errorf("%w: tensor %q: offset %d isn't a multiple of %d", ErrCorrupt, t.Name, t.Offset, f.Alignment)
		}
		if t.Size > room || t.Offset > room-t.Size {
			return fmt.Errorf("%w: tensor %q: %d bytes at %d of the data, which has %d", ErrTruncated, t.Name, t.Size, t.Offset, room)
		}
	}
	return f.apart()
}

// apart checks that no two tensors share bytes.
func (f *File) apart() error {
	order := make([]*Tensor, len(f.Tensors))
	for i := range order {
		order[i] = &f.Tensors[i]
	}
	slices.SortStableFunc(order, func(a, b *Tensor) int { return cmp.Compare(a.Offset, b.Offset) })
	for i, t := range order[min(1, len(order)):] {
		if before := order[i]; before.Offset+before.Size > t.Offset {
			return fmt.Errorf("%w: tensors %q and %q overlap at %d of the data", ErrCorrupt, before.Name, t.Name, t.Offset)
		}
	}
	return nil
}
