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
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/evalbench"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
	"github.com/contextforge-go/contextforge/render"
)

// evalFlags are what the command line of eval says.
type evalFlags struct {
	options                             evalbench.Options
	data, corpus, pipelines, categories string
	embedder, label, out, doc           string
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
	r.Label = f.label
	if f.doc != "" {
		if err := fill(r, f.doc); err != nil {
			return fmt.Errorf("--doc: %w", err)
		}
	}
	return f.write(r)
}

func (f *evalFlags) parse(args []string) error {
	o := &f.options
	set := flag.NewFlagSet("bench eval", flag.ContinueOnError)
	set.StringVar(&f.data, "data", "", "folder of a set (corpus.jsonl, queries.jsonl, qrels.tsv), or of several such folders")
	set.StringVar(&f.corpus, "corpus", "", "file of documents instead of the set's corpus.jsonl: a path, or a name in the set's folder")
	set.StringVar(&f.pipelines, "pipeline", evalbench.DefaultPipeline, "configurations to compare, separated by commas; all for every one")
	set.Func("ranking", "a configuration with this ranking: JSON, a file of it, or NAME=JSON; may be repeated", func(s string) error {
		f.rankings = append(f.rankings, s)
		return nil
	})
	set.StringVar(&f.embedder, "embedder", "builtin", "none, builtin, or a GGUF file, whose prefixes are those of the model of its name")
	set.BoolVar(&f.scopes, "scopes", true, "ask within the question's scope; false saves everything into one")
	set.StringVar(&f.categories, "main", "1,2,3,4", "categories that are also summed up together, where a set has others beside")
	set.StringVar(&f.label, "label", "all", "what stands beside the text in a rendered entry: all, none, or some of "+strings.Join(labels(), ","))
	set.IntVar(&o.Resamples, "resamples", 10_000, "samples of questions that the intervals come from")
	set.StringVar(&o.Vectors, "cache", "", "folder for vectors (default: one in the user's cache folder)")
	set.BoolVar(&f.json, "json", false, "write JSON")
	set.StringVar(&f.doc, "doc", "", "RUN=FILE: write the figures into the tables of a Markdown file that are of this run")
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
	if o.Render.Omit, err = omitted(f.label); err != nil {
		return fmt.Errorf("--label: %w", err)
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

// labels are the fields of a rendered entry, in the order of their bits.
func labels() []string { return []string{"time", "kind", "scope", "session", "id", "suspicious"} }

// omitted returns the fields that a label leaves out, of which a list names the others.
func omitted(list string) (omit render.Fields, err error) {
	all := labels()
	kept := strings.Split(list, ",")
	switch list {
	case "all":
		kept = all
	case "none":
		kept = nil
	}
	for _, name := range kept {
		if !slices.Contains(all, strings.TrimSpace(name)) {
			return 0, fmt.Errorf("%q is no part of a label; there are %s", name, strings.Join(all, ", "))
		}
	}
	for i, name := range all {
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.TrimSpace(k) == name }) {
			omit |= 1 << i
		}
	}
	return omit, nil
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

// fill writes figures into the tables of a file.
func fill(r *evalbench.Report, where string) error {
	name, path, ok := strings.Cut(where, "=")
	if !ok {
		return fmt.Errorf("%q, want RUN=FILE", where)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	filled, err := r.Fill(string(text), name)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(filled), 0o644)
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
