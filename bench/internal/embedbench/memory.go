package embedbench

// This file decides when memory is looked at: in a process that does nothing
// else, after loading and after work.

import (
	"context"
	"runtime"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// Memory is that of one process with one model, in bytes. Resident memory is 0
// where the system doesn't tell it.
type Memory struct {
	HeapLoaded       uint64 `json:"heap_loaded"`     // live, after a collection
	HeapUsed         uint64 `json:"heap_used"`       // the same after embedding
	ResidentBefore   int64  `json:"resident_before"` // the program without the model
	ResidentLoaded   int64  `json:"resident_loaded"`
	ResidentUsed     int64  `json:"resident_used"`
	ResidentOwn      int64  `json:"resident_own"` // of ResidentUsed, without pages of files
	Threads          int    `json:"threads"`
	Kernels          string `json:"kernels"`
	EmbeddingsOfText int    `json:"embeddings"` // how many texts were embedded
}

// MeasureMemory loads a model and embeds texts, in this process, which should be
// a fresh one.
func MeasureMemory(ctx context.Context, s Source, kernels string) (Memory, error) {
	const threads = 1
	before, _, _ := measure.Resident()
	m, err := s.load(kernels, threads)
	if err != nil {
		return Memory{}, err
	}
	out := Memory{Threads: threads, Kernels: m.Kernels(), ResidentBefore: before}
	out.HeapLoaded = liveHeap()
	out.ResidentLoaded, _, _ = measure.Resident()
	texts, err := turns()
	if err != nil {
		return Memory{}, err
	}
	if _, err := embedAll(ctx, m, texts); err != nil {
		return Memory{}, err
	}
	out.EmbeddingsOfText = len(texts)
	out.HeapUsed = liveHeap()
	out.ResidentUsed, out.ResidentOwn, _ = measure.Resident()
	runtime.KeepAlive(m)
	return out, nil
}

func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
