// This file tests what becomes of modes and symbolic links.

//go:build unix

package lexicon

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestModeStays(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o664, 0o755, 0o640} {
		d := newDesk(t, "[terms]\n")
		if err := os.Chmod(d.path, mode); err != nil {
			t.Fatal(err)
		}
		did(t, true)(d.AppendTerm(t.Context(), "deploy", 0.5, ""))
		info, err := os.Stat(d.path)
		if err != nil || info.Mode() != mode {
			t.Errorf("%v became %v, %v", mode, info.Mode(), err)
		}
	}
}

// The umask belongs to the process; tests of this package don't run in parallel.
func TestModeOfNewFile(t *testing.T) {
	for umask, want := range map[int]fs.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o664} {
		old := syscall.Umask(umask)
		d := newDesk(t, "")
		did(t, true)(d.AppendTerm(t.Context(), "deploy", 0.5, ""))
		syscall.Umask(old)
		if info, err := os.Stat(d.path); err != nil || info.Mode() != want {
			t.Errorf("umask %o: %v, %v", umask, info.Mode(), err)
		}
	}
}

func TestOwnerStays(t *testing.T) {
	d := newDesk(t, "[terms]\n")
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 12345, 23456
	}
	if err := os.Chown(d.path, uid, gid); err != nil {
		t.Fatal(err)
	}
	did(t, true)(d.AppendTerm(t.Context(), "deploy", 0.5, ""))
	info, err := os.Stat(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if stat := info.Sys().(*syscall.Stat_t); int(stat.Uid) != uid || int(stat.Gid) != gid {
		t.Errorf("owner %d, group %d", stat.Uid, stat.Gid)
	}
}

func TestReadOnly(t *testing.T) {
	d := newDesk(t, "[terms]\n")
	d.fs = readOnlyFiles{}
	if _, err := d.AppendTerm(t.Context(), "deploy", 0.5, ""); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	d.is("[terms]\n")
}

// readOnlyFiles forbids writing also to root.
type readOnlyFiles struct{ osFiles }

func (readOnlyFiles) Writable(name string) error {
	return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"real", "links"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(dir, "real", "x.toml")
	first, second := filepath.Join(dir, "links", "a"), filepath.Join(dir, "links", "b")
	for link, to := range map[string]string{first: second, second: filepath.Join("..", "real", "x.toml")} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, weight := range []float64{0.5, 0.75} { // into nothing, then into the file
		did(t, true)(NewAppender(first).AppendTerm(t.Context(), "deploy", weight, ""))
		for _, link := range []string{first, second} {
			if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("%s is no link any more: %v", link, err)
			}
		}
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "[terms]\ndeploy = 0.75\n" {
		t.Errorf("%q, %v", text, err)
	}
	for sub, want := range map[string]int{"real": 1, "links": 2} {
		if list, err := os.ReadDir(filepath.Join(dir, sub)); err != nil || len(list) != want {
			t.Errorf("%s holds %v, %v", sub, list, err)
		}
	}
}

func TestLinkLoop(t *testing.T) {
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if _, err := NewAppender(loop).AppendTerm(t.Context(), "deploy", 0.5, ""); err == nil || !strings.Contains(err.Error(), "symbolic links") {
		t.Error(err)
	}
}

// A name that somebody else put in the place of the lock neither makes a file
// elsewhere nor stops the program.
func TestLockIsNoTrap(t *testing.T) {
	d := newDesk(t, "[terms]\n")
	dir := filepath.Dir(d.path)
	lock, elsewhere := filepath.Join(dir, "."+filepath.Base(d.path)+".lock"), filepath.Join(dir, "elsewhere")
	if err := os.Symlink(elsewhere, lock); err != nil {
		t.Fatal(err)
	}
	if changed, err := d.AppendTerm(t.Context(), "deploy", 0.5, ""); changed || err == nil || !strings.Contains(err.Error(), lock) {
		t.Errorf("%v, %v", changed, err)
	}
	if _, err := os.Lstat(elsewhere); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file elsewhere: %v", err)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mkfifo", lock).Run(); err != nil {
		t.Fatal(err)
	}
	did(t, true)(d.AppendTerm(t.Context(), "deploy", 0.5, ""))
}
