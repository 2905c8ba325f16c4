// How the prices are fitted, and a cross-validation that shows what they are
// worth on texts they were not fitted to.

package budget

import (
	"hash/fnv"
	"math"
	"testing"
)

// sample is a text as the fit sees it: how often each class occurs in it.
type sample struct {
	counted
	uses   [classes]float64
	weight float64
}

// samples counts the classes of each text; the estimate is linear in the prices,
// so a price list that is 1 for one class and 0 for all others counts it. Prose
// and code weigh more than odd strings.
func samples(texts []counted) []sample {
	sizes := map[string]int{}
	for _, c := range texts {
		sizes[c.Category]++
	}
	out := make([]sample, len(texts))
	for i, c := range texts {
		out[i] = sample{counted: c, weight: 2 / math.Sqrt(20+float64(sizes[c.Category]))}
		switch c.Category {
		case "english", "generated", "code", "":
			out[i].weight *= 3
		case "long_word", "control", "punct", "combining":
			out[i].weight *= 0.4
		case "fuzz":
			out[i].weight *= 0.5
		}
		if c.larger() < 3 {
			out[i].weight *= 0.3
		}
		for class := range classes {
			var one [classes]int
			one[class] = 1
			out[i].uses[class] = float64(price(c.Text, &one))
		}
	}
	return out
}

// loss is the weighted squared relative error: more below zero than above, and
// much more below -14 %. The 0.4 stands for the rounding up.
func loss(samples []sample, prices *[classes]float64) float64 {
	sum := 0.0
	for _, s := range samples {
		tokens := 0.4
		for class, n := range s.uses {
			tokens += n * prices[class] / priceUnit
		}
		e := tokens/float64(s.larger()) - 1
		l := e*e + 3*math.Pow(max(0, e-0.3), 2)
		if e < 0 {
			l = 2.5*e*e + 30*math.Pow(max(0, -e-0.14), 2)
		}
		sum += s.weight * min(l, 3)
	}
	for class, p := range prices {
		d := (p - start(class)) / start(class)
		sum += 0.02 * d * d
	}
	return sum
}

// start is where the descent begins, knowing nothing but that one letter more is
// not one token more and that a rune costs about a token for each byte after the
// first.
func start(class int) float64 {
	switch class {
	case letters6to9, letters10to16, lettersBeyond, capitals, foreignLetter, glued, punctLine:
		return 12
	case punctInWord, punctRepeated, punctOther, blankBeforeOther:
		return 32
	case rare3, emoji:
		return 2 * priceUnit
	case rare4:
		return 3 * priceUnit
	}
	return priceUnit
}

// fit minimises the loss by coordinate descent.
func fit(samples []sample) [classes]float64 {
	var prices [classes]float64
	for class := range classes {
		prices[class] = start(class)
	}
	best := loss(samples, &prices)
	for step := 16.0; step >= 1; step /= 2 {
		for improved := true; improved; {
			improved = false
			for class := range classes {
				for _, change := range []float64{step, -step} {
					changed := prices
					changed[class] = max(0, prices[class]+change)
					if l := loss(samples, &changed); l < best-1e-9 {
						best, prices, improved = l, changed, true
					}
				}
			}
		}
	}
	return prices
}

// Five folds by a hash of the id: the prices fitted to four are applied to the
// fifth.
func TestCrossValidation(t *testing.T) {
	const folds = 5
	texts := append(load(t, "counts.jsonl"), load(t, "languages.jsonl")...)
	fold := func(c counted) int {
		h := fnv.New32a()
		h.Write([]byte(c.ID))
		return int(h.Sum32() % folds)
	}
	estimates := map[string]int{}
	for f := range folds {
		var kept []counted
		for _, c := range texts {
			if fold(c) != f {
				kept = append(kept, c)
			}
		}
		var fitted [classes]int
		for class, p := range fit(samples(kept)) {
			fitted[class] = int(math.Round(p))
		}
		if *printFit {
			t.Logf("fold %d: %v", f, fitted)
		}
		for _, c := range texts {
			if fold(c) == f {
				estimates[c.Text] = (price(c.Text, &fitted) + priceUnit - 1) / priceUnit
			}
		}
	}
	held := summarise(texts, CounterFunc(func(text string) int { return estimates[text] }))
	low := 0
	for name, s := range held {
		low += s.low
		if *printFit {
			t.Logf("%-12s %3d texts: mean |error| %4.1f %%, total %+5.1f %%, %2d low, %2d high", name, s.texts, 100*s.meanAbs, 100*s.total, s.low, s.high)
		}
	}
	t.Logf("%d of %d texts held out are more than 20 %% too low; mean |error| English %.1f %%, code %.1f %%",
		low, len(texts), 100*held["english"].meanAbs, 100*held["code"].meanAbs)
	if low > 60 || held["english"].meanAbs > 0.12 || held["code"].meanAbs > 0.12 {
		t.Errorf("the prices don't carry over to other texts: %d too low", low)
	}
}
