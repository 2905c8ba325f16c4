// This file measures the store in memory and in a folder.

package memkv

import (
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/kvtest"
)

func BenchmarkMemory(b *testing.B) {
	kvtest.Bench(b, func(*testing.B) kv.Store { return New() })
}

func BenchmarkFolder(b *testing.B) {
	kvtest.Bench(b, func(b *testing.B) kv.Store { return openDir(b, b.TempDir()) })
}
