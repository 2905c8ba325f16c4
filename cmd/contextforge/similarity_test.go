//go:build !contextforge_noweights

package main

// This file tests similarities of texts beyond the model's limit.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
)

func TestSimilarityOfWindows(t *testing.T) {
	r := newRig(t)
	const asked = "a place that protects otters"
	long := strings.Repeat("The committee adjourned and the minutes were filed. ", 150) + "We visited the otter sanctuary."
	m := builtIn(t, minilm.Config{})
	query, err := m.EmbedQuery(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	windows, err := m.EmbedWindows(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	best := float32(-1)
	for _, w := range windows {
		best = max(best, minilm.Similarity(query, w.Vector))
	}
	notes := fmt.Sprintf("contextforge: text %%c is beyond the model's limit of 256 tokens: the best of its %d windows counts\n", len(windows))
	for _, c := range []struct {
		args, notes, want string
	}{
		{asked + "|-", fmt.Sprintf(notes, 'B'), fmt.Sprintf("%.4f\n", best)},
		{"-|" + asked, fmt.Sprintf(notes, 'A'), fmt.Sprintf("%.4f\n", best)},
		{asked + "|-|--json", fmt.Sprintf(notes, 'B'), fmt.Sprintf("{\"similarity\":%v}\n", best)},
		{long + "|-", fmt.Sprintf(notes, 'A') + fmt.Sprintf(notes, 'B'), "1.0000\n"},
	} {
		o := r.run(long+"\n", append([]string{"similarity"}, strings.Split(c.args, "|")...)...)
		if o.code != exitOK || o.out != c.want || o.err != c.notes {
			t.Errorf("%.40q: exit %d, %q, %q", c.args, o.code, o.out, o.err)
		}
	}
}

func TestBestSimilarity(t *testing.T) {
	of := func(vectors ...[]float32) (windows []minilm.Window) {
		for _, v := range vectors {
			windows = append(windows, minilm.Window{Vector: v})
		}
		return windows
	}
	x, y, z := []float32{1, 0}, []float32{0, 1}, []float32{0.6, 0.8}
	for _, c := range []struct {
		a, b []minilm.Window
		want float32
	}{
		{of(x), of(x), 1},
		{of(x), of(y), 0},
		{of(x), of([]float32{-1, 0}), -1},
		{of(x, y), of(z), 0.8},
		{of(x), of(y, z), 0.6},
		{of([]float32{1.0000001, 0}), of(x), 1},
	} {
		if got, err := bestSimilarity(t.Context(), c.a, c.b); got != c.want || err != nil {
			t.Errorf("%v, %v: %v, %v", c.a, c.b, got, err)
		}
	}
	if _, err := bestSimilarity(cancelled(), of(x), of(x)); err == nil {
		t.Error("a cancelled run goes on")
	}
}
