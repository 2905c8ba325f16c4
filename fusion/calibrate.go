package fusion

// This file decides how cosines of any embedding model are brought to one scale.

import "strings"

// Scores of all-MiniLM-L6-v2, for which Hybrid's weight was found: mean and
// deviation of a question's cosines to the turns of one conversation, LoCoMo.
const (
	usualMean      = 0.245
	usualDeviation = 0.123
	// bendAt is where calibrated cosines begin to bend towards 1.
	bendAt = 0.9
)

// SurveyedFrom is how many documents' scores it takes to tell their mean and
// deviation; of fewer, Calibration.Or takes the model's.
const SurveyedFrom = 100

// Calibration is the mean and the standard deviation of the cosines between a
// query and the documents of its scope, most of which don't answer it. The zero
// value is that of a model of which nothing is known.
type Calibration struct{ Mean, Deviation float64 }

// Calibrate brings a cosine to the scale on which the default weights were found:
// 0.245 + 0.123·(cos - mean)/deviation, not below -1. What is above 0.9 of that, x, becomes
// 1 - 0.1²/(x - 0.8), which never passes 1, so that the order of the most similar stays. Models differ in
// how narrow the band of their cosines is, and an average of theirs and other
// scores would mean something else for each. The
// cosine is returned as it is when the deviation isn't positive or something
// not finite, and when mean and deviation are those of that scale already.
func Calibrate(cos, mean, deviation float64) float64 {
	if mean == usualMean && deviation == usualDeviation || !(deviation > 0) || !finite(deviation) {
		return cos
	}
	x := usualMean + float64(usualDeviation*((cos-mean)/deviation))
	if !finite(x) {
		return cos
	}
	if over := x - bendAt; over > 0 {
		x = 1 - float64((1-bendAt)*(1-bendAt))/((1-bendAt)+over)
	}
	return max(x, -1)
}

// Cosine is Calibrate with this mean and deviation.
func (c Calibration) Cosine(cos float64) float64 { return Calibrate(cos, c.Mean, c.Deviation) }

// Or returns the calibration of a query of which n documents' cosines are known by
// mean and deviation: these, if n is at least SurveyedFrom and they are of use, else
// those of the model.
func (c Calibration) Or(n int, mean, deviation float64) Calibration {
	if n >= SurveyedFrom && finite(mean) && finite(deviation) && deviation > 0 {
		return Calibration{mean, deviation}
	}
	return c
}

// CalibrationOf returns what is known of a model, by its name in any spelling, or
// the zero value: the means over LoCoMo, SciFact, Cranfield and CISI of the means
// and deviations of their questions. That of all-MiniLM-L6-v2 leaves cosines
// as they are.
func CalibrationOf(model string) Calibration {
	name := strings.NewReplacer("_", "-", " ", "-", ".", "-").Replace(strings.ToLower(model))
	switch {
	case strings.Contains(name, "all-minilm-l6-v2"):
		return Calibration{usualMean, usualDeviation}
	case strings.Contains(name, "multilingual"):
		return Calibration{}
	case strings.Contains(name, "e5-small-v2"):
		return Calibration{0.781, 0.0233}
	case strings.Contains(name, "bge-small-en-v1-5"):
		return Calibration{0.569, 0.0543}
	}
	return Calibration{}
}
