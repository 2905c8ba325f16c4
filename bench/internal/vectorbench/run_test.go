//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// These tests decide that a run measures all that was asked for, checks its answers,
// and leaves nothing behind. No time that is measured matters.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/kv/pebblekv"
	"github.com/contextforge-go/contextforge/vecindex"
)

func tiny(t *testing.T) Options {
	return Options{
		Sizes: []int{30, 400}, Dim: 16, Threads: []int{1, 2}, Scopes: 10, Top: 20, Rounds: 2, Slot: time.Millisecond,
		Dir: t.TempDir(), Progress: io.Discard,
	}
}

func TestRun(t *testing.T) {
	o := tiny(t)
	o.Peers, o.Python = Peers(), python(t)
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sizes) != 2 || len(r.Engines) != 2 {
		t.Fatalf("%+v", r)
	}
	peers := 0
	if o.Python != "" {
		peers = 2
	}
	for _, s := range r.Sizes {
		if s.Added <= 0 || s.Disk <= 0 || s.Resident <= 0 || s.Checked != checked || len(s.First) != 2 || len(s.Timings) != 11+peers || len(s.Agreements) != peers {
			t.Errorf("%+v", s)
		}
		for _, a := range s.Agreements {
			if a.Found != a.Of || a.Of != checked*20 {
				t.Errorf("%+v", a)
			}
		}
		for _, x := range s.Timings {
			compared := x.Engine == ownName && x.What == WhatAll
			if x.P50 <= 0 || x.P99 < x.P50 || compared && len(x.Ratios) != peers || !compared && len(x.Ratios) > 0 {
				t.Errorf("%+v", x)
			}
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(text, &again); err != nil || again.Text() != r.Text() {
		t.Errorf("%v:\n%s", err, again.Text())
	}
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if strings.Contains(r.Text(), o.Dir) {
		t.Errorf("the result names a folder:\n%s", r.Text())
	}
}

func TestRunWithoutPeers(t *testing.T) {
	o := tiny(t)
	o.Sizes, o.Peers, o.Python = o.Sizes[:1], Peers(), standIn(t, "absent")
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Engines) != 2 || !strings.Contains(r.Text(), "faiss-cpu: not measured: faiss-cpu: ModuleNotFoundError") {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestRunFails(t *testing.T) {
	o := tiny(t)
	o.Sizes, o.Peers, o.Python = o.Sizes[:1], Peers(), standIn(t, "failing")
	if r, err := Run(t.Context(), o); err == nil {
		t.Errorf("with a broken peer: %+v", r)
	}
	o = tiny(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	o.Dir = filepath.Join(o.Dir, "nowhere")
	if _, err := Run(t.Context(), o); err == nil {
		t.Error("in a folder that isn't there")
	}
}

// TestWrongAnswer: a run ends when an answer isn't that of the scan.
func TestWrongAnswer(t *testing.T) {
	dir := t.TempDir()
	s := NewSource(seed, 100, 16, 10)
	if _, err := build(t.Context(), dir, s); err != nil {
		t.Fatal(err)
	}
	store, err := pebblekv.Open(dir, pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	o, err := open(store, options(1, -1))
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	b := &bench{Options: Options{Top: 5}, source: s}
	for j := range checked {
		b.queries = append(b.queries, s.Query(j))
	}
	if err := b.check(t.Context(), []*opened{o}); err != nil {
		t.Error(err)
	}
	b.queries[2] = s.Query(3)
	if err := b.check(t.Context(), []*opened{o}); err == nil || !strings.Contains(err.Error(), "question 2: ") {
		t.Error(err)
	}
	hits, err := o.search(t.Context(), s.Query(0), vecindex.Filter{}, -1)
	if err != nil || len(hits) != 100 {
		t.Errorf("%d of 100 vectors, %v", len(hits), err)
	}
}

func TestReport(t *testing.T) {
	r := &Report{Title: "Exact", Kernels: "some", Dim: 3, Top: 2, Scopes: 4, Rounds: 5, Sizes: []Size{{
		Vectors: 10, Added: 1234.4, Disk: 20480, Resident: 4200, First: []First{{1, 2.5, 0.125}}, Cosines: [3]float64{0.9, 0.8, 0.7}, Checked: 4,
		Agreements: []Agreement{{"numpy", 7, 8}},
		Timings: []Timing{
			{What: WhatAll, Engine: ownName, Threads: 1, CPU: 1, P50: 2, P99: 3, Ratios: []Ratio{{"numpy", 0.5}}},
			{What: WhatAll, Engine: "numpy", Threads: 1, CPU: 2, P50: 4, P99: 6},
		},
	}}}
	r.about("numpy", "1\n2")
	r.about("numpy", "3")
	text := r.Text()
	for _, want := range []string{
		"Exact, the best 2 of vectors of 3 numbers, 4 scopes, kernels some\n",
		"\nnumpy: 1 2\n",
		"added: 1234 a second; on disk: 2048 bytes each; in memory: 420 bytes each\n",
		"first search after opening, 1 thread(s): 0.125 ms, opening the store before: 2.50 ms\n",
		"cosines of the best, the middle and the last: 0.90 0.80 0.70\n",
		"numpy finds 7 of 8 of these\n",
		"all vectors  vecindex        1  1.00  2.00  3.00       0.5\n",
		"all vectors     numpy        1  2.00  4.00  6.00\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if slices.Contains(strings.Split(text, "\n"), "numpy: 3") {
		t.Error("an engine is told of twice")
	}
}
