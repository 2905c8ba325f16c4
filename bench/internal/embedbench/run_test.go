package embedbench

// These tests decide what a run has measured at its end, and how that is printed.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

func small(progress *bytes.Buffer) Options {
	return Options{
		Source: builtIn(), Kernels: Kernels()[:1], Tokens: []int{8, 16}, Batches: []int{1, 2}, Threads: []int{1, 2},
		Rounds: 2, Slot: time.Millisecond, Slowest: time.Minute, Progress: progress,
	}
}

func TestRun(t *testing.T) {
	var progress bytes.Buffer
	o := small(&progress)
	o.Python = standIn(t, "well")
	o.Peers = []Peer{{"other", LlamaCpp, "model"}, {"absent", OnnxRuntime, ""}}
	o.Resident = func(context.Context) (Memory, error) { return Memory{HeapLoaded: 3e6, Kernels: "k"}, nil }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Speed) != 2*2*2*2 || len(r.Loading) != 1 || len(r.Accuracy) != 2 || len(r.Missing) != 1 || len(r.Versions) != 1 {
		t.Fatalf("%+v", r)
	}
	if a := r.Accuracy[0]; a.Engine != o.Kernels[0] || a.Texts < 100 || a.Mean < 0.999 {
		t.Errorf("%+v", a)
	}
	if k := r.Tokenizing; k.Texts < 400 || k.Tokens < k.Texts || k.MBPerSecond <= 0 {
		t.Errorf("%+v", k)
	}
	for _, s := range r.Speed {
		ours := s.Engine == o.Kernels[0]
		if s.Wall <= 0 || s.Rate <= 0 || s.Ids > s.CPU || ours != (len(s.Ratios) == 1) {
			t.Errorf("%+v", s)
		}
		// The stand-in says that a text takes a second.
		if !ours && (s.Wall != 1000 || s.CPU != 1000 || math.Abs(s.Rate-float64(s.Tokens)) > 1e-9) {
			t.Errorf("%+v", s)
		}
	}
	text := r.Text()
	for _, part := range []string{"heap of a process (k): 3.0 MB", "other: llama-cpp-python 1.2", "absent: not measured: no model file", "2 thread(s), 2 text(s)", "to other"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if !strings.Contains(progress.String(), "2 threads, 2 texts of 16 tokens") {
		t.Errorf("%s", progress.String())
	}
}

// TestRunRefusesAtOnce: lengths that the model doesn't take aren't found out after
// minutes.
func TestRunRefusesAtOnce(t *testing.T) {
	for _, tokens := range []int{1, 257, 600} {
		var progress bytes.Buffer
		o := small(&progress)
		o.Tokens = []int{8, tokens}
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "the model takes 2 to 256") || progress.Len() > 0 {
			t.Errorf("%d tokens: %v after %q", tokens, err, progress.String())
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"no model":   func(o *Options) { o.Source.File = filepath.Join(t.TempDir(), "m.gguf") },
		"no kernels": func(o *Options) { o.Kernels = []string{"abacus"} },
		"too long":   func(o *Options) { o.Tokens, o.Batches, o.Threads = []int{300}, []int{1}, []int{1} },
		"no memory": func(o *Options) {
			o.Resident = func(context.Context) (Memory, error) { return Memory{}, errors.New("none") }
		},
		"a failing peer": func(o *Options) { o.Python, o.Peers = standIn(t, "failing"), []Peer{{"p", LlamaCpp, "model"}} },
	} {
		t.Run(name, func(t *testing.T) {
			var progress bytes.Buffer
			o := small(&progress)
			change(&o)
			if _, err := Run(t.Context(), o); err == nil {
				t.Error("it is accepted")
			}
		})
	}
}

// fixed is an engine whose calls take a stated time, which differs from turn to
// turn.
type fixed struct {
	each  []time.Duration
	calls int
}

func (f *fixed) time(context.Context, sample, time.Duration, int) (timings, error) {
	d := f.each[f.calls%len(f.each)]
	f.calls++
	return timings{measure.Times{2 * d}, measure.Times{d}}, nil
}

func (f *fixed) embed(context.Context, sample) ([][]float32, error) { return nil, nil }
func (f *fixed) close() error                                       { return nil }

