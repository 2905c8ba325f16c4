//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// This file decides the flags of the measurements of embedding and where the
// results go.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/embedbench"
)

// embedFlags are what the command line of embed says.
type embedFlags struct {
	options                         embedbench.Options
	kernels, tokens, batch, threads string
	peers, json, check, memory      bool
	onnx, onnxInt8, gguf            string
	reference, sts                  string
}

func runEmbed(ctx context.Context, args []string) error {
	f := embedFlags{options: embedbench.Options{Progress: os.Stderr}}
	if err := f.parse(args); err != nil {
		return err
	}
	source := f.options.Source
	switch {
	case f.check:
		r, err := embedbench.Check(ctx, source, f.options.Kernels[0], f.reference)
		return f.print(r, err)
	case f.sts != "":
		r, err := embedbench.STS(ctx, source, f.options.Kernels[0], f.sts)
		return f.print(r, err)
	case f.memory:
		m, err := embedbench.MeasureMemory(ctx, source, f.options.Kernels[0])
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(m)
	}
	r, err := embedbench.Run(ctx, f.options)
	return f.print(r, err)
}

func (f *embedFlags) parse(args []string) (err error) {
	o := &f.options
	set := flag.NewFlagSet("bench embed", flag.ContinueOnError)
	set.StringVar(&o.Source.File, "model", "", "GGUF file of the model (default: the built-in one)")
	set.StringVar(&f.kernels, "kernels", "all", "implementations of the loops, separated by commas, of "+strings.Join(embedbench.Kernels(), ","))
	set.StringVar(&f.tokens, "tokens", "8,32,128,256", "tokens of a text")
	set.StringVar(&f.batch, "batch", "1,32", "texts in a call")
	set.StringVar(&f.threads, "threads", "1,2", "threads")
	set.IntVar(&o.Rounds, "rounds", 5, "rounds of each measurement; the median counts")
	set.DurationVar(&o.Slot, "slot", 100*time.Millisecond, "time of each engine in a round")
	set.DurationVar(&o.Slowest, "slowest", 4*time.Second, "leave out what takes longer in one call")
	set.BoolVar(&f.peers, "peers", false, "measure other engines beside, as far as they are installed")
	set.StringVar(&f.onnx, "onnx", "", "the model as ONNX in float32, for onnxruntime")
	set.StringVar(&f.onnxInt8, "onnx-int8", "", "the model as ONNX in int8, for onnxruntime")
	set.StringVar(&f.gguf, "gguf", "", "GGUF file for llama-cpp-python (default: the model's)")
	set.StringVar(&o.Python, "python", "python3", "program that runs the other engines' packages")
	set.BoolVar(&f.json, "json", false, "print JSON")
	set.BoolVar(&f.check, "check", false, "compare the model with recorded vectors instead of measuring its speed")
	set.StringVar(&f.reference, "reference", "", "JSON lines of text and embedding, for --check (default: the built-in model's)")
	set.StringVar(&f.sts, "sts", "", "JSON lines of a, b and score: correlate cosines with the scores instead of measuring speed")
	set.BoolVar(&f.memory, "memory", false, "print the memory of this process after loading and embedding")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", set.Arg(0))
	}
	if o.Source.Root, err = moduleRoot(); err != nil {
		return err
	}
	return f.complete()
}

// complete turns texts of flags into options.
func (f *embedFlags) complete() (err error) {
	o := &f.options
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds: %d, want at least 1", o.Rounds)
	}
	for _, list := range []struct {
		name, text string
		to         *[]int
	}{{"tokens", f.tokens, &o.Tokens}, {"batch", f.batch, &o.Batches}, {"threads", f.threads, &o.Threads}} {
		if *list.to, err = numbers(list.text); err != nil {
			return fmt.Errorf("--%s: %w", list.name, err)
		}
		slices.Sort(*list.to)
	}
	o.Kernels = embedbench.Kernels()
	if f.kernels != "all" {
		o.Kernels = strings.Split(f.kernels, ",")
	}
	if f.check && f.reference == "" {
		if o.Source.File != "" {
			return errors.New("--check of a --model needs --reference")
		}
		f.reference = filepath.Join(o.Source.Root, "minilm", "testdata", "embeddings.jsonl.gz")
	}
	if f.peers {
		if f.gguf == "" {
			f.gguf = o.Source.Path()
		}
		o.Peers = []embedbench.Peer{
			{Name: "ONNX Runtime float32", Engine: embedbench.OnnxRuntime, File: f.onnx},
			{Name: "ONNX Runtime int8", Engine: embedbench.OnnxRuntime, File: f.onnxInt8},
			{Name: "llama.cpp", Engine: embedbench.LlamaCpp, File: f.gguf},
		}
	}
	o.Resident = f.memoryOfChild
	return nil
}

// moduleRoot returns the folder of go.mod at or above the current one: it has the
// model's file and the recorded vectors.
func moduleRoot() (string, error) {
	at, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		above := filepath.Dir(at)
		if above == at {
			return "", errors.New("run it inside the module: no go.mod here or above")
		}
		at = above
	}
	return "", err
}

// memoryOfChild measures memory in a new process of this program.
func (f *embedFlags) memoryOfChild(ctx context.Context) (m embedbench.Memory, err error) {
	program, err := os.Executable()
	if err != nil {
		return m, err
	}
	child := exec.CommandContext(ctx, program, "embed", "--memory", "--kernels", f.options.Kernels[0], "--model", f.options.Source.File)
	var out bytes.Buffer
	child.Stdout, child.Stderr = &out, os.Stderr
	if err := child.Run(); err != nil {
		return m, fmt.Errorf("measuring memory: %w", err)
	}
	return m, json.Unmarshal(out.Bytes(), &m)
}

// print writes a report to standard output.
func (f *embedFlags) print(r interface{ Text() string }, err error) error {
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
