package minilm_test

// Many calls on one model, and calls that are given up.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

func TestConcurrentCalls(t *testing.T) {
	s := shape{width: 64, heads: 4, inner: 96, layers: 2, positions: 64, kind: gguf.Q8_0}
	m := s.model(t, minilm.Config{Parallelism: 3})
	all := slices.Concat(lengths(64), shortTexts(), []string{strings.Repeat("the quiet boat. ", 50)})
	want := embed(t, m, all...)
	windows, err := m.EmbedWindows(t.Context(), all[len(all)-1])
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for g := range 16 {
		wait.Go(func() {
			for i := range 4 {
				if err := calls(m, all, want, windows, g*5+i*17); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// calls makes one call of each kind and compares what comes out.
func calls(m *minilm.Model, all []string, want [][]float32, windows []minilm.Window, seed int) error {
	ctx := context.Background()
	from, one := seed%len(all), (seed*7)%len(all)
	got, err := m.Embed(ctx, all[from:])
	if err != nil {
		return err
	}
	for i, v := range got {
		if bits(v) != bits(want[from+i]) {
			return fmt.Errorf("text %d differs", from+i)
		}
	}
	q, err := m.EmbedQuery(ctx, all[one])
	if err != nil {
		return err
	}
	if bits(q) != bits(want[one]) {
		return fmt.Errorf("query %d differs", one)
	}
	again, err := m.EmbedWindows(ctx, all[len(all)-1])
	if err != nil {
		return err
	}
	for i, w := range again {
		if w.Start != windows[i].Start || bits(w.Vector) != bits(windows[i].Vector) {
			return fmt.Errorf("window %d differs", i)
		}
	}
	return nil
}

// Vectors belong to the caller: changing one changes no other and no later call.
func TestVectorsAreTheCallers(t *testing.T) {
	m := tiny().model(t, minilm.Config{})
	first := embed(t, m, "the", "boat")
	want := bits(first[1])
	for i := range first[0] {
		first[0][i] = 9
	}
	if cap(first[0]) != len(first[0]) {
		t.Error("appending to a vector would write into the next")
	}
	if bits(first[1]) != want || bits(embed(t, m, "boat")[0]) != want {
		t.Error("a vector has changed")
	}
}

// hooked calls hook when it was asked for its state a number of times: in the
// middle of a call by one goroutine, at a place that the test decides.
type hooked struct {
	context.Context
	left int
	hook func()
}

func (h *hooked) Err() error {
	if h.left--; h.left == 0 {
		h.hook()
	}
	return h.Context.Err()
}

// TestCancelledInTheMiddle takes a cause as well, which is not the error.
func TestCancelledInTheMiddle(t *testing.T) {
	s := shape{width: 32, heads: 4, inner: 64, layers: 3, positions: 64}
	m := s.model(t, minilm.Config{Parallelism: 1})
	all := slices.Concat(lengths(64), lengths(64))
	want := bits(embed(t, m, all...)...)
	cancelledAt := func(n int) context.Context {
		inner, cancel := context.WithCancelCause(t.Context())
		return &hooked{Context: inner, left: n, hook: func() { cancel(errDisk) }}
	}
	for n := 1; n < 60; n++ {
		if vectors, err := m.Embed(cancelledAt(n), all); err != context.Canceled || vectors != nil {
			t.Fatalf("cancelled at %d: %d vectors, %v", n, len(vectors), err)
		}
	}
	if _, err := m.EmbedQuery(cancelledAt(2), "the boat"); err != context.Canceled {
		t.Errorf("query: %v", err)
	}
	if windows, err := m.EmbedWindows(cancelledAt(2), "the boat"); err != context.Canceled || windows != nil {
		t.Errorf("windows: %v", err)
	}
	if bits(embed(t, m, all...)...) != want {
		t.Error("other vectors after cancelled calls")
	}
}

// Calls by several goroutines end some time after they are cancelled, with the
// error or with all vectors; no goroutine is left behind.
func TestCancelledGoroutines(t *testing.T) {
	s := shape{width: 32, heads: 4, inner: 64, layers: 3, positions: 64}
	all := slices.Concat(lengths(64), lengths(64), lengths(64), lengths(64))
	m := s.model(t, minilm.Config{Parallelism: 4})
	want := bits(embed(t, m, all...)...)
	before := runtime.NumGoroutine()
	cancelled := 0
	for n := range 60 {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			time.Sleep(time.Duration(n*n) * time.Microsecond)
			cancel(errDisk)
		}()
		switch vectors, err := m.Embed(ctx, all); {
		case err == nil && bits(vectors...) == want:
		case err == context.Canceled && vectors == nil:
			cancelled++
		default:
			t.Fatalf("call %d: %d vectors, %v", n, len(vectors), err)
		}
	}
	t.Logf("%d of 60 calls were cancelled in time", cancelled)
	for range 500 { // goroutines that end are still counted for a moment
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

// The error is the context's whoever notices first, not the cause that the
// caller may have given it.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errDisk)
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	m := tiny().model(t, minilm.Config{})
	for _, all := range [][]string{nil, {"a"}, lengths(16)} {
		if _, err := m.Embed(ctx, all); err != context.Canceled {
			t.Errorf("%d texts: %v", len(all), err)
		}
		if _, err := m.Embed(late, all); err != context.DeadlineExceeded {
			t.Errorf("%d texts: %v", len(all), err)
		}
	}
}

// A vector that isn't finite is the error of the text, wherever it stands in a
// batch, and no other text's.
func TestVectorThatIsntFinite(t *testing.T) {
	s := shape{width: 32, heads: 4, inner: 64, layers: 1, positions: 64}
	f := s.file(t)
	words, _ := vocabulary()
	at := slices.Index(words, "▁boat") * 32 * 4
	copy(f.Tensors[0].Data[at:], []byte{0, 0, 192, 127}) // a NaN
	all := append(lengths(64), lengths(64)...)
	all[100] = "a quiet boat"
	for _, parallelism := range []int{1, 4} {
		m := fromFile(t, f, minilm.Config{Parallelism: parallelism})
		for i := range 3 {
			if _, err := m.Embed(t.Context(), all); !errors.Is(err, minilm.ErrNoDirection) || !strings.Contains(err.Error(), "text 100 of tiny") {
				t.Errorf("call %d: %v", i, err)
			}
			embed(t, m, all[:100]...)
		}
	}
}

// The last normalisation decides how long the vector is before it gets length 1:
// it is only an error if that is zero, or the squares add up to no float32.
func TestExtremeLengths(t *testing.T) {
	s := shape{width: 32, heads: 4, inner: 64, layers: 1, positions: 64}
	for _, tt := range []struct {
		scale  float32
		length float32 // 0 or 1
		err    error
	}{
		{0, 0, minilm.ErrNoDirection}, {1e-30, 1, nil}, {1e-38, 1, nil}, {1e-42, 1, nil}, {1e-15, 1, nil}, {1, 1, nil}, {1e15, 1, nil}, {1e25, 0, minilm.ErrNoDirection},
	} {
		f := s.file(t)
		last := f.Tensors[len(f.Tensors)-2:]
		numbers := slices.Repeat([]float32{tt.scale}, s.width)
		for i := range last {
			tensor, err := ggufwrite.NewTensor(last[i].Name, gguf.F32, numbers, uint64(s.width))
			if err != nil {
				t.Fatal(err)
			}
			last[i] = tensor
		}
		v, err := fromFile(t, f, minilm.Config{}).EmbedQuery(t.Context(), "the boat")
		if !errors.Is(err, tt.err) {
			t.Errorf("scale %g: %v", tt.scale, err)
		}
		if err == nil && math.Abs(float64(minilm.Similarity(v, v)-tt.length)) > 1e-5 {
			t.Errorf("scale %g: the length's square is %g", tt.scale, minilm.Similarity(v, v))
		}
	}
}

// What a model keeps between calls is bounded, however many calls run at once and
// however large they are.
func TestKeptMemory(t *testing.T) {
	s := shape{width: 32, heads: 4, inner: 64, layers: 1, positions: 64}
	m := s.model(t, minilm.Config{Parallelism: 2})
	embed(t, m, lengths(64)...)
	before := heap()
	huge := make([]string, 20000)
	for i := range huge {
		huge[i] = "the quiet boat: the quiet boat, the quiet boat! a b c d e f g h i j k l m n o p q r s t u v w x y z the boat ing a b c d e f g h i"
	}
	if n := len(m.Tokenize(huge[0])) * len(huge); n <= 1<<20 {
		t.Fatalf("only %d tokens", n)
	}
	atOnce(t, m, 40)
	if !testing.Short() {
		embed(t, m, huge...)
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d bytes are kept, %d before", after, before)
	}
	runtime.KeepAlive(m)
}

// atOnce makes calls at the same time, and checks that no more than two are in the
// middle of a layer together.
func atOnce(t *testing.T, m *minilm.Model, calls int) {
	t.Helper()
	var inside, most atomic.Int32
	var done sync.WaitGroup
	for range calls {
		done.Go(func() {
			ctx := &hooked{Context: context.Background(), left: 3, hook: func() {
				now := inside.Add(1)
				for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
				}
				runtime.Gosched()
				inside.Add(-1)
			}}
			if _, err := m.EmbedQuery(ctx, "the boat"); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if n := most.Load(); n > 2 {
		t.Errorf("%d calls work at once", n)
	}
}

// TestWaitingCallsEnd: who waits for a workspace hears of the context's end.
func TestWaitingCallsEnd(t *testing.T) {
	s := shape{width: 32, heads: 4, inner: 64, layers: 2, positions: 64}
	m := s.model(t, minilm.Config{Parallelism: 1})
	held, release := make(chan struct{}), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		ctx := &hooked{Context: context.Background(), left: 3, hook: func() { close(held); <-release }}
		if _, err := m.EmbedQuery(ctx, "the boat"); err != nil {
			t.Error(err)
		}
	})
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	done.Go(func() {
		if _, err := m.EmbedQuery(ctx, "the quiet boat"); !errors.Is(err, context.Canceled) {
			t.Errorf("a call that waits ended with %v", err)
		}
	})
	cancel()
	for range 10 {
		runtime.Gosched()
	}
	close(release)
	done.Wait()
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
