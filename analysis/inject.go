// This file decides how much memory a context is given, and of which kind, after
// it was compacted several times.

package analysis

import (
	"cmp"
	"math"
	"slices"
)

// ScaleConfig is how a budget grows with the compactions of a context.
type ScaleConfig struct {
	// Factor is the share of the budget that every compaction but the first adds;
	// 0 means 0.25, a negative number and NaN none.
	Factor float64
	// Cap is the greatest budget there may be; 0 and less mean any.
	Cap int
}

// ScaleBudget returns base · (1 + (compactions - 1) · Factor), rounded up, for two
// compactions and more, and base for fewer; never more than the cap. The more
// often a context was compacted, the more it has forgotten. A negative base is
// without limit and stays so, but for the cap.
func ScaleBudget(base, compactions int, cfg ScaleConfig) int {
	factor := cfg.Factor
	if factor == 0 {
		factor = 0.25
	}
	budget := base
	if compactions > 1 && factor > 0 && base > 0 {
		growth := 1 + float64(float64(compactions-1)*factor)
		scaled := math.Ceil(float64(float64(base) * growth))
		budget = math.MaxInt
		if scaled < math.MaxInt {
			budget = max(int(scaled), base)
		}
	}
	if cfg.Cap > 0 && (budget < 0 || budget > cfg.Cap) {
		return cfg.Cap
	}
	return budget
}

// AdjustWeights hands the four weights of the categories out anew, the greatest
// first: after two compactions to Reinforcing, Corrective, Stateful, Decisive,
// after more to Reinforcing, Stateful, Corrective, Decisive. What a context has
// forgotten several times is best told by what was confirmed most often. After
// fewer than two compactions nothing changes. Uncategorised and HalfLife never
// do.
func AdjustWeights(cfg ScoreConfig, compactions int) ScoreConfig {
	if compactions <= 1 {
		return cfg
	}
	full := cfg.resolved()
	weights := []float64{full.Corrective, full.Decisive, full.Stateful, full.Reinforcing}
	slices.SortFunc(weights, func(a, b float64) int { return cmp.Compare(b, a) })
	cfg.Reinforcing, cfg.Decisive = weights[0], weights[3]
	cfg.Corrective, cfg.Stateful = weights[1], weights[2]
	if compactions > 2 {
		cfg.Corrective, cfg.Stateful = weights[2], weights[1]
	}
	return cfg
}
