//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// This file decides the flags of the store's measurements and where the results
// go.

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/bench/internal/storebench"
)

func runStore(ctx context.Context, args []string) error {
	o := storebench.Options{Progress: os.Stderr, Resident: residentOfChild}
	fs := flag.NewFlagSet("bench store", flag.ContinueOnError)
	sizes := fs.String("entries", "1000,100000", "sizes, separated by commas")
	fs.IntVar(&o.Rounds, "rounds", 3, "rounds of each measurement; the median counts")
	fs.StringVar(&o.Dir, "dir", "", "folder for the stores (default: the system's for temporary files)")
	fs.BoolVar(&o.SmallDevice, "small-device", false, "open with the small-device options")
	fs.StringVar(&o.CPUProfile, "cpuprofile", "", "prefix of CPU profiles, one for each size and group")
	only := fs.String("only", "", "groups to measure, separated by commas: "+strings.Join(storebench.Groups(), ","))
	jsonFile := fs.String("json", "", "also write the results as JSON to this file")
	mdFile := fs.String("md", "", "also write the results as Markdown to this file")
	if err := fs.Parse(args); err != nil {
		return err
	}
	var err error
	if o.Entries, err = numbers(*sizes); err != nil {
		return fmt.Errorf("--entries: %w", err)
	}
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds: %d, want at least 1", o.Rounds)
	}
	if *only != "" {
		o.Only = strings.Split(*only, ",")
	}
	report, err := storebench.Run(ctx, o)
	if err != nil {
		return err
	}
	return publish(report, *jsonFile, *mdFile)
}

// publish prints the report and writes the files that were asked for.
func publish(r *measure.Report, jsonFile, mdFile string) error {
	md := r.Markdown()
	fmt.Print(md)
	if mdFile != "" {
		if err := os.WriteFile(mdFile, []byte(md), 0o644); err != nil {
			return err
		}
	}
	if jsonFile == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(jsonFile, append(text, '\n'), 0o644)
}

func numbers(list string) ([]int, error) {
	var out []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a positive number", s)
		}
		out = append(out, n)
	}
	return out, nil
}

// residentOfChild measures memory in a new process of this program.
func residentOfChild(ctx context.Context, entries int, dir string, small bool) (m storebench.Memory, err error) {
	program, err := os.Executable()
	if err != nil {
		return m, err
	}
	child := exec.CommandContext(ctx, program, "memory", "--entries", strconv.Itoa(entries), "--dir", dir, "--small-device="+strconv.FormatBool(small))
	var out bytes.Buffer
	child.Stdout, child.Stderr = &out, os.Stderr
	if err := child.Run(); err != nil {
		return m, fmt.Errorf("measuring memory: %w", err)
	}
	return m, json.Unmarshal(out.Bytes(), &m)
}

func runMemory(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("bench memory", flag.ContinueOnError)
	entries := fs.Int("entries", 100_000, "entries to ingest")
	dir := fs.String("dir", "", "folder for the store")
	small := fs.Bool("small-device", false, "open with the small-device options")
	if err := fs.Parse(args); err != nil {
		return err
	}
	m, err := storebench.MeasureMemory(ctx, *entries, *dir, *small)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}
