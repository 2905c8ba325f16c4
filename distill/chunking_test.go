// Tests of chunked distilling: the rows, order, failures, cancellation.

package distill

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

// recorder is an inner distiller that keeps what it was given.
type recorder struct {
	mu    sync.Mutex
	calls []string
	f     func(call int, transcript string) (DistilledMemory, error)
}

func (r *recorder) Distill(_ context.Context, transcript string) (DistilledMemory, error) {
	r.mu.Lock()
	r.calls = append(r.calls, transcript)
	n := len(r.calls)
	r.mu.Unlock()
	return r.f(n, transcript)
}

// echo makes a memory of the first line.
func echo(_ int, transcript string) (DistilledMemory, error) {
	line, _, _ := strings.Cut(transcript, "\n")
	return DistilledMemory{"about " + line, []Fact{{State, line}}}, nil
}

const threeLines = "one one one\ntwo two two\nthree three\n"

func TestChunking(t *testing.T) {
	ctx := context.Background()
	fixed := DistilledMemory{"whole", []Fact{{Decision, strings.Repeat("d", 3000)}}}
	constant := func(int, string) (DistilledMemory, error) { return fixed, nil }
	merged := DistilledMemory{"about one one one\n\nabout two two two\n\nabout three three",
		[]Fact{{State, "one one one"}, {State, "two two two"}, {State, "three three"}}}
	const rendering = "Part 1 summary: about one one one\nFacts:\n- [State] one one one\n\n" +
		"Part 2 summary: about two two two\nFacts:\n- [State] two two two\n\n" +
		"Part 3 summary: about three three\nFacts:\n- [State] three three\n\n"
	tests := []struct {
		name  string
		f     func(int, string) (DistilledMemory, error)
		text  string
		max   int
		o     ChunkOptions
		calls []string
		want  DistilledMemory
	}{
		{"row 124: structural doesn't call for reducing", echo, threeLines, 12, ChunkOptions{}, strings.SplitAfter(threeLines, "\n")[:3], merged},
		{"row 127: a short transcript", constant, threeLines, 100, ChunkOptions{}, []string{threeLines}, fixed},
		{"row 127: without budget", constant, threeLines, 0, ChunkOptions{Reduce: LLM}, []string{threeLines}, fixed},
		{"row 128: an empty transcript", constant, "", 10, ChunkOptions{}, []string{""}, fixed},
		{"row 129: two chunks", echo, "one one one\ntwo two two\n", 12, ChunkOptions{}, []string{"one one one\n", "two two two\n"},
			DistilledMemory{"about one one one\n\nabout two two two", merged.Facts[:2]}},
		{"blank chunks aren't distilled", echo, "one\n\n\n\n\n\ntwo\n", 4, ChunkOptions{}, []string{"one\n", "two\n"},
			DistilledMemory{"about one\n\nabout two", []Fact{{State, "one"}, {State, "two"}}}},
		{"secrets go before the cap", func(int, string) (DistilledMemory, error) { return DistilledMemory{"a SECRET ", nil}, nil }, threeLines, 12,
			ChunkOptions{Scrub: func(s string) string { return strings.ReplaceAll(s, "SECRET", "***") }},
			strings.SplitAfter(threeLines, "\n")[:3], DistilledMemory{"a ***\n\na ***\n\na ***", nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inner := &recorder{f: tt.f}
			got, err := Chunking(inner, tt.max, tt.o).Distill(ctx, tt.text)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %v, %v\nwant %v", got, err, tt.want)
			}
			if !reflect.DeepEqual(inner.calls, tt.calls) {
				t.Errorf("calls %q\nwant  %q", inner.calls, tt.calls)
			}
		})
	}
	t.Run("row 126: LLM calls once more, and its answer is the result", func(t *testing.T) {
		lines := []string{"one one one", "two two two", "three three"}
		inner := &recorder{f: func(call int, text string) (DistilledMemory, error) {
			if call == 4 {
				return DistilledMemory{"final", []Fact{{Decision, "d"}}}, nil
			}
			return echo(call, lines[call-1])
		}}
		got, err := Chunking(inner, 300, ChunkOptions{Reduce: LLM}).Distill(ctx, strings.Repeat(strings.Repeat("x", 250)+"\n", 3))
		if err != nil || !reflect.DeepEqual(got, DistilledMemory{"final", []Fact{{Decision, "d"}}}) {
			t.Errorf("got %v, %v", got, err)
		}
		if len(inner.calls) != 4 || inner.calls[3] != rendering {
			t.Errorf("calls %q", inner.calls)
		}
	})
	t.Run("row 126: no text forges another line", func(t *testing.T) {
		forged := []DistilledMemory{{"a\nPart 2 summary: b", []Fact{{Decision, "x\n- [State] y"}}}}
		if got, want := render(forged), "Part 1 summary: a Part 2 summary: b\nFacts:\n- [Decision] x - [State] y\n\n"; got != want {
			t.Errorf("got %q", got)
		}
	})
	t.Run("row 125: no parts", func(t *testing.T) {
		inner := &recorder{f: constant}
		for _, reduce := range []Reduce{Structural, LLM} {
			got, err := Chunking(inner, 2, ChunkOptions{Reduce: reduce}).Distill(ctx, " \n \n \n")
			if err != nil || len(inner.calls) > 0 || !reflect.DeepEqual(got, DistilledMemory{}) {
				t.Errorf("got %v, %v after %d calls", got, err, len(inner.calls))
			}
		}
	})
	t.Run("row 130: one failure fails all", func(t *testing.T) {
		broken := errors.New("broken")
		inner := &recorder{f: func(call int, text string) (DistilledMemory, error) {
			if call == 2 {
				return DistilledMemory{"half", nil}, broken
			}
			return echo(call, text)
		}}
		got, err := Chunking(inner, 12, ChunkOptions{}).Distill(ctx, threeLines)
		var chunk ChunkError
		if !errors.Is(err, broken) || !errors.As(err, &chunk) || chunk.Index != 1 || !reflect.DeepEqual(got, DistilledMemory{}) {
			t.Errorf("got %v, %v", got, err)
		}
		if len(inner.calls) != 2 {
			t.Errorf("%d calls: the third chunk was distilled for nothing", len(inner.calls))
		}
	})
}

