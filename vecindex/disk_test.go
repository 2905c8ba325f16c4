// This file decides which store on disk the tests use, where there is one.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package vecindex

import (
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

// openDisk opens a store in a new folder, nil on platforms without one.
func openDisk(t testing.TB) kv.Store {
	t.Helper()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}
