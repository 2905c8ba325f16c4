package embedbench

// This file decides what an engine is to the measurement, and how our own calls
// are timed.

import (
	"context"
	"runtime"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/minilm"
)

// engine turns texts into vectors.
type engine interface {
	// time embeds a sample again and again, once at least, until limit or most calls
	// are reached.
	time(ctx context.Context, s sample, limit time.Duration, most int) (timings, error)

	// embed returns the vectors of texts with these ids.
	embed(ctx context.Context, s sample) ([][]float32, error)

	close() error
}

// timings are those of each call.
type timings struct{ wall, cpu measure.Times }

// repeat times a call of one or several threads.
func repeat(threads int, limit time.Duration, most int, call func() error) (t timings, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	clock := measure.ThreadTime
	if threads > 1 {
		clock = measure.ProcessTime
	}
	for spent := time.Duration(0); len(t.wall) == 0 || spent < limit && len(t.wall) < most; {
		busy := clock()
		wall, err := measure.Clock(call)
		if err != nil {
			return t, err
		}
		t.wall, t.cpu = append(t.wall, wall), append(t.cpu, clock()-busy)
		spent += wall
	}
	return t, nil
}

// own is package minilm.
type own struct {
	model   *minilm.Model
	threads int
}

func (o *own) time(ctx context.Context, s sample, limit time.Duration, most int) (timings, error) {
	return repeat(o.threads, limit, most, func() error {
		_, err := o.model.Embed(ctx, s.texts)
		return err
	})
}

func (o *own) embed(ctx context.Context, s sample) ([][]float32, error) {
	return embedAll(ctx, o.model, s.texts)
}

func (o *own) close() error { return nil }

// tokenizer is the part of our engine that others are spared. It runs in one
// thread, as it does inside Embed.
type tokenizer struct{ model *minilm.Model }

func (t tokenizer) time(_ context.Context, s sample, limit time.Duration, most int) (timings, error) {
	return repeat(1, limit, most, func() error {
		for _, text := range s.texts {
			t.model.Tokenize(text)
		}
		return nil
	})
}

func (t tokenizer) embed(context.Context, sample) ([][]float32, error) { return nil, nil }

func (t tokenizer) close() error { return nil }
