package gguf

// This file decides how the value of a key is kept and read.

import (
	"fmt"
	"math"
)

// ValueType is the type of a key's value, as numbered in the file.
type ValueType uint32

// The types of values.
const (
	Uint8   ValueType = 0
	Int8    ValueType = 1
	Uint16  ValueType = 2
	Int16   ValueType = 3
	Uint32  ValueType = 4
	Int32   ValueType = 5
	Float32 ValueType = 6
	Bool    ValueType = 7
	String  ValueType = 8
	Array   ValueType = 9
	Uint64  ValueType = 10
	Int64   ValueType = 11
	Float64 ValueType = 12
)

// valueTypes gives every type its name and, if all its values have the same
// length, that in bytes.
var valueTypes = [...]struct {
	name  string
	width uint64
}{
	Uint8: {"uint8", 1}, Int8: {"int8", 1}, Uint16: {"uint16", 2}, Int16: {"int16", 2}, Uint32: {"uint32", 4}, Int32: {"int32", 4},
	Uint64: {"uint64", 8}, Int64: {"int64", 8}, Float32: {"float32", 4}, Float64: {"float64", 8}, Bool: {"bool", 1},
	String: {"string", 0}, Array: {"array", 0},
}

// width returns the length of every value of the type, 0 if they differ.
func (t ValueType) width() uint64 {
	if uint64(t) < uint64(len(valueTypes)) {
		return valueTypes[t].width
	}
	return 0
}

// String returns the type's name, such as "uint32".
func (t ValueType) String() string {
	if uint64(t) < uint64(len(valueTypes)) {
		return valueTypes[t].name
	}
	return fmt.Sprintf("value type %d", uint32(t))
}

// Value is the value of a key. The zero Value is nothing: no method takes it for a
// number, a string or a list.
type Value struct {
	Type ValueType
	Elem ValueType // type of the elements of an Array

	raw    string // bytes of a number, of a string, of all elements of an array of numbers
	list   []string
	nested []Value
}

// Kind describes the type in words, such as "uint32" or "string[30522]".
func (v Value) Kind() string {
	if v.Type != Array {
		return v.Type.String()
	}
	return fmt.Sprintf("%s[%d]", v.Elem, v.Len())
}

// Len returns the number of elements of an array, and 1 for all else.
func (v Value) Len() int {
	switch {
	case v.Type != Array:
		return 1
	case v.Elem == String:
		return len(v.list)
	case v.Elem == Array:
		return len(v.nested)
	}
	return len(v.raw) / int(max(1, v.Elem.width()))
}

// At returns element i of an array, and v itself when it isn't one. It panics when
// i isn't in [0, Len), as a slice does.
func (v Value) At(i int) Value {
	switch {
	case v.Type != Array:
		return v
	case v.Elem == String:
		return Value{Type: String, raw: v.list[i]}
	case v.Elem == Array:
		return v.nested[i]
	}
	width := int(v.Elem.width())
	return Value{Type: v.Elem, raw: v.raw[i*width : (i+1)*width]}
}

// Uint returns an integer of any width that isn't negative.
func (v Value) Uint() (uint64, bool) {
	switch v.Type {
	case Uint8, Uint16, Uint32, Uint64:
		return number(v.raw), len(v.raw) > 0
	}
	n, ok := v.Int()
	return uint64(n), ok && n >= 0
}

// Int returns an integer of any width that fits.
func (v Value) Int() (int64, bool) {
	n := number(v.raw)
	switch v.Type {
	case Uint8, Uint16, Uint32, Uint64:
		return int64(n), len(v.raw) > 0 && n <= math.MaxInt64
	case Int8:
		return int64(int8(n)), true
	case Int16:
		return int64(int16(n)), true
	case Int32:
		return int64(int32(n)), true
	case Int64:
		return int64(n), true
	}
	return 0, false
}

// Float returns a floating-point number of either width.
func (v Value) Float() (float64, bool) {
	switch v.Type {
	case Float32:
		return float64(math.Float32frombits(uint32(number(v.raw)))), true
	case Float64:
		return math.Float64frombits(number(v.raw)), true
	}
	return 0, false
}

// Bool returns a boolean.
func (v Value) Bool() (value, ok bool) { return number(v.raw) == 1, v.Type == Bool }

// Text returns a string. It may hold any bytes.
func (v Value) Text() (string, bool) {
	if v.Type != String {
		return "", false
	}
	return v.raw, true
}

// Strings returns an array of strings, which must not be changed.
func (v Value) Strings() ([]string, bool) { return v.list, v.Type == Array && v.Elem == String }

// Bytes returns a number, or all elements of an array of numbers, as stored in the
// file: little-endian. A string is returned as it is.
func (v Value) Bytes() string { return v.raw }

// number reads a little-endian number of up to 8 bytes, or the first 8 of more.
func number(s string) (n uint64) {
	if len(s) >= 8 { // the lengths of all strings: one load
		return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	}
	for i := len(s) - 1; i >= 0; i-- {
		n = n<<8 | uint64(s[i])
	}
	return n
}
