//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package contextforge

// This file decides what a folder is opened with where Pebble builds.

import (
	"math"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
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
	return pebblekv.Open(cfg.Path, pebblekv.Options{SmallDevice: cfg.SmallDevice, Logger: cfg.Logger})
}

// hold locks the folder of a damaged store.
func hold(dir string, cfg Config) (wreck, error) {
	w, err := pebblekv.Hold(dir, pebblekv.Options{SmallDevice: cfg.SmallDevice, Logger: cfg.Logger})
	if err != nil {
		return nil, err
	}
	return pebbleWreck{w}, nil
}

// pebbleWreck is a wreck that Pebble wrote.
type pebbleWreck struct{ *pebblekv.Wreck }

func (w pebbleWreck) Salvage(to string) (lost int, problems []string, err error) {
	r, err := w.Wreck.Salvage(to)
	return r.DamagedTables + r.DamagedLogs + int(min(r.LostCommits, math.MaxInt32)), r.Problems, err
}
