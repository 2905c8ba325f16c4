//go:build unix && !aix && !solaris && !illumos

package contextforge_test

// Nobody but its owner can read a store, whatever the umask: neither the folder
// nor a file in it, the lock, copies and what a recovery makes included.

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func TestPrivateFiles(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o077} {
		parent := t.TempDir()
		before := syscall.Umask(umask)
		livedIn(t, filepath.Join(parent, "made", "store"), filepath.Join(parent, "copy"))
		syscall.Umask(before)
		private(t, filepath.Join(parent, "made", "store"))
		private(t, filepath.Join(parent, "copy"))
		damaged, err := filepath.Glob(filepath.Join(parent, "made", "store.damaged-*"))
		if err != nil || len(damaged) != 1 {
			t.Fatalf("put aside: %q, %v", damaged, err)
		}
		private(t, damaged[0])
	}
}

// livedIn makes a store with every sort of file, recovers it and copies it.
func livedIn(t *testing.T, dir, copied string) {
	t.Helper()
	m := open(t, contextforge.Config{Path: dir})
	chatter(t, m, 1500)
	must(t, m.Compact(ctx))
	save(t, m, "in the log", contextforge.SaveOptions{})
	must(t, m.Close())
	// As an earlier version left it.
	must(t, os.Chmod(filepath.Join(dir, "LOCK"), 0o666))
	if _, err := contextforge.Recover(ctx, contextforge.Config{Path: dir}); err != nil {
		t.Fatal(err)
	}
	m = open(t, contextforge.Config{Path: dir})
	must(t, m.Checkpoint(ctx, copied))
	must(t, m.Close())
	must(t, open(t, contextforge.Config{Path: copied}).Close())
}

// private checks the modes of a folder and everything in it.
func private(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files++
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", path, got, want)
		}
		return nil
	})
	if err != nil || files < 4 {
		t.Errorf("%s: %d files, %v", dir, files, err)
	}
}