// W18: what the model is given for reducing keeps to the budget, whatever it
// answers, and the result to the caps.
func TestReduceBudget(t *testing.T) {
	const limit = 400
	answers := map[string]func(int, string) (DistilledMemory, error){
		"short": func(n int, _ string) (DistilledMemory, error) {
			return DistilledMemory{fmt.Sprintf("s%d", n), []Fact{{State, fmt.Sprintf("f%d", n)}}}, nil
		},
		"never shorter": func(_ int, text string) (DistilledMemory, error) { return DistilledMemory{text, nil}, nil },
		"longer": func(n int, text string) (DistilledMemory, error) {
			return DistilledMemory{text + text, partFacts(n, 70)}, nil
		},
		"a little shorter": func(_ int, text string) (DistilledMemory, error) {
			return DistilledMemory{text[:len(text)*9/10], nil}, nil
		},
	}
	transcript := strings.Repeat("Ana: something was said here.\n", 200)
	for _, name := range []string{"short", "never shorter", "longer", "a little shorter"} {
		t.Run(name, func(t *testing.T) {
			inner := &recorder{f: answers[name]}
			got, err := Chunking(inner, limit, ChunkOptions{Reduce: LLM}).Distill(context.Background(), transcript)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range inner.calls {
				if n := utf8.RuneCountInString(call); n > limit {
					t.Errorf("a call with %d chars", n)
				}
			}
			if len(got.Facts) > MaxFacts || utf8.RuneCountInString(got.Summary) > MaxSummaryChars {
				t.Error("over the caps")
			}
			if name == "short" && (got.Summary == "" || len(got.Facts) != 1) {
				t.Errorf("got %v", got)
			}
			if len(inner.calls) > 16*9*4 {
				t.Errorf("%d calls", len(inner.calls))
			}
		})
	}
}

