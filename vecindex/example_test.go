// This file decides how the package is shown in use.

package vecindex_test

import (
	"context"
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/vecindex"
)

func Example() {
	store := memkv.New()
	defer store.Close()
	ix, err := vecindex.Open(store, vecindex.Options{Prefix: []byte("v")})
	if err != nil {
		panic(err)
	}

	// The caller's own keys go into the same batch.
	tx := ix.Begin()
	for num, vector := range [][]float32{{1, 0, 0}, {3, 4, 0}, {0, 0, 2}} {
		if err := tx.Add(vecindex.Doc{Num: uint64(num), Vectors: [][]float32{vector}}); err != nil {
			panic(err)
		}
	}
	batch := store.NewBatch()
	defer batch.Close()
	if err := tx.Apply(batch); err != nil {
		panic(err)
	}
	if err := store.Commit(batch, kv.Sync); err != nil {
		panic(err)
	}
	tx.Publish()

	view := ix.View()
	snapshot, err := store.Snapshot()
	if err != nil {
		panic(err)
	}
	defer snapshot.Close()
	hits, err := view.Search(context.Background(), snapshot, []float32{10, 0, 0}, vecindex.Filter{}, 2)
	if err != nil {
		panic(err)
	}
	for _, h := range hits {
		fmt.Printf("document %d: %.2f\n", h.Num, h.Score)
	}
	// Output:
	// document 0: 1.00
	// document 1: 0.60
}
