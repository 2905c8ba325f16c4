// The reference's curve beside one with a floor.

package decay_test

import (
	"fmt"
	"time"

	"github.com/contextforge-go/contextforge/decay"
)

func ExampleCurve() {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	reference, floored := decay.Curve{}, decay.Curve{HalfLife: 30 * 24 * time.Hour, Floor: 0.9}
	for _, days := range []int{0, 3, 30, 240} {
		age := decay.Between(now.AddDate(0, 0, -days), now)
		fmt.Printf("%3d days: %.6f %.4f\n", days, reference.Weight(age), floored.Weight(age))
	}
	// Output:
	//   0 days: 1.000000 1.0000
	//   3 days: 0.500000 0.9933
	//  30 days: 0.000977 0.9500
	// 240 days: 0.000000 0.9004
}