// TestCell checks medians, what is taken off, ratios and what is left out, with
// engines whose times are known.
func TestCell(t *testing.T) {
	m, err := builtIn().load("", 1)
	if err != nil {
		t.Fatal(err)
	}
	ms := func(values ...int) *fixed {
		f := new(fixed)
		for _, v := range values {
			f.each = append(f.each, time.Duration(v)*time.Millisecond)
		}
		return f
	}
	// The first time of each is that of the call which doesn't count.
	slow := ms(100)
	list := []*contender{
		{name: "ours", own: true, engine: ms(90, 11, 31, 21)},
		{name: "slow", own: true, engine: slow, rate: time.Hour},
		{name: "theirs", engine: ms(90, 20, 20, 50)},
		{name: tokenizing, engine: ms(90, 1, 1, 1)},
	}
	b := &bench{Options: Options{Rounds: 3, Slowest: time.Minute}, tok: m.Tokenize, report: &Report{LeftOut: 60}}
	if err := b.cell(t.Context(), list, 2, 8); err != nil {
		t.Fatal(err)
	}
	for threads := 1; threads <= 2; threads++ {
		b.report.Speed = nil
		b.report.add(threads, 2, 8, list)
		if len(b.report.Speed) != 3 {
			t.Fatalf("%+v", b.report.Speed)
		}
		ours, left, theirs := b.report.Speed[0], b.report.Speed[1], b.report.Speed[2]
		if ours.CPU != 10.5 || ours.Ids != 10 || ours.Wall != 21 || math.Abs(ours.Rate-8/0.021) > 1e-9 {
			t.Errorf("ours: %+v", ours)
		}
		// 10/20, 30/20 and 20/50, whatever the clock.
		if len(ours.Ratios) != 1 || ours.Ratios[0] != (Ratio{"theirs", 0.5}) {
			t.Errorf("ratios: %+v", ours.Ratios)
		}
		if !left.LeftOut || left.CPU != 0 || slow.calls != 0 || left.Ratios != nil {
			t.Errorf("slow: %+v, %d calls", left, slow.calls)
		}
		if theirs.CPU != 10 || theirs.Ids != 10 || theirs.Ratios != nil {
			t.Errorf("theirs: %+v", theirs)
		}
	}
}

func TestCellStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	m, err := builtIn().load("", 1)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Options: Options{Rounds: 3, Slowest: time.Minute}, tok: m.Tokenize, report: new(Report)}
	list := []*contender{{name: "ours", own: true, engine: &fixed{each: []time.Duration{time.Second}}}}
	if err := b.cell(ctx, list, 1, 8); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestText(t *testing.T) {
	r := &Report{
		Title: "Embedding", Model: "m.gguf", Machine: measure.Machine{CPU: "A", Cores: 2, OS: "os", Arch: "arch", Go: "go"}, Clock: "clock",
		Rounds: 3, LeftOut: 4, Missing: []Named{{"B", "not measured: no"}},
		Loading: []Loading{{"fast", 5, 6}}, Tokenizing: Tokenizing{2, 30, 10, 50},
		Accuracy: []Accuracy{{"fast", Agreement{7, 0.9995, 0.997}}},
		Speed: []Speed{
			{Engine: "fast", Threads: 1, Batch: 1, Tokens: 8, CPU: 1, Ids: 0.9, Wall: 1.5, Rate: 5333, Ratios: []Ratio{{"C", 0.25}}},
			{Engine: "C", Threads: 1, Batch: 1, Tokens: 8, CPU: 4, Ids: 4, Wall: 4, Rate: 2000},
			{Engine: "slow", Threads: 1, Batch: 1, Tokens: 32, LeftOut: true},
		},
	}
	want := `
load with fast: 5.0 ms CPU, 6.0 ms wall
tokenizer: 50.0 MB/s of processor time (2 texts, 30 bytes, 10 tokens)
cosine to the unrounded model, fast: mean 0.999500, min 0.997000 (7 texts)

1 thread(s), 1 text(s) in a call: ms per text
  tokens  engine       CPU  from ids  wall  tokens/s  to C
       8    fast      1.00       0.9  1.50      5333  0.25
       8       C      4.00      4.00  4.00      2000

      32    slow  over 4 s
`
	if got := r.Text(); !strings.HasSuffix(got, want) || !strings.Contains(got, "B: not measured: no\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"cpu_ms_from_ids":0.9`) || !strings.Contains(string(text), `"min":0.997`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestAppendOnce(t *testing.T) {
	list := appendOnce(appendOnce(nil, "a", "one\ntwo"), "a", "three")
	if len(list) != 1 || list[0] != (Named{"a", "one two"}) {
		t.Errorf("%+v", list)
	}
}

func TestMeasureMemory(t *testing.T) {
	m, err := MeasureMemory(t.Context(), builtIn(), Kernels()[0])
	if err != nil || m.HeapLoaded == 0 || m.HeapUsed == 0 || m.EmbeddingsOfText < 400 || m.Kernels != Kernels()[0] {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := MeasureMemory(t.Context(), builtIn(), "abacus"); err == nil {
		t.Error("unknown kernels are accepted")
	}
}

func BenchmarkText(b *testing.B) {
	r := &Report{Speed: make([]Speed, 100)}
	b.Run("100", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Text()
		}
	})
}
