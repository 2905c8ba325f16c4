// Distilling a long transcript in chunks.

package distill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/contextforge-go/contextforge/scrub"
)

// Policy is what to do when chunks fail.
type Policy int

const (
	// FailOnError gives up at the first chunk that fails, in the order of the
	// transcript.
	FailOnError Policy = iota
	// KeepSucceeded returns what the other chunks yield, with a [PartialError].
	KeepSucceeded
)

// ChunkOptions are the settings of [Chunking]. The zero value is sequential,
// merges by rules, and fails as a whole.
type ChunkOptions struct {
	// Reduce is how the memories of the chunks become one.
	Reduce Reduce
	// Concurrency is how many chunks are distilled at a time; 0 is 1. The result
	// doesn't depend on it as long as the inner distiller's doesn't.
	Concurrency int
	// Policy says what happens when a chunk fails.
	Policy Policy
	// Progress, unless nil, is told after each chunk, failed or not, how many of
	// all chunks are done. Calls don't overlap, and done ascends; distilling waits
	// for them. A call to reduce isn't counted.
	Progress func(done, total int)
	// Scrub takes secrets out of the memory of each chunk before caps apply; nil
	// is [scrub.Scrub] with all rules.
	Scrub func(string) string
}

// ChunkError is the failure of one chunk.
type ChunkError struct {
	Index int // the first chunk has 0
	Err   error
}

// Error names the chunk.
func (e ChunkError) Error() string { return fmt.Sprintf("chunk %d: %v", e.Index+1, e.Err) }

// Unwrap returns the cause.
func (e ChunkError) Unwrap() error { return e.Err }

// PartialError says that a memory is there but not of all chunks. It comes
// together with that memory, under KeepSucceeded, and only when at least one
// chunk succeeded.
type PartialError struct {
	Failed []ChunkError // by ascending index
	Total  int          // number of chunks
	// Reduce is why reducing by the model failed, so that the memory was merged by
	// rules; nil if it didn't.
	Reduce error
}

// Error tells how many chunks failed, and the first cause.
func (e *PartialError) Error() string {
	if len(e.Failed) == 0 {
		return fmt.Sprintf("distill: merged by rules: %v", e.Reduce)
	}
	return fmt.Sprintf("distill: %d of %d chunks failed, the first: %v", len(e.Failed), e.Total, e.Failed[0])
}

// Unwrap returns all causes.
func (e *PartialError) Unwrap() []error {
	var causes []error
	for _, failed := range e.Failed {
		causes = append(causes, failed)
	}
	if e.Reduce != nil {
		causes = append(causes, e.Reduce)
	}
	return causes
}

// Chunking returns a distiller that splits transcripts by [SplitOnBudget],
// has inner distill every chunk, and reduces the memories to one, scrubbed and
// capped as by [Clean].
//
// A transcript that is one chunk, or empty, goes to inner as it is, and inner's
// answer is returned as it is. Chunks of blanks only aren't given to inner. With
// Reduce LLM, what inner is given keeps to maxChars too: the rendered memories are
// split and distilled again until they fit, at most eight times; whatever doesn't
// become shorter that way is merged by rules.
//
// When chunks fail, the errors are those of distilling one after the other,
// whatever the concurrency: a chunk is abandoned only for the failure of an
// earlier one. Distill returns once ctx is done and the calls of inner have
// returned; it leaves no goroutine.
func Chunking(inner Distiller, maxChars int, o ChunkOptions) Distiller {
	if o.Scrub == nil {
		o.Scrub = func(text string) string {
			clean, _ := scrub.Scrub(text)
			return clean
		}
	}
	return &chunking{inner: inner, maxChars: maxChars, o: o}
}

type chunking struct {
	inner    Distiller
	maxChars int
	o        ChunkOptions
}

// Distill implements Distiller.
func (c *chunking) Distill(ctx context.Context, transcript string) (DistilledMemory, error) {
	chunks := SplitOnBudget(transcript, c.maxChars)
	if len(chunks) <= 1 {
		return c.inner.Distill(ctx, transcript)
	}
	memories, failed := c.distillAll(ctx, chunks, c.o.Progress)
	if err := ctx.Err(); err != nil {
		return DistilledMemory{}, err
	}
	if len(failed) > 0 && (c.o.Policy != KeepSucceeded || len(failed) == len(chunks)) {
		return DistilledMemory{}, fmt.Errorf("distill: %w", failed[0])
	}
	parts := c.cleanAll(succeeded(memories, failed))
	partial := &PartialError{Failed: failed, Total: len(chunks)}
	if c.o.Reduce == LLM {
		reduced, err := c.reduceLLM(ctx, parts)
		if err == nil {
			return reduced, partial.orNil()
		}
		if c.o.Policy != KeepSucceeded || ctx.Err() != nil {
			return DistilledMemory{}, err
		}
		partial.Reduce = err
	}
	return Merge(parts...), partial.orNil()
}

