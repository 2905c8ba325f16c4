// The result of the whole pipeline, to the bit: the same on every platform.

package analysis

import (
	"crypto/sha256"
	"fmt"
	"math"
	"testing"
)

func TestGoldenSegments(t *testing.T) {
	segments, err := collect(Analyze(t.Context(), sampleSessions(20_000, 8), Config{Compactions: 3}))
	if err != nil || len(segments) == 0 {
		t.Fatalf("%d segments, %v", len(segments), err)
	}
	h := sha256.New()
	for _, s := range segments {
		fmt.Fprintf(h, "%q %q %q %q %q %d %d %d\n", s.Text, s.Categories, s.Terms, s.EntryID, s.SessionID, s.SessionFrequency, s.Timestamp.UnixNano(), s.Tokens)
		for _, x := range []float64{s.Importance, s.Recurrence, s.CategoryWeight, s.Recency} {
			fmt.Fprintf(h, "%016x\n", math.Float64bits(x))
		}
	}
	const want = "41 c6dddb8c5906ab097402e74c5719511266fdca2e335c4a8b568730c5de673dff"
	if got := fmt.Sprintf("%d %x", len(segments), h.Sum(nil)); got != want {
		t.Errorf("segments and digest are %s, want %s", got, want)
	}
}
