package main

// This file decides which store is opened, and how.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge"
)

// storeEnv names the store when --store doesn't.
const storeEnv = "CONTEXTFORGE_STORE"

// globalFlags are the flags of every subcommand.
type globalFlags struct {
	store, config string
	embedder      string
	maxEntries    int
	smallDevice   bool
	noScrub       bool
	verbose       bool
	wait          time.Duration
}

func (g *globalFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&g.store, "store", "", "`folder` of the store (default $"+storeEnv+", else the user's data folder)")
	fs.StringVar(&g.config, "config", "", "JSON `file` of the configuration")
	fs.StringVar(&g.embedder, "embedder", "", "`model` that gives texts their vectors: builtin, none, or a GGUF file (default $"+embedderEnv+", else builtin)")
	fs.IntVar(&g.maxEntries, "max-entries", 0, "capacity of the store for what writes entries; over it the oldest ones leave (default unlimited)")
	fs.BoolVar(&g.smallDevice, "small-device", false, "use less memory")
	fs.BoolVar(&g.noScrub, "no-scrub", false, "store texts verbatim, secrets included")
	fs.DurationVar(&g.wait, "wait", 0, "how `long` to wait for a store that another process uses (10s, 2m; default not at all)")
	fs.BoolVarP(&g.verbose, "verbose", "v", false, "say more on stderr")
}

// settings joins the configuration file, the environment and the flags.
func (a *app) settings() (contextforge.Config, error) {
	file, err := readConfig(a.global.config)
	cfg := file.Config
	if err != nil {
		return cfg, err
	}
	a.model.choice = firstOf(a.global.embedder, a.env(embedderEnv), file.Embedder)
	a.lexicons = file.Lexicon
	if path := firstOf(a.global.store, a.env(storeEnv), cfg.Path); path != "" {
		cfg.Path = path
	} else if cfg.Path, err = a.dataFolder(); err != nil {
		return cfg, err
	}
	a.path = cfg.Path
	if a.global.wait < 0 {
		return cfg, usagef("--wait is negative")
	}
	cfg.SmallDevice = cfg.SmallDevice || a.global.smallDevice
	cfg.Scrub.Disabled = cfg.Scrub.Disabled || a.global.noScrub
	if a.global.maxEntries != 0 {
		cfg.MaxEntries = a.global.maxEntries
	} else if cfg.MaxEntries == 0 {
		cfg.MaxEntries = contextforge.Unlimited
	}
	a.scrubNotes(&cfg.Scrub)
	cfg.Clock, cfg.Rand, cfg.Logger = a.clock, a.random, a.logger()
	cfg.EmbedMode = contextforge.EmbedInCall // nothing goes on after a command
	cfg.Hooks = contextforge.Hooks{Redacted: a.countRedacted, Evicted: a.countEvicted, EmbeddingFailed: a.countFailed}
	return cfg, nil
}

// scrubNotes has stderr scrubbed by the rules of the configuration; if they can't
// be used, opening the store says so. --no-scrub is about the store alone.
func (a *app) scrubNotes(c *contextforge.ScrubConfig) {
	rules := *c
	rules.Disabled = false
	if s, err := rules.Scrubber(); err == nil {
		a.notes.scrubBy(s)
	}
}

// fileConfig is what the configuration file holds.
type fileConfig struct {
	contextforge.Config
	Embedder string   `json:"embedder"` // as --embedder
	Lexicon  []string `json:"lexicon"`  // as --lexicon
}

func readConfig(name string) (cfg fileConfig, err error) {
	if name == "" {
		return cfg, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return cfg, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	err = d.Decode(&cfg)
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return cfg, usagef("%s: the file ends before the configuration does", name)
	case err != nil:
		return cfg, usagef("%s: %s", name, strings.TrimPrefix(strings.TrimPrefix(reasonOf(err), "json: "), "Config."))
	}
	if _, err := d.Token(); err != io.EOF {
		return cfg, usagef("%s: something follows the configuration", name)
	}
	return cfg, nil
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// dataFolder returns where the platform keeps a user's data. On Linux and its
// kin that is what the XDG Base Directory Specification says.
func (a *app) dataFolder() (string, error) {
	var parts []string
	switch a.goos {
	case "windows":
		parts = []string{a.env("LocalAppData")}
	case "darwin", "ios":
		parts = []string{a.env("HOME"), "Library", "Application Support"}
	default:
		if xdg := a.env("XDG_DATA_HOME"); filepath.IsAbs(xdg) {
			parts = []string{xdg}
		} else {
			parts = []string{a.env("HOME"), ".local", "share"}
		}
	}
	if parts[0] == "" {
		return "", usagef("the user's data folder is unknown here; name a store with --store or %s", storeEnv)
	}
	return filepath.Join(append(parts, "contextforge")...), nil
}

// useFunc works with an open memory.
type useFunc func(ctx context.Context, m *contextforge.Memory) error

// withStore opens the store, which must exist, for use that adds nothing: no
// entry has to leave for it, whatever the capacity.
func (a *app) withStore(ctx context.Context, use useFunc) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	return a.withExisting(ctx, unlimited(cfg), nil, use)
}

