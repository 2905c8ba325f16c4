package contextforge

// This file decides how entries that lack vectors get them: one after the other
// in the order in which they were saved, in batches, each batch one commit.

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/contextforge-go/contextforge/internal/store"
)

// lacking yields the entries from a docNum on that lack vectors.
type lacking func(v *store.View, from uint64) iter.Seq2[store.Waiting, error]

// fill embeds what lacks vectors. One fill runs at a time; a second one waits as
// long as its context lets it.
func (m *Memory) fill(ctx context.Context, list lacking, batch int, progress func(done, total int)) (stored, skipped int, err error) {
	_, stored, skipped, err = m.fillFrom(ctx, 0, list, batch, progress)
	return stored, skipped, err
}

// fillFrom is fill from a docNum on; it returns the one behind the last that it
// looked at.
func (m *Memory) fillFrom(ctx context.Context, from uint64, list lacking, batch int, progress func(done, total int)) (next uint64, stored, skipped int, err error) {
	select {
	case m.filling <- struct{}{}:
		defer func() { <-m.filling }()
	case <-ctx.Done():
		return from, 0, 0, ctx.Err()
	}
	total := 0
	if progress != nil {
		if total, err = m.countLacking(ctx, list); err != nil {
			return from, 0, 0, err
		}
	}
	for {
		waiting, err := m.nextLacking(ctx, list, from, batch)
		if err != nil {
			return from, stored, skipped, err
		}
		if len(waiting) == 0 {
			if progress != nil && stored+skipped < total { // the others were deleted meanwhile
				progress(stored+skipped, stored+skipped)
			}
			return from, stored, skipped, nil
		}
		from = waiting[len(waiting)-1].Num + 1
		done, failed, err := m.embedWaiting(ctx, waiting)
		stored, skipped = stored+done, skipped+failed
		if err != nil {
			return from, stored, skipped, err
		}
		if progress != nil {
			total = max(total, stored+skipped) // entries saved meanwhile
			progress(stored+skipped, total)
		}
	}
}

func (m *Memory) countLacking(ctx context.Context, list lacking) (int, error) {
	return inView(ctx, m, func(v *store.View) (n int, err error) {
		for _, err := range list(v, 0) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	})
}

// nextLacking returns the next entries; the view is closed before they are
// embedded, which may take long.
func (m *Memory) nextLacking(ctx context.Context, list lacking, from uint64, most int) ([]store.Waiting, error) {
	return inView(ctx, m, func(v *store.View) (waiting []store.Waiting, err error) {
		for w, err := range list(v, from) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			if waiting = append(waiting, w); len(waiting) == most {
				break
			}
		}
		return waiting, nil
	})
}

// embedWaiting embeds entries and stores their vectors. An entry with more
// windows than fit into one round gets several.
func (m *Memory) embedWaiting(ctx context.Context, waiting []store.Waiting) (stored, skipped int, err error) {
	for len(waiting) > 0 {
		additions, failures := m.additions(ctx, waiting)
		if err := ctx.Err(); err != nil {
			return stored, skipped, err
		}
		complete, err := m.store.AddVectors(ctx, additions)
		if err != nil {
			return stored, skipped, err
		}
		stored += complete
		var more []store.Waiting
		ids, failed := make([]string, 0, len(waiting)), make([]error, 0, len(waiting))
		for i, w := range waiting {
			switch {
			case failures[i] != nil:
				skipped++
				ids, failed = append(ids, w.ID), append(failed, failures[i])
			case additions[i].Missing:
				w.Windows += len(additions[i].Vectors)
				w.Sentence = w.Sentence && additions[i].Sentence == nil
				more = append(more, w)
			}
		}
		m.reportFailures(ctx, ids, failed)
		waiting = more
	}
	return stored, skipped, nil
}

