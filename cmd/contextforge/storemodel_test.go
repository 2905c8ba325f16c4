//go:build !contextforge_noweights

package main

// This file tests the command with the built-in model and with another one:
// what is embedded when, what loads no model, and how a backfill is cut off.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

func (r *rig) stats() (s contextforge.Stats) {
	r.t.Helper()
	if err := json.Unmarshal([]byte(r.must("", "stats", "--json")), &s); err != nil {
		r.t.Fatal(err)
	}
	return s
}

func TestStatsOfVectors(t *testing.T) {
	r := newModelRig(t)
	r.must(manyLines(5), "import")
	long := strings.Repeat("many words about sails and boats and harbours ", 100)
	r.must("", "save", long)
	s := r.stats()
	if s.Model != allminilm.ID || s.Dimension != 384 || s.Entries != 6 || s.Embedded != 6 || s.Vectors < 8 || s.Waiting != 0 || len(s.OtherModels) != 0 {
		t.Errorf("%+v", s)
	}
	got := r.must("", "stats")
	for _, want := range []string{
		"model             " + allminilm.Name + "\n", "embedded          6\n", fmt.Sprintf("vectors           %d\n", s.Vectors),
		"waiting           0\n", "other models      (none)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	got = r.must("", "stats", "--embedder", "none")
	if !strings.Contains(got, "model             (none)\nembedded          0\n") || !strings.Contains(got, "other models      "+allminilm.Name+" (6 entries)\n") {
		t.Errorf("without a model:\n%s", got)
	}
}

// TestNoModelNeeded: what needs no vectors works with a model that can't be
// loaded, and disturbs none of them.
func TestNoModelNeeded(t *testing.T) {
	r := newModelRig(t)
	r.must(manyLines(8), "import")
	before := r.stats()
	for _, args := range [][]string{
		{"list"}, {"get", "m1"}, {"history", "m1"}, {"count"}, {"scopes"}, {"export"}, {"verify"}, {"rebuild"}, {"compact"},
		{"checkpoint", r.path("copy")}, {"query", "*"}, {"forget", "--kind", "none", "--yes"}, {"recover", "--force"},
	} {
		r.must("", append(args, "--embedder", r.path("missing.gguf"))...)
		if s := r.stats(); s.Embedded != before.Embedded || s.Vectors != before.Vectors {
			t.Fatalf("%q left %d of %d vectors", args, s.Vectors, before.Vectors)
		}
	}
	r.must("", "delete", "m1", "--embedder", r.path("missing.gguf"))
	if s := r.stats(); s.Embedded != 7 || s.Vectors != 7 {
		t.Errorf("after a deletion %+v", s)
	}
	r.must("", "clear", "--all", "--yes", "--embedder", r.path("missing.gguf"))
	if s := r.stats(); s.Embedded != 0 || s.Vectors != 0 {
		t.Errorf("after clearing %+v", s)
	}
	for _, args := range [][]string{{"save", "x"}, {"update", "m2", "x"}, {"query", "x"}, {"import"}, {"backfill"}, {"similar", "m2"}} {
		r.fails(exitError, "no such file", "", append(args, "--embedder", r.path("missing.gguf"))...)
	}
}

// TestEmbedderByEnvironment: the flag wins over the environment, and that over
// the file.
func TestEmbedderByEnvironment(t *testing.T) {
	r := newModelRig(t)
	if err := os.WriteFile(r.path("c.json"), []byte(`{"embedder":"builtin"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r.env[embedderEnv] = noEmbedder
	r.must("", "save", "one", "--config", r.path("c.json"))
	if s := r.stats(); s.Model != "" || len(s.OtherModels) != 0 {
		t.Errorf("%+v", s)
	}
	r.must("", "save", "two", "--embedder", builtinEmbedder)
	r.env[embedderEnv] = builtinEmbedder
	if s := r.stats(); s.Embedded != 1 || s.Entries != 2 {
		t.Errorf("%+v", s)
	}
}

// otherModel writes a model that differs from the built-in one in its last byte.
func otherModel(t *testing.T, r *rig) string {
	t.Helper()
	file, err := os.ReadFile(modelFile)
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)-1] ^= 1
	if err := os.WriteFile(r.path("other.gguf"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	return r.path("other.gguf")
}

// TestOtherModel goes from one model to another: words find what has no vectors
// yet, the old ones stay until all have new ones.
func TestOtherModel(t *testing.T) {
	r := newModelRig(t)
	r.must(manyLines(4), "import", "--embedder", modelFile)
	if s := r.stats(); s.Embedded != 4 {
		t.Fatalf("the built-in model as a file: %+v", s)
	}
	other := otherModel(t, r)
	o := r.run("", "query", "boats", "--embedder", other)
	if o.code != exitOK || !strings.Contains(o.err, "4 of 4 entries can be found by words alone") || strings.Count(o.out, "score") != 4 {
		t.Errorf("exit %d\n%s%s", o.code, o.out, o.err)
	}
	if s := r.stats(); s.Embedded != 4 {
		t.Errorf("a question changed the vectors: %+v", s)
	}
	o = r.run("", "backfill", "--embedder", other)
	if o.code != exitOK || o.out != "embedded 4 entries, skipped 0\n" || !strings.Contains(o.err, "removed: "+allminilm.Name+" (4 entries)\n") {
		t.Errorf("exit %d\n%s%s", o.code, o.out, o.err)
	}
	if s := r.stats(); s.Embedded != 0 || len(s.OtherModels) != 1 {
		t.Errorf("%+v", s)
	}
	if got := r.must("", "stats", "--embedder", other); !strings.Contains(got, "embedded          4\n") {
		t.Error(got)
	}
}

// cancelAt ends a context once something was written.
type cancelAt struct {
	bytes.Buffer
	text   string
	cancel context.CancelFunc
}

// Write implements io.Writer.
func (c *cancelAt) Write(b []byte) (int, error) {
	if strings.Contains(string(b), c.text) {
		c.cancel()
	}
	return c.Buffer.Write(b)
}

func TestBackfillStops(t *testing.T) {
	r := newModelRig(t)
	r.must(manyLines(40), "import", "--embedder", "none")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	errs := &cancelAt{text: "embedded 8 of 40", cancel: cancel}
	var out bytes.Buffer
	code := r.app(strings.NewReader(""), &out, errs).run(ctx, []string{"backfill", "--batch", "2"})
	want := "the backfill stopped: embedded 8, skipped 0 of 40 entries; start it again to go on\ncontextforge: interrupted\n"
	if code != exitInterrupted || out.Len() > 0 || !strings.HasSuffix(errs.String(), want) {
		t.Errorf("exit %d, %s%s", code, out.String(), errs.String())
	}
	if s := r.stats(); s.Embedded != 8 {
		t.Errorf("%d were kept", s.Embedded)
	}
	if got := r.must("", "backfill", "--json"); got != `{"embedded":32,"skipped":0}`+"\n" {
		t.Error(got)
	}
}

// TestImportEmbeds: the commits are smaller, but what is compared for equal ids
// isn't, so that the counts are those of an import without a model.
func TestImportEmbeds(t *testing.T) {
	lines := manyLines(300) + manyLines(20) + `{"id":"m3","content":"another text"}` + "\n" + `{"id":"bad` + "\x00" + `","content":"an id that is none"}` + "\n"
	r := newModelRig(t)
	plain := r.run(lines, "import", "--embedder", "none", "--store", r.path("plain"))
	embedded := r.run(lines, "import")
	if plain.code != embedded.code || plain.out != embedded.out || plain.err != embedded.err {
		t.Errorf("without a model\n%+v\nwith it\n%+v", plain, embedded)
	}
	if s := r.stats(); s.Entries != s.Embedded || s.Entries < 300 {
		t.Errorf("%d entries, %d embedded", s.Entries, s.Embedded)
	}
	for _, args := range [][]string{{"import"}, {"import", "--embedder", "none"}} {
		if got := r.run(lines, args...); !strings.HasPrefix(got.out, "imported ") || strings.Contains(got.out, "imported 30") {
			t.Errorf("%q again: %+v", args, got)
		}
	}
	if s := r.stats(); s.Entries != s.Embedded {
		t.Errorf("an import that changed nothing left %d of %d", s.Embedded, s.Entries)
	}
}

func TestImportBar(t *testing.T) {
	for _, embeds := range []bool{false, true} {
		var errs bytes.Buffer
		r := newModelRig(t)
		r.terminal = true
		a := r.app(strings.NewReader(""), io.Discard, &errs)
		a.open()
		if err := a.progress(100, embeds).RenderBlank(); err != nil {
			t.Fatal(err)
		}
		if got := errs.String(); !strings.Contains(got, "importing") || strings.Contains(got, "and embedding") != embeds {
			t.Errorf("embeds %v: %q", embeds, got)
		}
	}
}

// BenchmarkStart is what the model costs a command that uses it.
func BenchmarkStart(b *testing.B) {
	for _, choice := range []string{noEmbedder, builtinEmbedder} {
		b.Run(choice, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (storeModel{choice}).load(&app{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
