// What a caller sees: two lists, one ranking, and where each place comes from.

package fusion_test

import (
	"fmt"

	"github.com/contextforge-go/contextforge/fusion"
)

func ExampleFuse() {
	lexical := fusion.List[string]{{ID: "deploy log", Score: 8.1}, {ID: "port note", Score: 4.2}}
	semantic := fusion.List[string]{{ID: "port note", Score: 0.71}, {ID: "old chat", Score: 0.33}}
	for _, c := range fusion.Fuse(fusion.Hybrid(0.3), lexical, semantic) {
		fmt.Printf("%.3f %s: rank %d of the text search, %d of the vectors\n", c.Score, c.ID, c.Legs[0].Rank, c.Legs[1].Rank)
	}
	// Output:
	// 0.856 port note: rank 2 of the text search, 1 of the vectors
	// 0.544 old chat: rank 0 of the text search, 2 of the vectors
	// 0.300 deploy log: rank 1 of the text search, 0 of the vectors
}
