package gguf

// This file decides how keys are looked up and what a caller learns when one is
// missing or has another type.

import "fmt"

// Value returns the value of a key, in constant time.
func (f *File) Value(key string) (Value, bool) {
	i, ok := f.keys[key]
	if !ok {
		return Value{}, false
	}
	return f.Pairs[i].Value, true
}

// Uint returns the value of a key that holds an integer of any width which isn't
// negative. The errors, which name the key, are ErrMissing and ErrWrongType.
func (f *File) Uint(key string) (uint64, error) {
	return get(f, key, "an integer from 0 on", Value.Uint)
}

// Float returns the value of a key that holds a floating-point number. The
// errors are those of Uint.
func (f *File) Float(key string) (float64, error) {
	return get(f, key, "a floating-point number", Value.Float)
}

// Bool returns the value of a key that holds a boolean. The errors are those of
// Uint.
func (f *File) Bool(key string) (bool, error) { return get(f, key, "a boolean", Value.Bool) }

// String returns the value of a key that holds a string. The errors are those of
// Uint.
func (f *File) String(key string) (string, error) { return get(f, key, "a string", Value.Text) }

// Strings returns the value of a key that holds an array of strings, which must
// not be changed. The errors are those of Uint.
func (f *File) Strings(key string) ([]string, error) {
	return get(f, key, "an array of strings", Value.Strings)
}

// Ints returns a copy of the value of a key that holds an array of integers of
// any width. The errors are those of Uint.
func (f *File) Ints(key string) ([]int64, error) {
	return get(f, key, "an array of integers", func(v Value) ([]int64, bool) { return elements(v, Value.Int) })
}

// Floats returns a copy of the value of a key that holds an array of
// floating-point numbers. The errors are those of Uint.
func (f *File) Floats(key string) ([]float64, error) {
	return get(f, key, "an array of floating-point numbers", func(v Value) ([]float64, bool) { return elements(v, Value.Float) })
}

func get[T any](f *File, key, wanted string, as func(Value) (T, bool)) (T, error) {
	var none T
	v, ok := f.Value(key)
	if !ok {
		return none, fmt.Errorf("%w %q", ErrMissing, key)
	}
	if value, ok := as(v); ok {
		return value, nil
	}
	return none, fmt.Errorf("%w: key %q is %s, not %s", ErrWrongType, key, v.shown(), wanted)
}

// shown returns the kind and, for an integer, the value, whose sign or size may
// be what is wrong with it.
func (v Value) shown() string {
	if n, ok := v.Int(); ok {
		return fmt.Sprintf("%s %d", v.Kind(), n)
	}
	return v.Kind()
}

// elements converts an array, unless an element can't be.
func elements[T any](v Value, as func(Value) (T, bool)) ([]T, bool) {
	if v.Type != Array || v.Elem == String || v.Elem == Array {
		return nil, false
	}
	if _, ok := as(Value{Type: v.Elem, raw: "\x00"}); !ok {
		return nil, false // of the wrong type, even when it is empty
	}
	out := make([]T, v.Len())
	for i := range out {
		var ok bool
		if out[i], ok = as(v.At(i)); !ok {
			return nil, false
		}
	}
	return out, true
}