// additions embeds the next windows of entries, or takes over the vectors of
// others with the same content.
func (m *Memory) additions(ctx context.Context, waiting []store.Waiting) ([]store.Addition, []error) {
	out := make([]store.Addition, len(waiting))
	twins, taken := m.takeOver(waiting, out)
	var texts wanted
	for i, w := range waiting {
		if twins[i] != i {
			continue
		}
		if !taken[i] {
			windows := m.windows(w.Content)
			out[i].Missing = texts.windows(i, windows[min(w.Windows, len(windows)):])
		}
		if w.Sentence && out[i].Sentence == nil {
			texts.sentence(i, m.sentence(w.Content))
		}
	}
	made, failures := texts.embed(ctx, m.cfg.Embedder, len(waiting))
	for i, twin := range twins {
		if twin != i {
			out[i], failures[i] = out[twin], failures[twin]
			out[i].Num = waiting[i].Num
			continue
		}
		out[i].Vectors = append(out[i].Vectors, made[i].vectors...)
		if made[i].sentence != nil {
			out[i].Sentence = made[i].sentence
		}
		if failures[i] != nil {
			out[i].Missing, out[i].Failed = true, true
		}
	}
	return out, failures
}

// takeOver begins additions with the vectors of stored entries of the same
// content. It returns which addition the vectors of each come from, one before it or
// itself, and whether those of its windows were stored.
func (m *Memory) takeOver(waiting []store.Waiting, out []store.Addition) (twins []int, taken []bool) {
	contents, stored := make([]string, len(waiting)), make([]store.Embedding, len(waiting))
	taken = make([]bool, len(waiting))
	for i, w := range waiting {
		contents[i] = w.Content
		out[i] = store.Addition{Num: w.Num, First: w.Windows}
	}
	twins, _ = m.knownVectors(contents, stored)
	for i, w := range waiting {
		if twin := waiting[twins[i]]; twin.Windows != w.Windows || twin.Sentence != w.Sentence {
			twins[i] = i
		}
		if known := stored[i].Vectors; len(known) > 0 {
			taken[i], out[i].Sentence = true, stored[i].Sentence
			out[i].Vectors = slices.Clip(known[min(w.Windows, len(known)):])
		}
	}
	return twins, taken
}

// background is the goroutine of EmbedInBackground.
type background struct {
	wake chan struct{}
	stop context.CancelFunc
	done sync.WaitGroup
}

// startBackground starts it; what waited from before is embedded first.
func (m *Memory) startBackground() {
	ctx, cancel := context.WithCancel(context.Background())
	m.background.wake, m.background.stop = make(chan struct{}, 1), cancel
	m.background.wake <- struct{}{}
	m.background.done.Go(func() {
		r := retries{}
		for {
			select {
			case <-ctx.Done():
				return
			case <-m.background.wake:
			}
			next, _, skipped, err := m.fillFrom(ctx, r.from(), (*store.View).Pending, embedBatch, nil)
			if err != nil && ctx.Err() == nil && !errors.Is(err, ErrClosed) {
				m.cfg.Logger.Error("contextforge: embedding in the background", "err", err)
			}
			r.ended(next, skipped)
		}
	})
}

// retries says where the goroutine in the background begins a round: behind what
// it has tried, and now and then with what failed, after one more round, then
// after two, four and so on, so that an embedder that is down for long doesn't
// cost ever more.
type retries struct {
	next   uint64 // everything before was tried
	failed bool   // something was skipped
	rounds uint   // since it was all tried again
	times  uint   // that this happened in a row
}

func (r *retries) from() uint64 {
	if r.failed && r.rounds >= 1<<min(r.times, 20) {
		r.rounds, r.failed, r.next = 0, false, 0
		r.times++
	}
	return r.next
}

func (r *retries) ended(next uint64, skipped int) {
	r.next = next
	r.rounds++
	r.failed = r.failed || skipped > 0
	if !r.failed {
		r.times = 0
	}
}

// wakeBackground is called after each save.
func (m *Memory) wakeBackground() {
	select {
	case m.background.wake <- struct{}{}:
	default: // also when there is none
	}
}

func (m *Memory) stopBackground() {
	if m.background.stop != nil {
		m.background.stop()
		m.background.done.Wait()
	}
}
