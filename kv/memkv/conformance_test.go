// This file runs the conformance suite on both kinds of memkv store.

package memkv

import (
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/kvtest"
)

func openDir(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformanceInMemory(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{
		Open:    func(*testing.T) kv.Store { return New() },
		OpenDir: func(t *testing.T, dir string) kv.Store { return openDir(t, dir) },
	})
}

func TestConformanceFolder(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store { return openDir(t, t.TempDir()) },
		Reopen: func(t *testing.T, s kv.Store) kv.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return openDir(t, s.(*Store).folder.dir)
		},
		OpenDir: func(t *testing.T, dir string) kv.Store { return openDir(t, dir) },
	})
}
