// Scores and matches of many texts, as one number that is the same on every
// platform.

package lexicon

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestSameOnEveryPlatform(t *testing.T) {
	const want = "7137aa3ef23d11e0"
	sum := sha256.New()
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 390))
		list := []string{"confirmed", "ready", "a b", "é", "确认"}
		for range 12 {
			list = append(list, randomText(rng, 2))
		}
		s := scorerOf(list)
		for range 4 {
			item := Item{Content: randomText(rng, 30)}
			fmt.Fprintf(sum, "%q %x %+v\n", item.Content, math.Float64bits(s.Score(item, "")), s.Explain(item, ""))
		}
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != want {
		t.Errorf("the scores make %s, not %s", got, want)
	}
}
