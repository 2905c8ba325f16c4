// This file tests that a file survives every failure and every crash of an edit.

package lexicon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
)

var errInjected = errors.New("injected")

// faultyFiles is the system's file system until the call with the number at.
type faultyFiles struct {
	osFiles
	at    int  // counts from 1; 0 for no fault
	crash bool // nothing happens from then on, instead of that one call failing
	after bool // the crash comes after the call
	calls int
	names []string // of the calls
}

// step counts a call and reports whether it happens, and fails.
func (f *faultyFiles) step(name string) (happens bool, err error) {
	f.calls++
	f.names = append(f.names, name)
	switch {
	case f.at == 0 || f.calls < f.at:
		return true, nil
	case f.calls == f.at:
		return f.after, errInjected
	case f.crash:
		return false, errInjected
	}
	return true, nil
}

// do makes a call that is a step.
func (f *faultyFiles) do(name string, call func() error) error {
	happens, err := f.step(name)
	if happens {
		err = errors.Join(call(), err)
	}
	return err
}

func (f *faultyFiles) Readlink(name string) (to string, err error) {
	err = f.do("readlink", func() error { to, err = f.osFiles.Readlink(name); return err })
	return to, err
}

func (f *faultyFiles) Read(name string, most int) (text []byte, info fs.FileInfo, err error) {
	err = f.do("read", func() error { text, info, err = f.osFiles.Read(name, most); return err })
	return text, info, err
}

func (f *faultyFiles) Writable(name string) error {
	return f.do("writable", func() error { return f.osFiles.Writable(name) })
}

func (f *faultyFiles) Create(dir string, shared bool) (file newFile, err error) {
	err = f.do("create", func() error { file, err = f.osFiles.Create(dir, shared); return err })
	if err != nil {
		if file != nil {
			file.Close()
		}
		return nil, err
	}
	return &faultyFile{file, f}, nil
}

func (f *faultyFiles) Rename(from, to string) error {
	return f.do("rename", func() error { return f.osFiles.Rename(from, to) })
}

func (f *faultyFiles) Remove(name string) error {
	return f.do("remove", func() error { return f.osFiles.Remove(name) })
}

func (f *faultyFiles) SyncDir(dir string) error {
	return f.do("sync folder", func() error { return f.osFiles.SyncDir(dir) })
}

func (f *faultyFiles) Lock(ctx context.Context, name string) (func() error, error) {
	var unlock func() error
	err := f.do("lock", func() (err error) { unlock, err = f.osFiles.Lock(ctx, name); return err })
	if unlock == nil {
		return nil, err
	}
	if err != nil { // a process that ends lets go of its locks
		return nil, errors.Join(err, unlock())
	}
	return func() error {
		_, err := f.step("unlock")
		return errors.Join(unlock(), err)
	}, nil
}

type faultyFile struct {
	newFile
	fs *faultyFiles
}

func (f *faultyFile) Imitate(like fs.FileInfo) error {
	return f.fs.do("imitate", func() error { return f.newFile.Imitate(like) })
}

// Write writes half when it fails, as on a full disk.
func (f *faultyFile) Write(text []byte) (n int, err error) {
	happens, err := f.fs.step("write")
	if !happens {
		if f.fs.calls == f.fs.at {
			n, _ = f.newFile.Write(text[:len(text)/2])
		}
		return n, err
	}
	n, writeErr := f.newFile.Write(text)
	return n, errors.Join(writeErr, err)
}

func (f *faultyFile) Sync() error { return f.fs.do("sync", f.newFile.Sync) }

func (f *faultyFile) Close() error {
	_, err := f.fs.step("close")
	return errors.Join(f.newFile.Close(), err)
}

func TestEveryFault(t *testing.T) {
	const old, edited = "# keep\n[terms]\ndeploy = 0.5\n", "# keep\n[terms]\ndeploy = 0.75 # why\n"
	const made = "[terms]\ndeploy = 0.75 # why\n"
	for _, before := range []string{old, ""} {
		want := edited
		if before == "" {
			want = made
		}
		steps := faultRun(t, before, want, faultyFiles{})
		if steps < 12 {
			t.Errorf("only %d steps", steps)
		}
		for at := 1; at <= steps; at++ {
			for _, f := range []faultyFiles{{at: at}, {at: at, crash: true}, {at: at, crash: true, after: true}} {
				faultRun(t, before, want, f)
			}
		}
	}
}

// faultRun edits a file with a fault, checks what is left, and that the next edit
// works as if nothing had been. It returns the number of steps.
func faultRun(t *testing.T, before, want string, f faultyFiles) int {
	t.Helper()
	d := newDesk(t, before)
	d.fs = &f
	changed, err := d.AppendTerm(t.Context(), "deploy", 0.75, "why")
	what := fmt.Sprintf("step %d (crash %v, after %v) of %v", f.at, f.crash, f.after, f.names)
	if (err != nil) != (f.at > 0) {
		t.Errorf("%s: %v", what, err)
	}
	got, readErr := os.ReadFile(d.path)
	isOld := string(got) == before && (before != "" || errors.Is(readErr, fs.ErrNotExist))
	if isNew := string(got) == want; !isOld && !isNew || !f.crash && changed != isNew {
		t.Errorf("%s: changed %v, the file holds %q", what, changed, got)
	}
	if f.at > 0 && !f.crash && f.names[f.at-1] != "create" && f.names[f.at-1] != "remove" {
		d.alone()
	}
	d.fs = osFiles{}
	did(t, true)(d.AppendTerm(t.Context(), "deploy", 1, ""))
	if s, err := Load(d.path); err != nil || s.Score(Item{Content: "Deploy!"}, "") != 1 {
		t.Errorf("%s: %v in %q", what, err, d.text())
	}
	return f.calls
}

// meddling changes the file behind an edit's back the first few times.
type meddling struct {
	osFiles
	times, writes int
	path          string
}

func (m *meddling) Create(dir string, shared bool) (newFile, error) {
	if m.writes < m.times {
		m.writes++
		text := fmt.Sprintf("# editor %d\n", m.writes)
		if err := os.WriteFile(m.path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return m.osFiles.Create(dir, shared)
}

// What an editor saves while an edit is under way isn't lost.
func TestEditorMeanwhile(t *testing.T) {
	for _, before := range []string{"", "# first\n"} {
		d := newDesk(t, before)
		d.fs = &meddling{times: 3, path: d.path}
		did(t, true)(d.AppendTerm(t.Context(), "deploy", 0.5, ""))
		d.is("# editor 3\n\n[terms]\ndeploy = 0.5\n")
	}
	d := newDesk(t, "")
	d.fs = &meddling{times: 1000, path: d.path}
	if _, err := d.AppendTerm(t.Context(), "deploy", 0.5, ""); !errors.Is(err, ErrContended) {
		t.Error(err)
	}
	d.is(fmt.Sprintf("# editor %d\n", maxAttempts))
}
