//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// This file decides the flags of the measurement of retrieval quality.

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/evalbench"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// evalFlags are what the command line of eval says.
type evalFlags struct {
	options                             evalbench.Options
	data, corpus, pipelines, categories string
	embedder, out                       string
	rankings                            []string
	json, scopes                        bool
}

func runEval(ctx context.Context, args []string) error {
	f := evalFlags{options: evalbench.Options{Progress: os.Stderr}}
	if err := f.parse(args); err != nil {
		return err
	}
	r, err := evalbench.Run(ctx, f.options)
	if err != nil {
		return err
	}
	return f.write(r)
}

func (f *evalFlags) parse(args []string) error {
	o := &f.options
	set := flag.NewFlagSet("bench eval", flag.ContinueOnError)
	set.StringVar(&f.data, "data", "", "folder of a set (corpus.jsonl, queries.jsonl, qrels.tsv), or of several such folders")
	set.StringVar(&f.corpus, "corpus", "", "file of documents instead of the set's corpus.jsonl")
	set.StringVar(&f.pipelines, "pipeline", evalbench.DefaultPipeline, "configurations to compare, separated by commas; all for every one")
	set.Func("ranking", "a configuration with this ranking: JSON, a file of it, or NAME=JSON; may be repeated", func(s string) error {
		f.rankings = append(f.rankings, s)
		return nil
	})
	set.StringVar(&f.embedder, "embedder", "builtin", "none, builtin, or a GGUF file")
	set.BoolVar(&f.scopes, "scopes", true, "ask within the question's scope; false saves everything into one")
	set.StringVar(&f.categories, "main", "1,2,3,4", "categories that are also summed up together, where a set has others beside")
	set.IntVar(&o.Resamples, "resamples", 10_000, "samples of questions that the intervals come from")
	set.StringVar(&o.Vectors, "cache", "", "folder for vectors (default: one in the user's cache folder)")
	set.BoolVar(&f.json, "json", false, "write JSON")
	set.StringVar(&f.out, "out", "", "file for the result (default: standard output)")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", set.Arg(0))
	}
	if f.data == "" {
		return errors.New("--data: the folder of a set is needed")
	}
	if o.Resamples < 1 {
		return fmt.Errorf("--resamples: %d, want at least 1", o.Resamples)
	}
	return f.complete()
}

// complete turns texts of flags into options.
func (f *evalFlags) complete() (err error) {
	o := &f.options
	o.OneScope = !f.scopes
	if f.categories != "" {
		o.Main = strings.Split(f.categories, ",")
	}
	if o.Pipelines, err = evalbench.Named(f.pipelines); err != nil {
		return fmt.Errorf("--pipeline: %w", err)
	}
	for i, text := range f.rankings {
		p, err := ranked(text, fmt.Sprint("ranking ", i+1))
		if err != nil {
			return fmt.Errorf("--ranking: %w", err)
		}
		o.Pipelines = append(o.Pipelines, p)
	}
	if o.Sets, err = evalbench.Find(f.data, f.corpus); err != nil {
		return err
	}
	if o.Embedder, err = f.model(); err != nil {
		return fmt.Errorf("--embedder: %w", err)
	}
	if o.Vectors == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("--cache: %w", err)
		}
		o.Vectors = filepath.Join(cache, "contextforge-bench")
	}
	return nil
}

// ranked returns the pipeline of a ranking: JSON, with a name of its own in front or
// not, or the name of a file.
func ranked(text, name string) (evalbench.Pipeline, error) {
	own, ranking, named := strings.Cut(text, "=")
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return evalbench.Custom(name, text)
	case named && strings.HasPrefix(strings.TrimSpace(ranking), "{"):
		return evalbench.Custom(strings.TrimSpace(own), ranking)
	}
	content, err := os.ReadFile(text)
	if err != nil {
		return evalbench.Pipeline{}, err
	}
	return evalbench.Custom(strings.TrimSuffix(filepath.Base(text), filepath.Ext(text)), string(content))
}

func (f *evalFlags) model() (contextforge.Embedder, error) {
	switch f.embedder {
	case "none":
		return nil, nil
	case "builtin":
		return allminilm.New(minilm.Config{})
	}
	return minilm.Load(f.embedder, minilm.Config{})
}

// write writes a report to the file that was asked for, or to standard output.
func (f *evalFlags) write(r *evalbench.Report) error {
	text := []byte(r.Text())
	if f.json {
		var err error
		if text, err = json.MarshalIndent(r, "", "  "); err != nil {
			return err
		}
		text = append(text, '\n')
	}
	if f.out == "" {
		_, err := os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(f.out, text, 0o644)
}
