// Cosines of models on one scale: the formula, its limits, and what it is fed.

package fusion_test

import (
	"math"
	"testing"

	"github.com/contextforge-go/contextforge/fusion"
)

func TestCalibrate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name                       string
		cos, mean, deviation, want float64
	}{
		{"the mean", 0.78, 0.78, 0.02, 0.245},
		{"one deviation above", 0.75, 0.5, 0.25, 0.245 + 0.123},
		{"two below", 0, 0.5, 0.25, -0.0010000000000000009},
		{"bent above", 1, 0.5, 0.01, 1 - 0.01/(0.245+0.123*50-0.8)},
		{"clipped below", -1, 0.5, 0.01, -1},
		{"the scale's own", 0.7312345678912345, 0.245, 0.123, 0.7312345678912345},
		{"no deviation", 0.4, 0.4, 0, 0.4},
		{"negative deviation", 0.4, 0.3, -1, 0.4},
		{"unknown deviation", 0.4, 0.3, nan, 0.4},
		{"infinite deviation", 0.4, 0.3, inf, 0.4},
		{"unknown mean", 0.4, nan, 0.1, 0.4},
		{"infinite mean", 0.4, inf, 0.1, 0.4},
		{"tiny deviation", 0.4, 0.4, 5e-324, 0.245},
		{"quotient too big", 0.5, 0.4, 5e-324, 0.5},
	} {
		if got := fusion.Calibrate(test.cos, test.mean, test.deviation); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		c := fusion.Calibration{Mean: test.mean, Deviation: test.deviation}
		if got, want := c.Cosine(test.cos), fusion.Calibrate(test.cos, test.mean, test.deviation); got != want {
			t.Errorf("%s: Cosine gives %v, want %v", test.name, got, want)
		}
	}
}

func TestCalibrateKeepsTheOrder(t *testing.T) {
	last := math.Inf(-1)
	for cos := -1.0; cos <= 1; cos += 1.0 / 512 {
		x := fusion.Calibrate(cos, 0.78, 0.023)
		if x <= last && x > -1 || x < -1 || x > 1 {
			t.Fatalf("%v becomes %v, after %v", cos, x, last)
		}
		last = x
	}
}

func TestCalibrationOr(t *testing.T) {
	model, own := fusion.Calibration{Mean: 0.78, Deviation: 0.02}, fusion.Calibration{Mean: 0.7, Deviation: 0.03}
	for _, test := range []struct {
		name string
		n    int
		of   fusion.Calibration
		want fusion.Calibration
	}{
		{"enough", fusion.SurveyedFrom, own, own},
		{"too few", fusion.SurveyedFrom - 1, own, model},
		{"none", 0, fusion.Calibration{}, model},
		{"all the same", 500, fusion.Calibration{Mean: 0.7}, model},
		{"not finite", 500, fusion.Calibration{Mean: math.NaN(), Deviation: 1}, model},
		{"infinite", 500, fusion.Calibration{Mean: 0.5, Deviation: math.Inf(1)}, model},
	} {
		if got := model.Or(test.n, test.of.Mean, test.of.Deviation); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	if got := (fusion.Calibration{}).Or(3, 0.7, 0.03).Cosine(0.6); got != 0.6 {
		t.Errorf("nothing known: %v", got)
	}
}

func TestCalibrationOf(t *testing.T) {
	for _, test := range []struct {
		names []string
		mean  float64
	}{
		{[]string{"all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", "All MiniLM L6 v2"}, 0.245},
		{[]string{"e5-small-v2", "intfloat/e5-small-v2", "e5_small_v2-Q8_0.gguf"}, 0.781},
		{[]string{"bge-small-en-v1.5", "BAAI/bge-small-en-v1.5"}, 0.569},
		{[]string{"", "e5-base-v2", "multilingual-e5-small-v2", "bge-small-en"}, 0},
	} {
		for _, name := range test.names {
			if got := fusion.CalibrationOf(name); got.Mean != test.mean || (got.Deviation > 0) != (test.mean > 0) {
				t.Errorf("%q: %v", name, got)
			}
		}
	}
	for cos := -1.0; cos <= 1; cos += 0.0371 {
		if got := fusion.CalibrationOf("all-MiniLM-L6-v2").Cosine(cos); got != cos {
			t.Errorf("cosine %v of the usual model becomes %v", cos, got)
		}
	}
}
