// This file checks the functions of the contract package.

package kv_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

func TestPrefixEnd(t *testing.T) {
	tests := []struct{ prefix, want string }{
		{"a", "b"},
		{"ab", "ac"},
		{"a\xff", "b"},
		{"a\xff\xff", "b"},
		{"\x00", "\x01"},
		{"\xfe", "\xff"},
	}
	for _, test := range tests {
		prefix := []byte(test.prefix)
		if got := kv.PrefixEnd(prefix); string(got) != test.want {
			t.Errorf("PrefixEnd(%q) = %q, want %q", test.prefix, got, test.want)
		}
		if string(prefix) != test.prefix {
			t.Errorf("PrefixEnd changed its argument to %q", prefix)
		}
	}
	for _, prefix := range []string{"", "\xff", "\xff\xff"} {
		if got := kv.PrefixEnd([]byte(prefix)); got != nil {
			t.Errorf("PrefixEnd(%q) = %q, want nil", prefix, got)
		}
	}
}

func TestGetCopy(t *testing.T) {
	s := memkv.New()
	defer s.Close()
	b := s.NewBatch()
	b.Set([]byte("k"), []byte("value"))
	if err := s.Commit(b, kv.Sync); err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 2, 100)
	got, err := kv.GetCopy(s, dst, []byte("k"))
	if err != nil || string(got) != "value" || &got[0] != &dst[0] {
		t.Errorf("got %q, %v; the buffer was not reused", got, err)
	}
	if got, err := kv.GetCopy(s, dst, []byte("none")); !errors.Is(err, kv.ErrNotFound) || got != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func Example() {
	var s kv.Store = memkv.New()
	defer s.Close()
	b := s.NewBatch()
	b.Set([]byte("fruit/apple"), []byte("red"))
	b.Set([]byte("fruit/banana"), []byte("yellow"))
	b.Set([]byte("tree/ash"), []byte("tall"))
	if err := s.Commit(b, kv.Sync); err != nil {
		fmt.Println(err)
		return
	}
	prefix := []byte("fruit/")
	it, err := s.Iter(prefix, kv.PrefixEnd(prefix))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s is %s\n", bytes.TrimPrefix(it.Key(), prefix), value)
	}
	// Output:
	// apple is red
	// banana is yellow
}
