package twins

// Looking a text up is what adding it would have said, and changes nothing.

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestHasIsWhatAddWouldSay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var set Set
	for i := range 2000 {
		text := ""
		for range 1 + rng.IntN(3) {
			text += fmt.Sprintf("word%d ", rng.IntN(8))
		}
		part := 0.5 + rng.Float64()/2
		has := set.Has(text, part)
		if again := set.Has(text, part); again != has {
			t.Fatalf("%d: asking changes the answer", i)
		}
		if added := set.Add(text, part); added == has {
			t.Fatalf("%d: has %v, added %v", i, has, added)
		}
	}
}
