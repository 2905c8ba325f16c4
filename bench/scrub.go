//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// This file decides the flags of the measurement of secret scrubbing.

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/bench/internal/scrubbench"
	"github.com/contextforge-go/contextforge/scrub"
)

func runScrub(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("bench scrub", flag.ContinueOnError)
	data := flags.String("data", "scrub/testdata", "folder of a set (positives.jsonl.gz, negatives.jsonl.gz)")
	rounds := flags.Int("rounds", 15, "measurements of each speed, of which the best counts; 0 for none")
	size := flags.Int("size", 4<<20, "bytes of each kind of text")
	out := flags.String("out", "", "file for the result (default: standard output)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	set, err := scrubbench.Read(*data)
	if err != nil {
		return err
	}
	s := new(scrub.Scrubber)
	r := scrubbench.Report{Machine: measure.ThisMachine().String(), Rules: len(s.Rules()), Judgement: scrubbench.Judge(s, set)}
	if *rounds > 0 {
		r.Speeds = scrubbench.Speeds(s, *size, *rounds)
	}
	if *out != "" {
		return os.WriteFile(*out, []byte(r.Text()), 0o644)
	}
	fmt.Print(r.Text())
	return nil
}
