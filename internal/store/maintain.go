package store

// This file decides the work besides saving and reading: seals and merges of
// the text index, compaction, copies.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
)

const defaultTailDocs = 1024

func (s *Store) tailDocs() int {
	if n := s.opts.Index.TailDocs; n > 0 {
		return n
	}
	return defaultTailDocs
}

// worker is the goroutine that seals and merges, owned by the Store.
type worker struct {
	wake chan struct{}
	stop context.CancelFunc
	done sync.WaitGroup
}

func (s *Store) startWorker() {
	ctx, cancel := context.WithCancel(context.Background())
	s.jobs.wake, s.jobs.stop = make(chan struct{}, 1), cancel
	s.jobs.done.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-s.jobs.wake:
			}
			if _, err := s.Maintain(ctx); err != nil && ctx.Err() == nil {
				s.opts.Logger.Error("contextforge: maintaining the text index", "err", err)
			}
		}
	})
}

func (s *Store) stopWorker() {
	if s.jobs.stop != nil {
		s.jobs.stop()
		s.jobs.done.Wait()
	}
}

// wakeWorker is called after each commit. As long as nothing was searched the
// index is not loaded just to look for work.
func (s *Store) wakeWorker(st bm25.Stats) {
	if s.jobs.wake == nil || int(st.TailDocs) < s.tailDocs() && !s.loaded.Load() {
		return
	}
	select {
	case s.jobs.wake <- struct{}{}:
	default:
	}
}

// Maintain seals and merges the text index until nothing is left to do and
// returns the number of jobs done. Results of searches never depend on it.
func (s *Store) Maintain(ctx context.Context) (int, error) {
	for n := 0; ; n++ {
		more, err := s.runJob(ctx)
		if err != nil || !more {
			return n, err
		}
	}
}

func (s *Store) runJob(ctx context.Context) (bool, error) {
	return s.runPlanned(ctx, (*bm25.Index).Plan)
}

// runPlanned carries out one job of the text index: it reads and writes
// outside of the store's lock and takes it only to switch over.
func (s *Store) runPlanned(ctx context.Context, plan func(*bm25.Index) *bm25.Job) (bool, error) {
	if err := s.ensureLoaded(ctx); err != nil {
		return false, err
	}
	s.jobMu.Lock()
	defer s.jobMu.Unlock()
	s.writeMu.Lock()
	if err := s.failure; err != nil {
		s.writeMu.Unlock()
		return false, err
	}
	job := plan(s.index)
	v, err := s.View()
	s.writeMu.Unlock()
	if err != nil {
		return false, err
	}
	if job == nil {
		return false, v.Close()
	}
	err = job.Run(ctx, v.state.snap, s.kv.NewBatch, func(b kv.Batch) error { return s.kv.Commit(b, kv.NoSync) })
	if err := errors.Join(err, v.Close()); err != nil {
		return false, err
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	t := s.beginTx()
	defer t.drop()
	if err := job.Finish(t.index); err != nil {
		return false, err
	}
	if err := t.index.Apply(t.batch); err != nil {
		return false, err
	}
	if err := s.kv.Commit(t.batch, kv.NoSync); err != nil {
		s.noteFailure(err)
		return false, err
	}
	t.index.Publish()
	return true, s.publish()
}

// Compact makes what was deleted, overwritten or has expired leave the disk.
// Views that are open keep what they see alive until they are closed.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.submit(ctx, func(t *tx) error { return t.purgeExpired(math.MaxInt) }); err != nil {
		return err
	}
	for {
		more, err := s.runPlanned(ctx, (*bm25.Index).PlanFull)
		if err != nil {
			return fmt.Errorf("store: compacting the text index: %w", err)
		}
		if !more {
			break
		}
	}
	// What is flushed only now may be moved into place as it is, with the keys of
	// what was deleted; what is in tables already is rewritten.
	if err := s.kv.Flush(); err != nil {
		return err
	}
	return s.kv.Compact(ctx)
}

// Checkpoint writes a consistent copy of the store into dir while work goes on.
func (s *Store) Checkpoint(ctx context.Context, dir string) error {
	if err := s.checkOpen(); err != nil {
		return err
	}
	return s.kv.Checkpoint(ctx, dir)
}

// checkOpen returns ErrClosed once Close has been called.
func (s *Store) checkOpen() error {
	s.queueMu.Lock()
	defer s.queueMu.Unlock()
	if s.closed {
		return ErrClosed
	}
	return nil
}
