//go:build js || wasip1 || illumos || solaris || aix || plan9

package contextforge

// This file decides what a folder is opened with where Pebble does not build:
// the in-memory store with a log.

import (
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

func openKV(cfg Config) (kv.Store, error) {
	switch {
	case cfg.KV != nil:
		return cfg.KV, nil
	case cfg.Path == "" || cfg.Path == MemoryPath:
		return ramStore{memkv.New(), cfg}, nil
	}
	if err := checkRecovered(cfg.Path); err != nil {
		return nil, err
	}
	return memkv.Open(cfg.Path, memkv.Options{Logger: cfg.Logger})
}

func hold(string, Config) (wreck, error) {
	return nil, fmt.Errorf("%w: there is no salvage for the in-memory store with a log", ErrUnsupported)
}
