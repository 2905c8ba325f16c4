package contextforge

// This file decides what a cosine counts for: that of each model as much as one of the
// model for which the default ranking was found.

import (
	"context"

	"github.com/contextforge-go/contextforge/fusion"
)

// calibrate chooses the calibration of a query's cosines: that of the embedder's model,
// or one to be told by the cosines themselves.
func (q *query) calibrate(e Embedder) {
	if e == nil || !q.ranking.Calibrate {
		return
	}
	q.calibration = fusion.CalibrationOf(e.Name())
	q.calibrating = q.calibration == fusion.Calibration{}
}

// similarTo searches by a vector, and completes the calibration.
func (q *query) similarTo(ctx context.Context, src source, vector []float32, pool int) ([]found, error) {
	if !q.calibrating {
		return src.similar(ctx, vector, q.filter, pool)
	}
	list, d, err := src.survey(ctx, vector, q.filter, pool)
	if err != nil {
		return nil, err
	}
	q.calibration = fusion.Calibration{}.Or(d.N, d.Mean, d.Deviation)
	return list, nil
}

// alike is what the cosine of a candidate counts for.
func (q *query) alike(c *candidate) float64 {
	return q.calibration.Cosine(c.legs[semanticLeg].Score)
}