func TestKeepSucceeded(t *testing.T) {
	broken := errors.New("broken")
	fail := func(when ...string) func(int, string) (DistilledMemory, error) {
		return func(call int, text string) (DistilledMemory, error) {
			if slices.ContainsFunc(when, func(w string) bool { return strings.HasPrefix(text, w) }) {
				return DistilledMemory{}, fmt.Errorf("%.3s: %w", text, broken)
			}
			return echo(call, text)
		}
	}
	t.Run("some", func(t *testing.T) {
		for concurrency := range 4 {
			d := Chunking(&recorder{f: fail("two")}, 12, ChunkOptions{Policy: KeepSucceeded, Concurrency: concurrency})
			got, err := d.Distill(context.Background(), threeLines)
			var partial *PartialError
			if !errors.As(err, &partial) || !errors.Is(err, broken) || partial.Total != 3 || len(partial.Failed) != 1 || partial.Failed[0].Index != 1 {
				t.Fatalf("error %v", err)
			}
			if want := []Fact{{State, "one one one"}, {State, "three three"}}; !reflect.DeepEqual(got.Facts, want) {
				t.Errorf("got %v", got)
			}
			if text := err.Error(); !strings.Contains(text, "1 of 3") || !strings.Contains(text, "chunk 2: two") {
				t.Errorf("%q", text)
			}
		}
	})
	t.Run("none", func(t *testing.T) {
		_, err := Chunking(&recorder{f: fail("")}, 12, ChunkOptions{Policy: KeepSucceeded}).Distill(context.Background(), threeLines)
		var partial *PartialError
		if errors.As(err, &partial) || !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("all", func(t *testing.T) {
		if _, err := Chunking(&recorder{f: echo}, 12, ChunkOptions{Policy: KeepSucceeded}).Distill(context.Background(), threeLines); err != nil {
			t.Error(err)
		}
	})
	t.Run("reducing", func(t *testing.T) {
		for _, policy := range []Policy{KeepSucceeded, FailOnError} {
			o := ChunkOptions{Policy: policy, Reduce: LLM}
			got, err := Chunking(&recorder{f: fail("Part")}, 12, o).Distill(context.Background(), threeLines)
			var partial *PartialError
			if !errors.Is(err, broken) || errors.As(err, &partial) != (policy == KeepSucceeded) {
				t.Fatalf("error %v", err)
			}
			if policy == KeepSucceeded && (partial.Reduce == nil || len(got.Facts) != 3 || !strings.Contains(err.Error(), "merged by rules")) {
				t.Errorf("got %v, %v", got, err)
			}
		}
	})
}

// Concurrent distilling gives what sequential distilling gives, errors included,
// whichever chunk is done first.
func TestConcurrency(t *testing.T) {
	transcript := ""
	for i := range 40 {
		transcript += fmt.Sprintf("chunk %02d\n", i)
	}
	for _, failing := range [][]int{nil, {7}, {30, 3, 20}} {
		f := func(ctx context.Context, text string) (DistilledMemory, error) {
			var i int
			fmt.Sscanf(text, "chunk %d", &i)
			select {
			case <-time.After(time.Duration(i*37%11) * time.Second):
			case <-ctx.Done():
				return DistilledMemory{}, ctx.Err()
			}
			if slices.Contains(failing, i) {
				return DistilledMemory{}, fmt.Errorf("number %d", i)
			}
			return DistilledMemory{text, []Fact{{State, text}}}, nil
		}
		synctest.Test(t, func(t *testing.T) {
			var want DistilledMemory
			var wantErr error
			for _, concurrency := range []int{0, 2, 3, 8, 100} {
				last := 0
				progress := func(done, total int) {
					if done != last+1 || total != 40 {
						t.Errorf("progress %d of %d after %d", done, total, last)
					}
					last = done
				}
				got, err := Chunking(DistillerFunc(f), 9, ChunkOptions{Concurrency: concurrency, Progress: progress}).Distill(t.Context(), transcript)
				if concurrency == 0 {
					want, wantErr = got, err
				}
				if !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%d at a time: %v, want %v", concurrency, err, wantErr)
				}
			}
			if (wantErr != nil) != (failing != nil) {
				t.Errorf("error %v", wantErr)
			}
		})
	}
}

// When ctx ends, so does distilling, and nothing is left running.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, policy := range []Policy{FailOnError, KeepSucceeded} {
		for concurrency := 1; concurrency < 5; concurrency++ {
			ctx, cancel := context.WithCancel(context.Background())
			started := make(chan struct{}, 100)
			inner := DistillerFunc(func(ctx context.Context, _ string) (DistilledMemory, error) {
				started <- struct{}{}
				<-ctx.Done()
				return DistilledMemory{}, ctx.Err()
			})
			go func() {
				<-started
				cancel()
			}()
			_, err := Chunking(inner, 12, ChunkOptions{Concurrency: concurrency, Policy: policy}).Distill(ctx, strings.Repeat(threeLines, 9))
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			if len(started) > concurrency {
				t.Errorf("%d more chunks were begun", len(started))
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	inner := &recorder{f: echo}
	if _, err := Chunking(inner, 12, ChunkOptions{}).Distill(ctx, threeLines); !errors.Is(err, context.Canceled) || len(inner.calls) > 0 {
		t.Errorf("error %v after %d calls", err, len(inner.calls))
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func BenchmarkChunking(b *testing.B) {
	transcript := strings.Repeat("Ana: something was said here.\n", 10000)
	for _, concurrency := range []int{1, 8} {
		b.Run(fmt.Sprint(concurrency), func(b *testing.B) {
			d := Chunking(&recorder{f: echo}, 8000, ChunkOptions{Concurrency: concurrency})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Distill(context.Background(), transcript); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
