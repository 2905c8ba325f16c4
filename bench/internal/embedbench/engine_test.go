package embedbench

// These tests decide when an engine's turn ends, and that our engines embed what
// they are given.

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestRepeat(t *testing.T) {
	for _, tt := range []struct {
		threads    int
		limit      time.Duration
		most, want int
	}{{1, 0, 5, 1}, {1, time.Hour, 5, 5}, {2, time.Hour, 3, 3}, {1, time.Hour, 0, 1}} {
		calls := 0
		got, err := repeat(tt.threads, tt.limit, tt.most, func() error { calls++; return nil })
		if err != nil || calls != tt.want || len(got.wall) != tt.want || len(got.cpu) != tt.want {
			t.Errorf("%+v: %d calls, %v, %v", tt, calls, got, err)
		}
	}
	broken := errors.New("broken")
	calls := 0
	_, err := repeat(1, time.Hour, 5, func() error {
		if calls++; calls == 3 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestOwn(t *testing.T) {
	m, err := builtIn().load("", 2)
	if err != nil {
		t.Fatal(err)
	}
	s := sample{texts: []string{"one text", "another text", ""}}
	want, err := m.Embed(t.Context(), s.texts)
	if err != nil {
		t.Fatal(err)
	}
	o := &own{m, 2}
	got, err := o.embed(t.Context(), s)
	if err != nil || len(got) != 3 || !slices.Equal(got[1], want[1]) {
		t.Errorf("%d vectors, %v", len(got), err)
	}
	for _, e := range []engine{o, tokenizer{m}} {
		times, err := e.time(t.Context(), s, time.Hour, 2)
		if err != nil || len(times.wall) != 2 {
			t.Errorf("%v, %v", times, err)
		}
		if err := e.close(); err != nil {
			t.Error(err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := o.time(stopped, s, time.Hour, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestEmbedAll checks the borders of the calls that texts are divided into.
func TestEmbedAll(t *testing.T) {
	m, err := builtIn().load("", 1)
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 130)
	for i := range texts {
		texts[i] = string(rune('a' + i%7))
	}
	for _, n := range []int{0, 1, 64, 65, 130} {
		got, err := embedAll(t.Context(), m, texts[:n])
		if err != nil || len(got) != n {
			t.Fatalf("%d vectors of %d, %v", len(got), n, err)
		}
		for i, v := range got {
			if !slices.Equal(v, got[i%7]) {
				t.Errorf("%d texts: the vector %d is not that of %q", n, i, texts[i])
			}
		}
	}
}
