//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package contextforge

// This file decides what a folder is opened with where Pebble builds.

import (
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

func openKV(cfg Config) (kv.Store, error) {
	switch {
	case cfg.KV != nil:
		return cfg.KV, nil
	case cfg.Path == "" || cfg.Path == MemoryPath:
		return memkv.New(), nil
	}
	return pebblekv.Open(cfg.Path, pebblekv.Options{SmallDevice: cfg.SmallDevice, Logger: cfg.Logger})
}

// salvage copies what is readable of the folder in cfg.Path into another one
// and returns a line about each damage.
func salvage(cfg Config, to string) ([]string, error) {
	report, err := pebblekv.Salvage(cfg.Path, to, pebblekv.Options{SmallDevice: cfg.SmallDevice, Logger: cfg.Logger})
	if err == nil && report.Entries == 0 && report.Tables+report.Logs == 0 {
		err = fmt.Errorf("%w: it has no table and no log", ErrForeign)
	}
	return report.Problems, err
}
