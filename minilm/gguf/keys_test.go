package gguf_test

// This file tests what values the getters take, and what they say of others.

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

func TestGetters(t *testing.T) {
	f := parse(t, encode(t, odd(t)))
	is := func(got any, err error) func(want any) {
		return func(want any) {
			t.Helper()
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
		}
	}
	for key, want := range map[string]uint64{"uint8": 200, "uint16": 60000, "uint32": 4000000000, "uint64": 1<<64 - 1} {
		got, err := f.Uint("odd." + key)
		is(got, err)(want)
	}
	is(f.Float("odd.float32"))(float64(float32(1e-12)))
	is(f.Float("odd.float64"))(0.1)
	is(f.Bool("odd.true"))(true)
	is(f.Bool("odd.false"))(false)
	is(f.String("odd.empty"))("")
	is(f.String("general.architecture"))("odd")
	is(f.Strings("odd.strings"))([]string{"one", "", "three\x07"})
	is(f.Strings("odd.no_strings"))([]string{})
	is(f.Ints("odd.bytes"))([]int64{0, 1, 255})
	is(f.Ints("odd.shorts"))([]int64{-1, 0, 1})
	is(f.Ints("odd.ints"))([]int64{5, -4, 3, -2, 1, 0, 1, -2, 3, -4, 5, -6})
	is(f.Ints("odd.nothing"))([]int64{})
	is(f.Floats("odd.floats"))([]float64{0.5, -0.25})
	is(f.Floats("odd.doubles"))([]float64{0.1, 1e300})
}

func TestGettersFail(t *testing.T) {
	f := parse(t, encode(t, odd(t)))
	getters := map[string]func(string) error{
		"Uint":    func(key string) error { _, err := f.Uint(key); return err },
		"Float":   func(key string) error { _, err := f.Float(key); return err },
		"Bool":    func(key string) error { _, err := f.Bool(key); return err },
		"String":  func(key string) error { _, err := f.String(key); return err },
		"Strings": func(key string) error { _, err := f.Strings(key); return err },
		"Ints":    func(key string) error { _, err := f.Ints(key); return err },
		"Floats":  func(key string) error { _, err := f.Floats(key); return err },
	}
	fits := map[string]string{
		"Uint": "uint8 uint16 uint32 uint64", "Float": "float32 float64", "Bool": "true false", "String": "empty string long",
		"Strings": "strings no_strings", "Ints": "bytes shorts ints nothing", "Floats": "floats doubles",
	}
	for name, get := range getters {
		if err := get("odd.nosuch"); !errors.Is(err, gguf.ErrMissing) || errors.Is(err, gguf.ErrWrongType) || err.Error() != `gguf: missing key "odd.nosuch"` {
			t.Errorf("%s: %v", name, err)
		}
		for _, p := range f.Pairs {
			key, ok := strings.CutPrefix(p.Key, "odd.")
			if !ok || strings.ContainsRune(key, '\x1b') {
				continue
			}
			wanted := strings.Contains(" "+fits[name]+" ", " "+key+" ")
			if err := get(p.Key); (err == nil) != wanted || err != nil && (!errors.Is(err, gguf.ErrWrongType) || !strings.Contains(err.Error(), fmt.Sprintf("%q", p.Key))) {
				t.Errorf("%s of %s: %v", name, key, err)
			}
		}
	}
	for key, want := range map[string]string{
		"odd.int8":    `gguf: value of another type: key "odd.int8" is int8 -100, not an integer from 0 on`,
		"odd.strings": `gguf: value of another type: key "odd.strings" is string[3], not an integer from 0 on`,
	} {
		if _, err := f.Uint(key); fmt.Sprint(err) != want {
			t.Error(err)
		}
	}
	if _, err := f.Ints("odd.longs"); fmt.Sprint(err) != `gguf: value of another type: key "odd.longs" is uint64[2], not an array of integers` {
		t.Error(err)
	}
}

// TestSignedAsUnsigned: a signed integer will do where it isn't negative.
func TestSignedAsUnsigned(t *testing.T) {
	for _, c := range []struct {
		t     gguf.ValueType
		bytes string
	}{
		{gguf.Int8, "\x07"}, {gguf.Int16, "\x07\x00"}, {gguf.Int32, "\x07\x00\x00\x00"}, {gguf.Int64, "\x07\x00\x00\x00\x00\x00\x00\x00"},
		{gguf.Uint8, "\x07"}, {gguf.Uint16, "\x07\x00"}, {gguf.Uint32, "\x07\x00\x00\x00"}, {gguf.Uint64, "\x07\x00\x00\x00\x00\x00\x00\x00"},
	} {
		f := parse(t, head(0, 1, name("k"), int(c.t), c.bytes))
		if n, err := f.Uint("k"); n != 7 || err != nil {
			t.Errorf("%s: %d, %v", c.t, n, err)
		}
		if v, _ := f.Value("k"); v.Bytes() != c.bytes || v.Kind() != c.t.String() || v.Len() != 1 || !reflect.DeepEqual(v.At(0), v) {
			t.Errorf("%s: %q", v.Kind(), v.Bytes())
		}
	}
}

// TestZeroValue: a value that was never read is no number and no text.
func TestZeroValue(t *testing.T) {
	var v gguf.Value
	_, isUint := v.Uint()
	_, isInt := v.Int()
	_, isFloat := v.Float()
	_, isBool := v.Bool()
	_, isText := v.Text()
	_, isStrings := v.Strings()
	if isUint || isInt || isFloat || isBool || isText || isStrings {
		t.Error(isUint, isInt, isFloat, isBool, isText, isStrings)
	}
	if got := gguf.ValueType(99).String(); got != "value type 99" {
		t.Error(got)
	}
	if got := (gguf.Value{Type: gguf.Array, Elem: gguf.ValueType(99)}).Kind(); got != "value type 99[0]" {
		t.Error(got)
	}
}
