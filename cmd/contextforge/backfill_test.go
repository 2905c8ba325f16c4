package main

// This file tests what a backfill says, to whom, and how it ends.

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func TestFillProgressLines(t *testing.T) {
	var out, errs bytes.Buffer
	a := newRig(t).app(strings.NewReader(""), &out, &errs)
	a.open()
	p := &fillProgress{app: a}
	for done := range 100 {
		p.show(done+1, 100)
	}
	if got := errs.String(); strings.Count(got, "\n") != 9 || !strings.HasPrefix(got, "contextforge: embedded 10 of 100 entries\n") {
		t.Errorf("it said\n%s", got)
	}
	errs.Reset()
	p = &fillProgress{app: a}
	p.show(0, 0)
	p.show(1, 1)
	if errs.Len() > 0 {
		t.Errorf("it said %q about what is done", errs.String())
	}
}

func TestFillProgressBar(t *testing.T) {
	var out, errs bytes.Buffer
	r := newRig(t)
	r.terminal = true
	a := r.app(strings.NewReader(""), &out, &errs)
	a.open()
	p := &fillProgress{app: a}
	p.clear() // nothing was shown yet
	p.show(5, 10)
	p.show(8, 20)
	p.failed(t.Context(), []contextforge.EmbeddingFailure{{ID: "x\n", Err: errors.New("contextforge: embedding failed")}})
	p.clear()
	if got := errs.String(); !strings.Contains(got, "embedding") || !strings.Contains(got, `contextforge: x\n: embedding failed`+"\n") {
		t.Errorf("it drew %q", got)
	}
	if got := p.bar.GetMax(); got != 20 {
		t.Errorf("the bar ends at %d", got)
	}
}

// TestFillSkips: entries that the model fails on are shown, up to a hundred, and
// counted; the exit code tells.
func TestFillSkips(t *testing.T) {
	for _, verbose := range []bool{false, true} {
		var out, errs bytes.Buffer
		a := newRig(t).app(strings.NewReader(""), &out, &errs)
		a.open()
		a.global.verbose = verbose
		p := &fillProgress{app: a}
		for range shownFaults + 5 {
			p.failed(t.Context(), []contextforge.EmbeddingFailure{{ID: "e", Err: errors.New("broken")}})
		}
		want := shownFaults + 1
		if verbose {
			want = shownFaults + 5
		}
		if got := strings.Count(errs.String(), "\n"); got != want || p.skipped != shownFaults+5 {
			t.Errorf("verbose %v: %d lines, want %d, %d skipped", verbose, got, want, p.skipped)
		}
	}
	var out, errs bytes.Buffer
	a := newRig(t).app(strings.NewReader(""), &out, &errs)
	a.open()
	others := &contextforge.Stats{Model: "new", Models: []contextforge.ModelStats{{ID: "new"}, {ID: "old", Entries: 3}, {ID: "empty"}}}
	for _, tt := range []struct {
		f         filling
		asJSON    bool
		code      error
		out, said string
	}{
		{filling{3, 2}, false, exitCode(exitPartial), "embedded 3 entries, skipped 2\n", ""},
		{filling{1, 2}, true, exitCode(exitPartial), `{"embedded":1,"skipped":2}` + "\n", ""},
		{filling{1, 0}, false, nil, "embedded 1 entry, skipped 0\n", "contextforge: the vectors of another model are removed: old (3 entries)\n"},
	} {
		out.Reset()
		errs.Reset()
		err := a.printFilling(tt.f, others, tt.asJSON)
		if flushErr := a.out.Flush(); flushErr != nil || err != tt.code || out.String() != tt.out || errs.String() != tt.said {
			t.Errorf("%+v: %v, printed %q, said %q", tt.f, err, out.String(), errs.String())
		}
	}
}

// TestEmbeddingFailures: a save whose text gets no vector says so.
func TestEmbeddingFailures(t *testing.T) {
	var out, errs bytes.Buffer
	a := newRig(t).app(strings.NewReader(""), &out, &errs)
	a.open()
	a.countFailed(t.Context(), []contextforge.EmbeddingFailure{{ID: "a", Err: errors.New("contextforge: first")}, {ID: "b", Err: errors.New("second")}})
	a.countFailed(t.Context(), []contextforge.EmbeddingFailure{{ID: "c", Err: errors.New("third")}})
	a.reportSideEffects()
	if got := errs.String(); got != "contextforge: 3 entries got no vectors and can be found by words alone until contextforge backfill makes them: first\n" {
		t.Errorf("it said %q", got)
	}
}

// TestWordsAlone: that a question was answered by words alone, for an error, is
// a warning that is shown.
func TestWordsAlone(t *testing.T) {
	var out, errs bytes.Buffer
	a := newRig(t).app(strings.NewReader(""), &out, &errs)
	a.open()
	a.logger().WarnContext(context.Background(), wordsAlone, "err", errors.New("contextforge: no reading"))
	a.logger().Warn("contextforge: another", "err", errors.New("which the operation returns"))
	if got := errs.String(); got != "contextforge: the query is answered by words alone: no reading\n" {
		t.Errorf("it said %q", got)
	}
}

func TestAsUsedWith(t *testing.T) {
	stored := []contextforge.ModelStats{{ID: "a", Dimension: 3, Entries: 5, Vectors: 7}, {ID: "b", Dimension: 4, Entries: 1, Vectors: 1}}
	for _, tt := range []struct {
		id                           string
		dimension, embedded, vectors int
		others                       string
	}{{"a", 3, 5, 7, "b"}, {"b", 4, 1, 1, "a"}, {"c", 0, 0, 0, "a b"}, {"", 0, 0, 0, "a b"}} {
		s := contextforge.Stats{Models: stored, OtherModels: []string{"a", "b"}}
		asUsedWith(&s, tt.id)
		if s.Model != tt.id || s.Dimension != tt.dimension || s.Embedded != tt.embedded || s.Vectors != tt.vectors || strings.Join(s.OtherModels, " ") != tt.others {
			t.Errorf("%q: %+v", tt.id, s)
		}
	}
}
