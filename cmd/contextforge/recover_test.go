package main

// This file tests how a damaged store is salvaged.

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func TestPrintRecovery(t *testing.T) {
	var out bytes.Buffer
	a := newRig(t).app(nil, &out, io.Discard)
	a.open()
	err := a.printRecovery(&recovery{RecoverReport: contextforge.RecoverReport{Entries: 4, Lost: 1, Damaged: "/there", Problems: []string{"a\nb"}}})
	if err = errors.Join(err, a.out.Flush()); err != nil {
		t.Fatal(err)
	}
	if want := "a\\nb\nrecovered 4 entries, lost 1\nthe original is in /there, with all it held, deleted text included; delete that folder when nothing is missing\n"; out.String() != want {
		t.Errorf("printed %s", out.String())
	}
}

// TestRecover damages the table that holds the entries.
func TestRecover(t *testing.T) {
	r := newRig(t)
	r.must("", "import", filepath.Join("..", "..", "testdata", "conversation", "turns.jsonl"))
	r.must("", "compact")
	r.must("", "checkpoint", r.path("sound"))
	tables, err := filepath.Glob(r.path("sound/*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	largest := slices.MaxFunc(tables, func(a, b string) int { return cmp.Compare(fileSize(t, a), fileSize(t, b)) })
	flipMiddle(t, largest)
	if o := r.run("", "verify", "--store", r.path("sound")); o.code != exitDamaged {
		t.Fatalf("the damage went unnoticed: exit %d: %s%s", o.code, o.out, o.err)
	}
	o := r.run("", "recover", "--store", r.path("sound"))
	if got := o.out; o.code != exitOK || o.err != "" || !strings.Contains(got, "deleted text included") {
		t.Errorf("exit %d, said %s%s", o.code, o.err, got)
	}
	got := o.out
	if !strings.Contains(got, "\nrecovered ") || !strings.Contains(got, "\nthe original is in "+r.path("sound.damaged-")) {
		t.Errorf("printed %s", got)
	}
	if got := r.must("", "verify", "--store", r.path("sound")); !strings.HasPrefix(got, "sound: ") || got == "sound: 0 entries\n" {
		t.Errorf("afterwards: %s", got)
	}
}

func fileSize(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestRecoverSoundStore(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "text", "--id", "x")
	if got := r.must("", "recover"); got != "the store is sound (1 entry), nothing to recover\n" {
		t.Errorf("printed %s", got)
	}
	if got := r.must("", "recover", "--json"); got != `{"sound":true,"entries":1,"lost":0,"damaged":"","problems":[]}`+"\n" {
		t.Errorf("printed %s", got)
	}
	got := r.must("", "recover", "--json", "--force")
	if !strings.HasPrefix(got, `{"sound":false,"entries":1,"lost":0,"damaged":"/`) || !strings.HasSuffix(got, `"problems":[]}`+"\n") {
		t.Errorf("printed %s", got)
	}
	if got := r.must("", "list", "--jsonl"); !strings.HasPrefix(got, `{"id":"x"`) {
		t.Errorf("holds %s", got)
	}
}

// TestRecoverRefuses: what is no store, or is in use, stays where it is.
func TestRecoverRefuses(t *testing.T) {
	r := newRig(t)
	if err := os.Mkdir(r.path("letters"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.path("letters/one.txt"), []byte("Dear Sir"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.fails(exitError, "choose another folder", "", "recover", "--store", r.path("letters"))
	r.fails(exitUsage, "only a folder", "", "recover", "--store", contextforge.MemoryPath)
	m, err := contextforge.Open(t.Context(), contextforge.Config{Path: r.store()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r.fails(exitLocked, r.store(), "", "recover")
	for _, name := range []string{"letters/one.txt", "store"} {
		if _, err := os.Stat(r.path(name)); err != nil {
			t.Error(err)
		}
	}
}

// TestRecoverGoesOn finishes a recovery that was cut off when the damaged store
// was aside and the copy not yet in its place.
func TestRecoverGoesOn(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "text", "--id", "x")
	side := r.store() + ".recovered"
	note := `{"format":"contextforge recovery 1","complete":true,"report":{"entries":1,"lost":2,"problems":["a line"]}}`
	if err := errors.Join(os.Mkdir(side, 0o700), os.Rename(r.store(), filepath.Join(side, "store")),
		os.WriteFile(filepath.Join(side, "RECOVERY"), []byte(note), 0o600)); err != nil {
		t.Fatal(err)
	}
	r.fails(exitDamaged, "a recovery was cut off", "", "save", "more")
	if got := r.must("", "recover"); !strings.HasPrefix(got, "a line\nrecovered 1 entry, lost 2\n") {
		t.Errorf("printed %s", got)
	}
	if got := r.must("", "list", "--jsonl"); !strings.HasPrefix(got, `{"id":"x"`) {
		t.Errorf("holds %s", got)
	}
}
