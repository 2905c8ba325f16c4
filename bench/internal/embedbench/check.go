package embedbench

// This file decides what accepting a model means: agreement with recorded vectors
// and with people's judgement of similarity.

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
)

// CheckReport compares a model with recorded vectors.
type CheckReport struct {
	Model   string `json:"model"` // file name
	Pooling string `json:"pooling"`
	Kernels string `json:"kernels"`
	// Quantised are the model's vectors beside those of the unrounded weights, Float32
	// those of its numbers in float32 arithmetic.
	Quantised Agreement `json:"quantised"`
	Float32   Agreement `json:"float32"`
	// LargestDifference is that of any component between Float32's vectors and
	// recorded ones of the same rounded weights; -1 when none are recorded.
	LargestDifference float64 `json:"largest_difference"`
}

// Check embeds the texts of a reference file, without prefixes, and compares.
func Check(ctx context.Context, s Source, kernels, reference string) (*CheckReport, error) {
	m, err := s.load(kernels, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	list, err := readRecorded(reference, m.Dimension())
	if err != nil {
		return nil, err
	}
	texts := pick(list, func(r recorded) string { return r.Text })
	want := pick(list, func(r recorded) []float32 { return r.Embedding })
	vectors, err := embedAll(ctx, m, texts)
	if err != nil {
		return nil, err
	}
	r := &CheckReport{Model: s.Name(), Pooling: m.Pooling().String(), Kernels: m.Kernels(), Quantised: agreement(vectors, want), LargestDifference: -1}
	wide, err := s.widened(kernels, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	if vectors, err = embedAll(ctx, wide, texts); err != nil {
		return nil, err
	}
	r.Float32 = agreement(vectors, want)
	for i, line := range list {
		if line.OfQ8 != nil {
			r.LargestDifference = max(r.LargestDifference, largestDifference(vectors[i:i+1], [][]float32{line.OfQ8}))
		}
	}
	return r, nil
}

// Text renders the report.
func (r *CheckReport) Text() string {
	s := fmt.Sprintf("%s: %d texts as they are, pooling %s, kernels %s\n"+
		"  cosine to the unrounded model: mean %.6f, min %.6f\n"+
		"  the same weights in F32:       mean %.6f, min %.6f\n",
		r.Model, r.Quantised.Texts, r.Pooling, r.Kernels, r.Quantised.Mean, r.Quantised.Min, r.Float32.Mean, r.Float32.Min)
	if r.LargestDifference >= 0 {
		s += fmt.Sprintf("  the same weights in F32:       largest difference of a component to the recorded vectors of them %.2g\n", r.LargestDifference)
	}
	return s
}

// STSReport compares a model's cosines with people's judgement.
type STSReport struct {
	Model     string  `json:"model"`
	Kernels   string  `json:"kernels"`
	Pairs     int     `json:"pairs"`
	Quantised float64 `json:"quantised"` // Spearman's correlation x 100
	Float32   float64 `json:"float32"`   // of the same numbers in float32 arithmetic
}

// STS embeds pairs of texts with a score, JSON lines of "a", "b" and "score", and
// correlates the pairs' cosines with the scores (Cer et al. 2017, SemEval task 1).
func STS(ctx context.Context, s Source, kernels, pairs string) (*STSReport, error) {
	var texts []string
	var scores []float64
	err := eachLine(pairs, func(line []byte) error {
		var p struct {
			A, B  string
			Score *float64
		}
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		if p.Score == nil {
			return fmt.Errorf("a pair without a score")
		}
		texts, scores = append(texts, p.A, p.B), append(scores, *p.Score)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m, err := s.load(kernels, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	r := &STSReport{Model: s.Name(), Kernels: m.Kernels(), Pairs: len(scores)}
	vectors, err := embedAll(ctx, m, texts)
	if err != nil {
		return nil, err
	}
	r.Quantised = 100 * spearman(cosines(vectors), scores)
	if m, err = s.widened(kernels, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	if vectors, err = embedAll(ctx, m, texts); err != nil {
		return nil, err
	}
	r.Float32 = 100 * spearman(cosines(vectors), scores)
	return r, nil
}

// cosines returns those of the vectors 0 and 1, 2 and 3, and so on.
func cosines(vectors [][]float32) []float64 {
	var out []float64
	for i := 0; i+1 < len(vectors); i += 2 {
		out = append(out, cosine(vectors[i], vectors[i+1]))
	}
	return out
}

// Text renders the report.
func (r *STSReport) Text() string {
	return fmt.Sprintf("%s: %d pairs, Spearman x 100 of cosine and judgement: %.2f; the same weights in F32: %.2f; kernels %s\n",
		r.Model, r.Pairs, r.Quantised, r.Float32, r.Kernels)
}