// unlimited returns a configuration with which nothing has to leave.
func unlimited(cfg contextforge.Config) contextforge.Config {
	cfg.MaxEntries, cfg.MaxEntriesPerScope = contextforge.Unlimited, contextforge.Unlimited
	return cfg
}

// withFullStore opens the store, which must exist, with the model, and holds it
// to its capacity.
func (a *app) withFullStore(ctx context.Context, use useFunc) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	return a.withExisting(ctx, cfg, a.embedWith, use)
}

// withExisting opens the store, which must exist, with the model that embedder,
// unless it is nil, puts into the configuration.
func (a *app) withExisting(ctx context.Context, cfg contextforge.Config, embedder func(*contextforge.Config) error, use useFunc) error {
	if err := requireStore(cfg.Path); err != nil {
		return err
	}
	if embedder != nil {
		if err := embedder(&cfg); err != nil {
			return err
		}
	}
	return a.withMemory(ctx, cfg, use)
}

// withNewStore opens the store for use with the model, creates it when there is
// none, and holds it to its capacity.
func (a *app) withNewStore(ctx context.Context, use useFunc) error {
	cfg, err := a.settings()
	if err == nil {
		err = a.embedWith(&cfg)
	}
	if err != nil {
		return err
	}
	return a.withMemory(ctx, cfg, use)
}

func (a *app) withMemory(ctx context.Context, cfg contextforge.Config, use useFunc) error {
	m, err := a.openMemory(ctx, cfg)
	if err != nil {
		return err
	}
	return errors.Join(use(ctx, m), m.Close())
}

// lockInterval is the time between two attempts at a store that is in use.
const lockInterval = 20 * time.Millisecond

// openMemory opens the store, and tries again for as long as --wait says while
// another process has it.
func (a *app) openMemory(ctx context.Context, cfg contextforge.Config) (*contextforge.Memory, error) {
	deadline := time.NewTimer(a.global.wait)
	defer deadline.Stop()
	for {
		m, err := contextforge.Open(ctx, cfg)
		if a.global.wait == 0 || !errors.Is(err, contextforge.ErrLocked) {
			return m, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline.C:
			return nil, err
		case <-time.After(lockInterval):
		}
	}
}

// errNoStore says that there is nothing that could be read.
var errNoStore = errors.New("no store")

// requireStore refuses a folder that opening would create or fill.
func requireStore(dir string) error {
	if dir == contextforge.MemoryPath {
		return nil
	}
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is %w in %s; save or import creates it, --store names another one", errNoStore, dir)
	}
	if err != nil {
		return err
	}
	names, err := f.Readdirnames(1)
	if err := f.Close(); err != nil {
		return err
	}
	if len(names) == 0 && err == io.EOF {
		return fmt.Errorf("there is %w in %s, the folder is empty; save or import creates it, --store names another one", errNoStore, dir)
	}
	return nil // what else is wrong with it, opening says better
}

func (a *app) countRedacted(_ context.Context, findings []contextforge.Redaction) {
	if a.redacted == nil {
		a.redacted = map[string]int{}
	}
	for _, f := range findings {
		a.redacted[f.Label] += f.Count
	}
}

func (a *app) countEvicted(_ context.Context, gone []contextforge.Eviction) {
	for _, g := range gone {
		if !g.Expired {
			a.evicted++
		}
	}
}

func (a *app) countFailed(_ context.Context, failed []contextforge.EmbeddingFailure) {
	if a.failed == 0 {
		a.failure = failed[0].Err
	}
	a.failed += len(failed)
}
