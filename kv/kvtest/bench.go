// This file decides how implementations are measured: on the operations that
// indexes make, with entries of their size.

package kvtest

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// Bench runs the benchmarks of the contract on stores that open returns, with
// 10,000 and 100,000 entries of 300 bytes.
func Bench(b *testing.B, open func(b *testing.B) kv.Store) {
	for _, n := range []int{10_000, 100_000} {
		s := open(b)
		fillBench(b, s, n)
		b.Run(fmt.Sprintf("Get/%d", n), func(b *testing.B) { benchGet(b, s, func(i int) int { return i * 7919 % n }) })
		b.Run(fmt.Sprintf("GetHot/%d", n), func(b *testing.B) { benchGet(b, s, func(i int) int { return i % 64 }) })
		b.Run(fmt.Sprintf("GetMissing/%d", n), func(b *testing.B) { benchGetMissing(b, s, n) })
		b.Run(fmt.Sprintf("Seek/%d", n), func(b *testing.B) { benchSeek(b, s, n) })
		b.Run(fmt.Sprintf("Next/%d", n), func(b *testing.B) { benchNext(b, s) })
		b.Run(fmt.Sprintf("Snapshot/%d", n), func(b *testing.B) { benchSnapshot(b, s) })
		b.Run(fmt.Sprintf("CommitNoSync/%d", n), func(b *testing.B) { benchCommit(b, s, n, kv.NoSync) })
		b.Run(fmt.Sprintf("CommitSync/%d", n), func(b *testing.B) { benchCommit(b, s, n, kv.Sync) })
		b.Run(fmt.Sprintf("CommitSync32/%d", n), func(b *testing.B) { benchCommitParallel(b, s, n) })
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchKey(dst []byte, i int) []byte {
	return binary.BigEndian.AppendUint64(append(dst[:0], 'e'), uint64(i))
}

func fillBench(b *testing.B, s kv.Store, n int) {
	b.Helper()
	var key []byte
	batch := s.NewBatch()
	defer batch.Close()
	for i := range n {
		key = benchKey(key, i)
		batch.Set(key, noise(i, 300))
		if i%500 == 499 || i == n-1 {
			if err := s.Commit(batch, kv.NoSync); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	if err := s.Flush(); err != nil {
		b.Fatal(err)
	}
}

func benchGet(b *testing.B, s kv.Store, pick func(int) int) {
	b.ReportAllocs()
	var key []byte
	for i := 0; b.Loop(); i++ {
		key = benchKey(key, pick(i))
		v, closer, err := s.Get(key)
		if err != nil || len(v) != 300 {
			b.Fatal(len(v), err)
		}
		if err := closer.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchGetMissing(b *testing.B, s kv.Store, n int) {
	b.ReportAllocs()
	var key []byte
	for i := 0; b.Loop(); i++ {
		key = append(benchKey(key, i*7919%n), 'x')
		if _, _, err := s.Get(key); err == nil {
			b.Fatal("found")
		}
	}
}

func benchSeek(b *testing.B, s kv.Store, n int) {
	it, err := s.Iter(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer it.Close()
	b.ReportAllocs()
	var key []byte
	for i := 0; b.Loop(); i++ {
		key = benchKey(key, i*7919%n)
		if !it.SeekGE(key) {
			b.Fatal(it.Error())
		}
	}
}

func benchNext(b *testing.B, s kv.Store) {
	it, err := s.Iter(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer it.Close()
	b.ReportAllocs()
	for b.Loop() {
		if !it.Next() && !it.First() {
			b.Fatal(it.Error())
		}
	}
}

func benchSnapshot(b *testing.B, s kv.Store) {
	b.ReportAllocs()
	for b.Loop() {
		snap, err := s.Snapshot()
		if err != nil {
			b.Fatal(err)
		}
		if err := snap.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// benchCommit commits batches of six keys, as a save makes them.
func benchCommit(b *testing.B, s kv.Store, n int, d kv.Durability) {
	b.ReportAllocs()
	value, batch := noise(1, 300), s.NewBatch()
	defer batch.Close()
	var key []byte
	for i := 0; b.Loop(); i++ {
		fillSave(batch, key, value, i*7919%n)
		if err := s.Commit(batch, d); err != nil {
			b.Fatal(err)
		}
	}
}

func fillSave(batch kv.Batch, key, value []byte, i int) {
	batch.Reset()
	key = benchKey(key, i)
	batch.Set(key, value)
	for k := range 5 {
		key[0] = byte('f' + k)
		batch.Set(key, value[:20])
	}
}

// benchCommitParallel makes the same commits from 32 goroutines.
func benchCommitParallel(b *testing.B, s kv.Store, n int) {
	b.ReportAllocs()
	b.SetParallelism(16)
	value := noise(1, 300)
	b.RunParallel(func(p *testing.PB) {
		batch := s.NewBatch()
		defer batch.Close()
		for i := 0; p.Next(); i++ {
			fillSave(batch, nil, value, i*7919%n)
			if err := s.Commit(batch, kv.Sync); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
