//go:build !js && !wasip1 && !solaris && !aix && !plan9

package faultfs

// Every kind of change is announced once, with the file it concerns, and has no
// effect when it is refused.

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

const category = vfs.WriteCategoryUnspecified

// script makes every kind of change and returns the first error.
func script(fs vfs.FS) error {
	if err := fs.MkdirAll("d", 0o700); err != nil {
		return err
	}
	if err := writeFile(fs, "d/a"); err != nil {
		return err
	}
	if err := fs.Link("d/a", "d/b"); err != nil {
		return err
	}
	if err := fs.Rename("d/a", "d/c"); err != nil {
		return err
	}
	reused, err := fs.ReuseForWrite("d/c", "d/e", category)
	if err != nil {
		return err
	}
	if _, err := reused.Write([]byte("new")); err != nil {
		return err
	}
	opened, err := fs.OpenReadWrite("d/b", category)
	if err != nil {
		return err
	}
	if _, err := opened.WriteAt([]byte("at"), 1); err != nil {
		return err
	}
	dir, err := fs.OpenDir("d")
	if err != nil {
		return err
	}
	if err := errors.Join(dir.Sync(), dir.Close(), reused.Close(), opened.Close()); err != nil {
		return err
	}
	if err := fs.Remove("d/b"); err != nil {
		return err
	}
	return fs.RemoveAll("d")
}

func writeFile(fs vfs.FS, name string) error {
	f, err := fs.Create(name, category)
	if err != nil {
		return err
	}
	if err := f.Preallocate(0, 10); err != nil {
		return err
	}
	if _, err := f.Write([]byte("abcd")); err != nil {
		return err
	}
	if err := f.SyncData(); err != nil {
		return err
	}
	if _, err := f.SyncTo(4); err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

var announced = []Op{
	{Mkdir, "d"}, {Create, "d/a"}, {Preallocate, "d/a"}, {Write, "d/a"}, {Sync, "d/a"}, {Sync, "d/a"}, {Sync, "d/a"},
	{Link, "d/b"}, {Rename, "d/c"}, {Reuse, "d/e"}, {Write, "d/e"}, {OpenWrite, "d/b"}, {Write, "d/b"}, {Sync, "d"},
	{Remove, "d/b"}, {Remove, "d"},
}

func TestAnnouncesEveryChange(t *testing.T) {
	var got []Op
	fs := Wrap(vfs.NewMem(), func(op Op) error { got = append(got, op); return nil })
	if err := script(fs); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, announced) {
		t.Errorf("announced\n%v, want\n%v", got, announced)
	}
}

func TestRefusesEveryChange(t *testing.T) {
	broken := errors.New("broken")
	for i := range announced {
		n := 0
		fs := Wrap(vfs.NewMem(), func(Op) error {
			if n++; n == i+1 {
				return broken
			}
			return nil
		})
		if err := script(fs); !errors.Is(err, broken) {
			t.Errorf("change %d %v: %v", i, announced[i], err)
		}
		if n != i+1 && announced[i].Kind != Sync {
			t.Errorf("change %d %v: %d changes announced", i, announced[i], n)
		}
	}
}

func TestShortWrite(t *testing.T) {
	mem := vfs.NewMem()
	for name, want := range map[string]struct {
		refuse error
		left   string
	}{"nothing": {errors.New("refused"), ""}, "half": {ErrShort, "ab"}} {
		fs := Wrap(mem, func(op Op) error {
			if op.Kind == Write {
				return want.refuse
			}
			return nil
		})
		if err := writeFile(fs, name); !errors.Is(err, want.refuse) {
			t.Errorf("%s: %v", name, err)
		}
		f, err := fs.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil || string(got) != want.left {
			t.Errorf("%s left %q, %v", name, got, err)
		}
	}
}

func TestUnwrap(t *testing.T) {
	mem := vfs.NewMem()
	if got := vfs.Root(Wrap(mem, nil)); got != vfs.FS(mem) {
		t.Errorf("root is %T", got)
	}
}
