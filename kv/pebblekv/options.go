// This file decides how Pebble is tuned: a small device or anything larger.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// formatVersion pins what Pebble writes. It has WAL sync chunks, without
// which damage inside a log is taken for its end, and checksummed footers.
const formatVersion = pebble.FormatTableFormatV6

// bloomBitsPerKey gives about one false positive in a hundred.
const bloomBitsPerKey = 10

// Options tune Open; the zero value is what most callers want.
type Options struct {
	// SmallDevice trades write speed for memory, for machines of about 1 GB.
	SmallDevice bool
	// Logger hears of lost commits and failures (Warn, Error) and of Pebble's
	// own progress (Debug). Nil is silent.
	Logger *slog.Logger
	// FS is the file system to use; nil is the disk. It is meant for tests:
	// vfs.NewMem and vfs.NewCrashableMem live in memory.
	FS vfs.FS
}

func (o Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}

// pebbleOptions returns the tuning shared by stores, checks and salvage. Blocks
// of entry text take 13 MB with Zstandard where Snappy takes 19, but reading one
// that isn't cached then costs 20 µs instead of 8, and bulk loading a third more
// CPU; Snappy also needs no C code with cgo enabled.
func (o Options) pebbleOptions(fs vfs.FS) *pebble.Options {
	p := &pebble.Options{
		FS:                 fs,
		FormatMajorVersion: formatVersion,
		Logger:             pebbleLogger{o.logger(), nil},
		// A short manifest opens fast, and names no keys of long gone tables.
		MaxManifestFileSize: 1,
		// Throttling is done in Commit, where a failed store can end it.
		L0StopWritesThreshold: 1 << 20,
	}
	if o.SmallDevice {
		tuneSmall(p)
	} else {
		tuneServer(p)
	}
	p.Levels[0].FilterPolicy = bloom.FilterPolicy(bloomBitsPerKey)
	p.Levels[0].Compression = func() *sstable.CompressionProfile { return sstable.SnappyCompression }
	return p
}

// tuneSmall keeps such a process under 28 MB. The write buffers are taken out of
// the cache: with 1 MB nothing would be left, and a hot Get cost 9 µs.
func tuneSmall(p *pebble.Options) {
	p.CacheSize = 2 << 20
	p.MemTableSize = 512 << 10
	p.MemTableStopWritesThreshold = 2
	p.MaxOpenFiles = 64
	p.CompactionConcurrencyRange = func() (int, int) { return 1, 1 }
	p.L0CompactionThreshold = 2
	p.L0CompactionFileThreshold = 8
	p.LBaseMaxBytes = 4 << 20
	p.BytesPerSync = 128 << 10
	p.Experimental.FileCacheShards = 1
}

// tuneServer keeps a process with 100,000 small entries well under 45 MB: Go's
// collector needs about as much again as the cache holds, half of which the
// write buffers take. A block that isn't in the cache costs some 6 µs more while
// the system's page cache has it.
func tuneServer(p *pebble.Options) {
	p.CacheSize = 8 << 20
	p.MemTableSize = 2 << 20
	p.MemTableStopWritesThreshold = 2
	p.MaxOpenFiles = 1000
	p.CompactionConcurrencyRange = func() (int, int) { return 1, 2 }
	p.L0CompactionThreshold = 4
	p.L0CompactionFileThreshold = 16
}
