package main

// This file tests how a store that another process uses is waited for.

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

func TestWait(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "text")
	m, err := contextforge.Open(t.Context(), contextforge.Config{Path: r.store()})
	if err != nil {
		t.Fatal(err)
	}
	r.fails(exitLocked, "is in use by another process", "", "count", "--wait", "50ms")
	released := make(chan error)
	go func() {
		time.Sleep(60 * time.Millisecond)
		released <- m.Close()
	}()
	if got := r.must("", "count", "--wait", "1m"); got != "1\n" {
		t.Error(got)
	}
	if err := <-released; err != nil {
		t.Error(err)
	}
}

// TestExportIntoImport joins both to one store by a pipe that holds nothing, as
// a shell does: neither may wait for the other for ever.
func TestExportIntoImport(t *testing.T) {
	r := newRig(t)
	r.must(manyLines(3000), "import")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	in, out := io.Pipe()
	var done sync.WaitGroup
	exporter := r.app(strings.NewReader(""), out, io.Discard)
	done.Go(func() {
		code := exporter.run(t.Context(), []string{"export", "--wait", "1m"})
		if err := out.Close(); err != nil || code != exitOK {
			t.Errorf("export: exit %d, %v", code, err)
		}
	})
	var said, errs bytes.Buffer
	if code := r.app(in, &said, &errs).run(t.Context(), []string{"import", "--wait", "1m"}); code != exitOK || said.String() != "imported 0, unchanged 3000, skipped 0\n" {
		t.Errorf("import: exit %d, %s%s", code, said.String(), errs.String())
	}
	done.Wait()
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestReadingEvictsNothing: only what writes entries holds the store to its
// capacity, and says so.
func TestReadingEvictsNothing(t *testing.T) {
	r := newRig(t)
	r.must(manyLines(30), "import")
	if err := os.WriteFile(r.path("c.json"), []byte(`{"max_entries":2,"max_entries_per_scope":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list"}, {"query", "sails"}, {"count"}, {"stats"}, {"get", "m1"}, {"history", "m1"}, {"scopes"}, {"export"}, {"verify"},
		{"rebuild"}, {"compact"}, {"recover"}, {"recover", "--force"}, {"checkpoint", r.path("copy")}, {"forget", "--kind", "none", "--yes"}} {
		for _, limit := range [][]string{{"--max-entries", "2"}, {"--config", r.path("c.json")}} {
			if args[0] == "checkpoint" {
				args[1] = filepath.Join(r.dir, limit[0])
			}
			r.must("", append(args, limit...)...)
			if got := r.must("", "count"); got != "30\n" {
				t.Fatalf("%q %q left %s", args, limit, got)
			}
		}
	}
	for n, args := range map[string][]string{"20": {"update", "m29", "new text", "--max-entries", "20"}, "7": {"save", "x", "--scope", "s1", "--max-entries", "7"}} {
		store := r.path("of" + n)
		r.must("", "checkpoint", store)
		o := r.run("", append(args, "--store", store)...)
		if o.code != exitOK || !strings.Contains(o.err, " entries left the store, oldest first, because of its capacity\n") {
			t.Errorf("%q: exit %d, %s", args, o.code, o.err)
		}
		if got := r.must("", "count", "--store", store); got != n+"\n" {
			t.Errorf("%q left %s", args, got)
		}
	}
}
