// This file checks whose folders are opened, who may read them and who is kept
// out.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
)

// TestStrayFiles checks case P13: strays in a new and in an existing store's
// folder are ignored and left alone.
func TestStrayFiles(t *testing.T) {
	dir := t.TempDir()
	strays := map[string]string{"._x": "apple", ".DS_Store": "mac", "foo.tmp": "", "Thumbs.db": "win", "desktop.ini": "win"}
	check := func() {
		t.Helper()
		for name, want := range strays {
			if got := string(readFile(t, filepath.Join(dir, name))); got != want {
				t.Errorf("%s is %q", name, got)
			}
		}
	}
	for name, text := range strays {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := openStore(t, dir, Options{})
	setSync(t, s, "a", "1")
	check()
	mustClose(t, s)
	strays["notes.txt"] = "mine, put here later"
	strays["._marker.manifest.000001.MANIFEST-000001"] = "apple"
	for _, name := range []string{"notes.txt", "._marker.manifest.000001.MANIFEST-000001"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strays[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s = openStore(t, dir, Options{})
	if v, err := kv.GetCopy(s, nil, []byte("a")); err != nil || string(v) != "1" {
		t.Errorf("get: %q, %v", v, err)
	}
	compact(t, s)
	if err := s.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	check()
	mustClose(t, s)
	check()
}

func TestForeignFolder(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, dir string)
		text string
	}{
		{"documents", func(t *testing.T, dir string) { writeText(t, dir, "report.txt", "x") }, "report.txt"},
		{"a full tmp file", func(t *testing.T, dir string) { writeText(t, dir, "foo.tmp", "data") }, "foo.tmp"},
		{"a folder in it", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "src"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "src"},
		{"a bare Pebble database", func(t *testing.T, dir string) {
			db, err := pebble.Open(dir, Options{}.pebbleOptions(vfs.Default))
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}, "other files"},
		{"a newer format", func(t *testing.T, dir string) { writeText(t, dir, formatName, formatPrefix+"2\n") }, "newer version"},
		{"another program's name", func(t *testing.T, dir string) { writeText(t, dir, formatName, "hello") }, "format"},
		{"an empty format file", func(t *testing.T, dir string) { writeText(t, dir, formatName, "") }, "format"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			test.make(t, dir)
			before := listing(t, dir)
			_, err := Open(dir, Options{})
			if !errors.Is(err, kv.ErrForeign) || !strings.Contains(err.Error(), test.text) || !strings.Contains(err.Error(), dir) {
				t.Fatalf("error: %v", err)
			}
			if after := listing(t, dir); after != before {
				t.Errorf("folder changed from %s to %s", before, after)
			}
		})
	}
}

func writeText(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	for _, name := range files(t, dir, "*") {
		names = append(names, filepath.Base(name))
	}
	return strings.Join(names, " ")
}

// TestPathIsFile opens something that is no folder.
func TestPathIsFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(name, Options{}); err == nil {
		mustClose(t, s)
		t.Fatal("a file was opened as a store")
	}
}

// TestPermissions checks that missing parents are made and that others can't
// read what is written.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // no such permissions
	}
	dir := filepath.Join(t.TempDir(), "some", "parents", "db")
	s := openStore(t, dir, Options{})
	setSync(t, s, "a", "1")
	flush(t, s)
	compact(t, s)
	copied := filepath.Join(t.TempDir(), "copy")
	if err := s.Checkpoint(context.Background(), copied); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	for _, at := range []string{dir, copied} {
		if info, err := os.Stat(at); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("folder %s: %v, %v", at, info.Mode(), err)
		}
		for _, name := range files(t, at, "*") {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v", name, info.Mode())
			}
		}
	}
}

// TestLocked opens a folder twice in this process, by several spellings.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, Options{})
	link := filepath.Join(t.TempDir(), "link")
	spellings := []string{dir, dir + "/", filepath.Join(dir, "..", filepath.Base(dir))}
	if os.Symlink(dir, link) == nil {
		spellings = append(spellings, link)
	}
	t.Chdir(filepath.Dir(dir))
	spellings = append(spellings, filepath.Base(dir), "./"+filepath.Base(dir))
	for _, spelling := range spellings {
		_, err := Open(spelling, Options{})
		if !errors.Is(err, kv.ErrLocked) || !strings.Contains(err.Error(), filepath.Base(dir)) {
			t.Errorf("second open as %s: %v", spelling, err)
		}
	}
	setSync(t, s, "a", "1")
	mustClose(t, s)
	mustClose(t, openStore(t, link, Options{}))
}

// TestLockedInMemory checks the same for a file system of the caller.
func TestLockedInMemory(t *testing.T) {
	o := Options{FS: vfs.NewMem()}
	s := openStore(t, "/db", o)
	if _, err := Open("/db", o); !errors.Is(err, kv.ErrLocked) {
		t.Errorf("second open: %v", err)
	}
	mustClose(t, s)
	mustClose(t, openStore(t, "/db", o))
}

// childFolder tells the test binary to act as the other process.
const childFolder = "PEBBLEKV_TEST_FOLDER"

// TestChildProcess is the other process of the tests below; alone it does
// nothing. It commits numbers and prints each once it is acknowledged.
func TestChildProcess(t *testing.T) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		return
	}
	s := openStore(t, dir, Options{SmallDevice: true})
	fmt.Println("open")
	for n := 0; ; n++ {
		setSync(t, s, fmt.Sprintf("k%06d", n), strings.Repeat("v", n%3000))
		fmt.Println("acked", n)
	}
}

// startChild runs the other process and waits until it has acknowledged n
// commits.
func startChild(t *testing.T, dir string, n int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildProcess$", "-test.v")
	cmd.Env = append(os.Environ(), childFolder+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if lines.Text() == fmt.Sprint("acked ", n) {
			return cmd, lines
		}
	}
	t.Fatal("the other process ended early")
	return nil, nil
}

// TestOtherProcess checks case P11 (a second process gets kv.ErrLocked), kills
// the first one, and checks that all it acknowledged is there.
func TestOtherProcess(t *testing.T) {
	dir := t.TempDir()
	cmd, lines := startChild(t, dir, 50)
	if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Errorf("open while another process holds it: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	last := 50
	for lines.Scan() {
		_, _ = fmt.Sscanf(lines.Text(), "acked %d", &last)
	}
	_ = cmd.Wait()
	s := openStore(t, dir, Options{})
	for n := range last + 1 {
		if v, err := kv.GetCopy(s, nil, fmt.Appendf(nil, "k%06d", n)); err != nil || len(v) != n%3000 {
			t.Fatalf("acknowledged commit %d of %d: %d bytes, %v", n, last, len(v), err)
		}
	}
	if got := countKeys(t, s); got > last+2 || s.LostCommits() != 0 {
		t.Errorf("%d keys after %d acknowledged commits, %d lost", got, last+1, s.LostCommits())
	}
	if err := s.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	mustClose(t, s)
}
