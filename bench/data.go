//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// This file decides how the generated texts and questions are written for other
// engines.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"

	"github.com/contextforge-go/contextforge/bench/internal/corpus"
	"github.com/contextforge-go/contextforge/bench/internal/storebench"
)

func runData(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("bench data", flag.ContinueOnError)
	entries := fs.Int("entries", 100_000, "number of entries")
	queries := fs.Int("queries", 1000, "number of questions of each kind")
	first := fs.Int("from-first", 0, "questions from text come from this many first entries (default: all)")
	out := fs.String("out", "", "file for the entries (default: standard output)")
	asked := fs.String("queries-out", "", "file for the questions")
	if err := fs.Parse(args); err != nil {
		return err
	}
	c := corpus.New(storebench.Seed)
	if err := writeFile(*out, func(e *json.Encoder) error { return encodeEntries(e, c, *entries) }); err != nil {
		return err
	}
	if *asked == "" {
		return nil
	}
	if *first <= 0 {
		*first = *entries
	}
	return writeFile(*asked, func(e *json.Encoder) error { return encodeQueries(e, c, *queries, *first) })
}

func encodeEntries(enc *json.Encoder, c *corpus.Corpus, n int) error {
	for i := range n {
		e := c.Entry(i)
		line := struct {
			Content   string `json:"content"`
			Scope     string `json:"scope"`
			Timestamp int64  `json:"timestamp"`
		}{e.Content, e.Scope, e.Time.Unix()}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func encodeQueries(enc *json.Encoder, c *corpus.Corpus, n, entries int) error {
	for _, set := range []struct {
		from string
		list []corpus.Query
	}{{"distribution", c.Queries(n)}, {"text", c.QueriesFromText(n, entries)}, {"content", c.QueriesOfContent(n, entries)}} {
		for _, q := range set.list {
			line := struct {
				From  string `json:"from"`
				Text  string `json:"text"`
				Scope string `json:"scope"`
			}{set.from, q.Text, q.Scope}
			if err := enc.Encode(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFile writes JSON lines to a file, to standard output when it has no
// name.
func writeFile(name string, write func(*json.Encoder) error) error {
	if name == "" {
		return buffered(os.Stdout, write)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

func buffered(w io.Writer, write func(*json.Encoder) error) error {
	buf := bufio.NewWriterSize(w, 1<<16)
	return errors.Join(write(json.NewEncoder(buf)), buf.Flush())
}
