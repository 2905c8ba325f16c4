// This file runs the conformance suite on disk and in memory, for both
// tunings.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/kvtest"
)

// openStore opens dir and fails the test if that fails.
func openStore(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustClose(t testing.TB, s kv.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestConformanceDisk(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store { return openStore(t, t.TempDir(), Options{}) },
		Reopen: func(t *testing.T, s kv.Store) kv.Store {
			mustClose(t, s)
			return openStore(t, s.(*Store).dir, Options{})
		},
		OpenDir: func(t *testing.T, dir string) kv.Store { return openStore(t, dir, Options{}) },
	})
}

func TestConformanceMemorySmall(t *testing.T) {
	fs := vfs.NewMem()
	o := Options{FS: fs, SmallDevice: true}
	var n atomic.Int64
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store { return openStore(t, fmt.Sprintf("/stores/%d", n.Add(1)), o) },
		Reopen: func(t *testing.T, s kv.Store) kv.Store {
			mustClose(t, s)
			return openStore(t, s.(*Store).dir, o)
		},
		OpenDir: func(t *testing.T, dir string) kv.Store { return openStore(t, dir, o) },
		Dir:     func(*testing.T) string { return fmt.Sprintf("/copies/%d", n.Add(1)) },
	})
}
