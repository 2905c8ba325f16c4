//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// This file decides the flags of the measurements of vector search.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/vectorbench"
	"github.com/contextforge-go/contextforge/vecindex"
)

// vectorFlags are what the command line of vectors says.
type vectorFlags struct {
	options        vectorbench.Options
	sizes, threads string
	peers, json    bool
}

func runVectors(ctx context.Context, args []string) error {
	f := vectorFlags{options: vectorbench.Options{Progress: os.Stderr}}
	if err := f.parse(args); err != nil {
		return err
	}
	r, err := vectorbench.Run(ctx, f.options)
	if err != nil {
		return err
	}
	if !f.json {
		_, err = fmt.Print(r.Text())
		return err
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

func (f *vectorFlags) parse(args []string) (err error) {
	o := &f.options
	set := flag.NewFlagSet("bench vectors", flag.ContinueOnError)
	set.StringVar(&f.sizes, "n", "10000,100000", "numbers of vectors, separated by commas")
	set.IntVar(&o.Dim, "dim", 384, "length of a vector")
	set.StringVar(&f.threads, "threads", "1,2", "threads of a search, separated by commas")
	set.IntVar(&o.Scopes, "scopes", 100, "equally big scopes, one of which is searched")
	set.IntVar(&o.Top, "top", 50, "vectors to find")
	set.IntVar(&o.Rounds, "rounds", 5, "rounds of each measurement; the median counts")
	set.DurationVar(&o.Slot, "slot", 200*time.Millisecond, "time of each search in a round")
	set.StringVar(&o.Dir, "dir", "", "folder for the stores (default: the system's for temporary files)")
	set.BoolVar(&f.peers, "peers", false, "measure other exact searches beside, as far as they are installed")
	set.StringVar(&o.Python, "python", "python3", "program that runs the other searches' packages")
	set.BoolVar(&f.json, "json", false, "print JSON")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", set.Arg(0))
	}
	if o.Sizes, err = numbers(f.sizes); err != nil {
		return fmt.Errorf("--n: %w", err)
	}
	if o.Threads, err = numbers(f.threads); err != nil {
		return fmt.Errorf("--threads: %w", err)
	}
	if f.peers {
		o.Peers = vectorbench.Peers()
	}
	for _, n := range []struct {
		name        string
		value, most int
	}{{"dim", o.Dim, vecindex.MaxDim}, {"scopes", o.Scopes, 1 << 20}, {"top", o.Top, 1 << 20}, {"rounds", o.Rounds, 1 << 20}} {
		if n.value < 1 || n.value > n.most {
			return fmt.Errorf("--%s: %d, want 1 to %d", n.name, n.value, n.most)
		}
	}
	return nil
}
