// This file tests what an Appender makes of a file, and what it leaves alone.

package lexicon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// desk is a folder with a lexicon file that tests edit.
type desk struct {
	*Appender
	t    *testing.T
	path string
}

func newDesk(t *testing.T, text string) *desk {
	t.Helper()
	d := &desk{t: t, path: filepath.Join(t.TempDir(), "lexicon.toml")}
	d.Appender = NewAppender(d.path)
	if text != "" {
		d.write(text)
	}
	return d
}

func (d *desk) write(text string) {
	d.t.Helper()
	if err := os.WriteFile(d.path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) text() string {
	d.t.Helper()
	text, err := os.ReadFile(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// is fails unless the file holds a text, and the folder nothing else.
func (d *desk) is(text string) {
	d.t.Helper()
	if got := d.text(); got != text {
		d.t.Errorf("the file holds\n%s\nwant\n%s", got, text)
	}
	d.alone()
}

// alone fails if there is more than the file in its folder.
func (d *desk) alone() {
	d.t.Helper()
	list, err := os.ReadDir(filepath.Dir(d.path))
	if err != nil {
		d.t.Fatal(err)
	}
	for _, entry := range list {
		if entry.Name() != "lexicon.toml" {
			d.t.Errorf("%s is left behind", entry.Name())
		}
	}
}

// did returns a function that fails unless a method reports what is wanted.
func did(t *testing.T, want bool) func(bool, error) {
	return func(changed bool, err error) {
		t.Helper()
		if err != nil || changed != want {
			t.Errorf("changed %v, %v; want %v", changed, err, want)
		}
	}
}

func TestAppenderRows(t *testing.T) {
	ctx := t.Context()
	t.Run("row 71: the file is made, a second term joins the first", func(t *testing.T) {
		d := newDesk(t, "")
		did(t, true)(d.AppendTerm(ctx, "deploy", 0.8, "marks releases", "e1", "e2"))
		d.is("[terms]\ndeploy = 0.8 # marks releases (from e1, e2)\n")
		did(t, true)(d.AppendTerm(ctx, "on-call rota", 1, ""))
		d.is("[terms]\ndeploy = 0.8 # marks releases (from e1, e2)\n\"on-call rota\" = 1.0\n")
	})
	t.Run("row 72: an affirmation in three spellings is one", func(t *testing.T) {
		d := newDesk(t, "")
		did(t, true)(d.AppendAffirmation(ctx, "Makes Sense"))
		did(t, false)(d.AppendAffirmation(ctx, "makes sense"))
		did(t, false)(d.AppendAffirmation(ctx, " MAKES  SENSE "))
		d.is("[affirmations]\npatterns = [\n    \"Makes Sense\",\n]\n")
	})
	t.Run("row 73: a negation in two spellings is one", func(t *testing.T) {
		d := newDesk(t, "")
		did(t, true)(d.AppendNegation(ctx, "that’s wrong"))
		did(t, false)(d.AppendNegation(ctx, "That's wrong"))
		d.is("[negations]\npatterns = [\n    \"that’s wrong\",\n]\n")
	})
	const full = "[terms]\ndeploy = 0.5\n\n[affirmations]\npatterns = [\"ship it\", \"Agreed\"]\n\n[negations]\npatterns = [\n  \"nope\", # firm\n  \"Nah\",\n]\n"
	t.Run("row 74: removing a missing term disturbs nothing", func(t *testing.T) {
		d := newDesk(t, full)
		did(t, false)(d.RemoveTerm(ctx, "depl"))
		d.is(full)
	})
	t.Run("row 75: removing the only term empties the table", func(t *testing.T) {
		d := newDesk(t, full)
		did(t, true)(d.RemoveTerm(ctx, "Deploy"))
		d.is(strings.Replace(full, "deploy = 0.5\n", "", 1))
	})
	t.Run("row 76: an affirmation is removed in any case", func(t *testing.T) {
		d := newDesk(t, full)
		did(t, true)(d.RemoveAffirmation(ctx, "agreed"))
		d.is(strings.Replace(full, ", \"Agreed\"", "", 1))
	})
	t.Run("row 77: a negation is removed in any case", func(t *testing.T) {
		d := newDesk(t, full)
		did(t, true)(d.RemoveNegation(ctx, "NOPE"))
		d.is(strings.Replace(full, "  \"nope\", # firm\n", "", 1))
	})
	t.Run("row 78: removing a missing affirmation does nothing", func(t *testing.T) {
		d := newDesk(t, full)
		did(t, false)(d.RemoveAffirmation(ctx, "nope"))
		d.is(full)
	})
}

// W8: weights are checked, comments and unknown tables stay, the order too, and a
// rationale can't break out of its comment.
func TestWeaknessW8(t *testing.T) {
	const text = "# ours\r\nversion = 3\r\n\r\n[terms] # weights\r\nzeta = 0.5 # z\r\nalpha = 1\r\n\r\n[custom]\r\nkey = \"value\" # kept\r\n"
	d := newDesk(t, text)
	for _, weight := range []float64{99, 1.5000001, 0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		var bad *WeightError
		if _, err := d.AppendTerm(t.Context(), "deploy", weight, ""); !errors.As(err, &bad) || !errors.Is(err, ErrProposal) || bad.Term != "deploy" {
			t.Errorf("weight %v: %v", weight, err)
		}
	}
	d.is(text)
	did(t, true)(d.AppendTerm(t.Context(), "patterns", 1.5, "one\r\n[terms]\nevil = 1\u2028\x00\x1b[2J \u202etwo\xff"))
	want := strings.Replace(text, "alpha = 1\r\n", "alpha = 1\r\npatterns = 1.5 # one [terms] evil = 1 [2J two\ufffd\r\n", 1)
	d.is(want)
	did(t, true)(d.AppendTerm(t.Context(), "ZETA", 0.75, ""))
	want = strings.Replace(want, "zeta = 0.5", "zeta = 0.75", 1)
	d.is(want)
	did(t, true)(d.RemoveTerm(t.Context(), "patterns"))
	d.is(strings.Replace(text, "zeta = 0.5", "zeta = 0.75", 1))
}

func TestAppendTermAgain(t *testing.T) {
	d := newDesk(t, "[terms]\n'Don’t panic' = 0.5 # old\n")
	did(t, true)(d.AppendTerm(t.Context(), "DON'T PANIC", 0.75, ""))
	d.is("[terms]\n'Don’t panic' = 0.75 # old\n")
	did(t, true)(d.AppendTerm(t.Context(), "dont panic", 0.75, "new", "e7"))
	d.is("[terms]\n'Don’t panic' = 0.75 # new (from e7)\n")
	did(t, false)(d.AppendTerm(t.Context(), "dont panic", 0.75, "new", "e7"))
	did(t, false)(d.AppendTerm(t.Context(), "dont panic", 0.75, ""))
	d.is("[terms]\n'Don’t panic' = 0.75 # new (from e7)\n")
}

// Of spellings that a person wrote side by side, the last one counts.
func TestSpellings(t *testing.T) {
	d := newDesk(t, "[terms]\ndeploy = 0.5\nDeploy = 0.7 # x\nDEPLOY = 0.6\n")
	did(t, true)(d.AppendTerm(t.Context(), "dePloy", 1, ""))
	s, err := Load(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Score(Item{Content: "deploy"}, ""); got != 1 {
		t.Errorf("score %v in\n%s", got, d.text())
	}
	did(t, true)(d.RemoveTerm(t.Context(), "deploy"))
	d.is("[terms]\n")
}

func TestAppendSeveral(t *testing.T) {
	d := newDesk(t, "")
	list := []Proposal{
		{Sort: Term, Pattern: "deploy", Weight: 0.5, Rationale: "r"},
		{Sort: Affirmation, Pattern: "ship it", Rationale: "dialect", SourceIDs: []string{"a", "b"}},
		{Sort: Negation, Pattern: "hard no", SourceIDs: []string{"c"}},
		{Sort: Affirmation, Pattern: "SHIP IT"},
	}
	did(t, true)(d.Append(t.Context(), list...))
	const want = "[terms]\ndeploy = 0.5 # r\n\n[affirmations]\npatterns = [\n    \"ship it\", # dialect (from a, b)\n]\n\n[negations]\npatterns = [\n    \"hard no\", # from c\n]\n"
	d.is(want)
	did(t, false)(d.Append(t.Context(), list...))
	did(t, false)(d.Append(t.Context()))
	if _, err := d.Append(t.Context(), Proposal{Sort: Negation, Pattern: "new"}, Proposal{Sort: Negation}); !errors.Is(err, ErrProposal) {
		t.Error(err)
	}
	d.is(want)
	s, err := Load(d.path)
	if err != nil || s.Len() != 3 {
		t.Errorf("%d patterns, %v", s.Len(), err)
	}
}

// What has nothing to do doesn't touch the file, not even its time, nor makes one.
func TestNothingToDo(t *testing.T) {
	ctx := t.Context()
	idle := func(d *desk) {
		t.Helper()
		did(t, false)(d.RemoveTerm(ctx, "none"))
		did(t, false)(d.RemoveAffirmation(ctx, "none"))
		did(t, false)(d.RemoveNegation(ctx, "none"))
	}
	missing := newDesk(t, "")
	idle(missing)
	if _, err := os.Lstat(missing.path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file was made:", err)
	}
	missing.alone()

	d := newDesk(t, "[terms]\ndeploy = 0.5\n[affirmations]\npatterns = ['yes sir']\n")
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(d.path, past, past); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(d.path)
	if err != nil {
		t.Fatal(err)
	}
	idle(d)
	did(t, false)(d.AppendTerm(ctx, "Deploy", 0.5, ""))
	did(t, false)(d.AppendAffirmation(ctx, "YES  SIR"))
	after, err := os.Stat(d.path)
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(past) {
		t.Errorf("touched: %v, %v", after, err)
	}
}

func TestRefused(t *testing.T) {
	ctx := t.Context()
	for name, tt := range map[string]struct {
		text string
		want error
		say  string
	}{
		"malformed":              {"[terms]\ndeploy = \n", ErrLexicon, "lexicon.toml:2:"},
		"an array of tables":     {"x = 1\n[[terms]]\n", ErrForm, "line 2"},
		"terms is a value":       {"terms = 3\n", ErrForm, "line 1"},
		"a term that is a table": {"[terms.deploy]\nx = 1\n", ErrForm, "line 1"},
	} {
		d := newDesk(t, tt.text)
		_, err := d.AppendTerm(ctx, "deploy", 0.5, "")
		if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.say) || !strings.Contains(err.Error(), "lexicon.toml") {
			t.Errorf("%s: %v", name, err)
		}
		d.is(tt.text)
	}
	d := newDesk(t, "[affirmations]\npatterns = 3\n")
	if _, err := d.AppendAffirmation(ctx, "yes"); !errors.Is(err, ErrForm) {
		t.Errorf("a pattern joined a number: %v", err)
	}
	for _, pattern := range []string{"", " \t\n", "'", "?!", "\xff", strings.Repeat("long ", 200)} {
		for _, sort := range []Sort{Term, Affirmation, Negation} {
			p := Proposal{Sort: sort, Pattern: pattern}
			if sort == Term {
				p.Weight = 1
			}
			var bad *PatternError
			if _, err := d.Append(ctx, p); !errors.As(err, &bad) || bad.Sort != sort {
				t.Errorf("%s %q: %v", sort, pattern, err)
			}
		}
	}
}

func TestMissingFolder(t *testing.T) {
	a := NewAppender(filepath.Join(t.TempDir(), "none", "lexicon.toml"))
	_, err := a.AppendTerm(t.Context(), "deploy", 0.5, "")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "folder") {
		t.Error(err)
	}
	did(t, false)(a.RemoveTerm(t.Context(), "deploy"))
}

func TestNotAFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := NewAppender(dir).AppendTerm(t.Context(), "deploy", 0.5, ""); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}

func TestTooLarge(t *testing.T) {
	almost := "# " + strings.Repeat("x", MaxFileBytes-3) + "\n"
	d := newDesk(t, almost)
	if _, err := d.AppendTerm(t.Context(), "deploy", 0.5, ""); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
	d.write(almost + "\n")
	if _, err := d.RemoveTerm(t.Context(), "deploy"); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
}

func TestLockEndsWithContext(t *testing.T) {
	d := newDesk(t, "")
	other := NewAppender(d.path)
	unlock, err := d.lock(t.Context(), d.path)
	if err != nil {
		t.Fatal(err)
	}
	waiting := []*Appender{d.Appender, other}
	switch runtime.GOOS {
	case "js", "wasip1", "plan9": // have no locks between Appenders
		waiting = waiting[:1]
	}
	for _, a := range waiting {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := a.AppendTerm(ctx, "deploy", 0.5, ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	did(t, true)(other.AppendTerm(t.Context(), "deploy", 0.5, ""))
	did(t, true)(d.AppendTerm(t.Context(), "deploy", 0.6, ""))
	d.is("[terms]\ndeploy = 0.6\n")
}

// Files that a crash left behind don't matter.
func TestLeftovers(t *testing.T) {
	d := newDesk(t, "")
	dir := filepath.Dir(d.path)
	for _, name := range []string{".lexicon.toml.lock", ".lexicon-0000000000000000.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	did(t, true)(d.AppendTerm(t.Context(), "deploy", 0.5, ""))
	if got := d.text(); got != "[terms]\ndeploy = 0.5\n" {
		t.Error(got)
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var text strings.Builder
			text.WriteString("[terms]\n")
			for i := range n {
				fmt.Fprintf(&text, "\"term %d\" = 0.5 # why\n", i)
			}
			path := filepath.Join(b.TempDir(), "lexicon.toml")
			if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
				b.Fatal(err)
			}
			a := NewAppender(path)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := a.AppendTerm(b.Context(), "deploy", 0.25+float64(i%2)/4, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