// orNil returns the error, nil if nothing failed.
func (e *PartialError) orNil() error {
	if len(e.Failed) == 0 && e.Reduce == nil {
		return nil
	}
	return e
}

func (c *chunking) clean(m DistilledMemory) DistilledMemory { return Clean(m, c.o.Scrub) }

// cleanAll scrubs memories that are to be merged and drops empty ones. They
// aren't capped yet: Merge does that for all of them together.
func (c *chunking) cleanAll(memories []DistilledMemory) []DistilledMemory {
	out := make([]DistilledMemory, 0, len(memories))
	for _, m := range memories {
		if m = tidy(m, c.o.Scrub); m.Summary != "" || len(m.Facts) > 0 {
			out = append(out, m)
		}
	}
	return out
}

func succeeded(memories []DistilledMemory, failed []ChunkError) []DistilledMemory {
	parts := make([]DistilledMemory, 0, len(memories))
	for i, m := range memories {
		if !slices.ContainsFunc(failed, func(e ChunkError) bool { return e.Index == i }) {
			parts = append(parts, m)
		}
	}
	return parts
}

// run is the distilling of the chunks of one transcript.
type run struct {
	chunking *chunking
	chunks   []string
	progress func(done, total int)

	memories []DistilledMemory // each written by the goroutine that took the chunk

	mu      sync.Mutex
	next    int // the first chunk that nobody took
	done    int
	cancels []context.CancelCauseFunc // of the chunks taken
	failed  []ChunkError
}

// errEarlier is the cause for which a chunk is abandoned.
var errEarlier = errors.New("distill: an earlier chunk failed")

// distillAll distills the chunks and returns their memories, and the failures by
// ascending index. Under FailOnError only the first failure is certain to be
// there. When ctx is done both are of no use.
func (c *chunking) distillAll(ctx context.Context, chunks []string, progress func(done, total int)) ([]DistilledMemory, []ChunkError) {
	r := &run{
		chunking: c, chunks: chunks, progress: progress,
		memories: make([]DistilledMemory, len(chunks)),
		cancels:  make([]context.CancelCauseFunc, len(chunks)),
	}
	workers := min(max(c.o.Concurrency, 1), len(chunks))
	var wait sync.WaitGroup
	for range workers - 1 {
		wait.Go(func() { r.work(ctx) })
	}
	r.work(ctx)
	wait.Wait()
	slices.SortFunc(r.failed, func(a, b ChunkError) int { return a.Index - b.Index })
	return r.memories, r.failed
}

// work distills chunks until none is left.
func (r *run) work(ctx context.Context) {
	for ctx.Err() == nil {
		own, cancel := context.WithCancelCause(ctx)
		i, ok := r.take(cancel)
		if !ok {
			cancel(nil)
			return
		}
		var memory DistilledMemory
		var err error
		if strings.TrimSpace(r.chunks[i]) != "" {
			memory, err = r.chunking.inner.Distill(own, r.chunks[i])
		}
		if err != nil && context.Cause(own) == errEarlier {
			err = nil // it has no result, and nobody will ask for one
		}
		cancel(nil)
		r.finish(i, memory, err)
	}
}

// take gives out the next chunk, unless it isn't worth it any more.
func (r *run) take(cancel context.CancelCauseFunc) (i int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == len(r.chunks) || len(r.failed) > 0 && r.chunking.o.Policy != KeepSucceeded {
		return 0, false
	}
	i = r.next
	r.next++
	r.cancels[i] = cancel
	return i, true
}

// finish records the outcome of a chunk. A failure abandons the later chunks
// unless successes are to be kept.
func (r *run) finish(i int, memory DistilledMemory, err error) {
	r.memories[i] = memory
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancels[i] = nil
	if err != nil {
		r.failed = append(r.failed, ChunkError{i, err})
		if r.chunking.o.Policy != KeepSucceeded {
			for _, cancel := range r.cancels[i+1:] {
				if cancel != nil {
					cancel(errEarlier)
				}
			}
		}
	}
	r.done++
	if r.progress != nil {
		r.progress(r.done, len(r.chunks))
	}
}
