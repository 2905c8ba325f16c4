// This file checks that a store is begun only where none was, and that a missing
// or emptied file of a complete one never makes Open begin a new one.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
)

// settled makes a closed store with entries in tables and in the log.
func settled(t *testing.T) string {
	t.Helper()
	s := openStore(t, t.TempDir(), Options{})
	for i := range 30 {
		setSync(t, s, fmt.Sprintf("k%02d", i), "in a table")
		if i == 9 {
			flush(t, s)
		}
	}
	compact(t, s)
	for i := range 5 {
		setSync(t, s, fmt.Sprintf("l%02d", i), "in the log")
	}
	dir := s.dir
	mustClose(t, s)
	return dir
}

// TestOneFileGone removes and empties every file of a store in turn. Open must
// serve everything, or refuse with kv.ErrCorrupt and leave every file as it is.
// Only a log may be missed later: its loss is counted, not refused.
func TestOneFileGone(t *testing.T) {
	whole := settled(t)
	for _, name := range files(t, whole, "*") {
		for _, how := range []string{"removed", "emptied"} {
			base := filepath.Base(name)
			t.Run(base+" "+how, func(t *testing.T) {
				dir := copyFolder(t, whole)
				if how == "removed" {
					if err := os.Remove(filepath.Join(dir, base)); err != nil {
						t.Fatal(err)
					}
				} else {
					writeText(t, dir, base, "")
				}
				checkOneGone(t, dir, strings.HasSuffix(base, ".log"))
			})
		}
	}
}

func checkOneGone(t *testing.T, dir string, isLog bool) {
	before := contents(t, dir)
	s, err := Open(dir, Options{})
	if err != nil {
		if !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("error: %v", err)
		}
		after := contents(t, dir)
		for name, data := range before {
			if got, ok := after[name]; !ok || got != data {
				t.Errorf("%s was changed or deleted", name)
			}
		}
		return
	}
	defer mustClose(t, s)
	switch n := countKeys(t, s); {
	case n == 35:
	case !isLog || n < 30 || s.LostCommits() == 0:
		t.Errorf("%d entries, %d commits lost", n, s.LostCommits())
	case !errors.Is(s.Verify(context.Background()), kv.ErrCorrupt):
		t.Error("the loss of the log is not reported")
	}
}

// TestCreationCutOff crashes a new store after every change of the disk: it
// must open, empty or with what was committed.
func TestCreationCutOff(t *testing.T) {
	for ops := 0; ; ops++ {
		fs := vfs.NewCrashableMem()
		counted := &countdown{FS: fs, left: ops}
		s, err := Open("/db", Options{FS: counted})
		crashed := fs.CrashClone(vfs.CrashCloneCfg{})
		if err == nil {
			setSync(t, s, "a", "1")
			crashed = fs.CrashClone(vfs.CrashCloneCfg{})
			_ = s.Close()
		}
		again := openStore(t, "/db", Options{FS: crashed})
		if n := countKeys(t, again); err == nil && n != 1 || err != nil && n != 0 {
			t.Errorf("after %d changes: %d entries", ops, n)
		}
		setSync(t, again, "b", "2")
		if _, err := crashed.Stat("/db/" + newName); err == nil {
			t.Errorf("after %d changes: still marked as unfinished", ops)
		}
		mustClose(t, again)
		if err == nil {
			if ops < 5 {
				t.Errorf("created with %d changes", ops)
			}
			return
		}
	}
}

// countdown refuses creations, renames and removals after the first few.
type countdown struct {
	vfs.FS
	left int
}

func (c *countdown) spend() error {
	if c.left <= 0 {
		return errors.New("no more changes")
	}
	c.left--
	return nil
}

func (c *countdown) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := c.spend(); err != nil {
		return nil, err
	}
	return c.FS.Create(name, category)
}

func (c *countdown) Rename(oldname, newname string) error {
	if err := c.spend(); err != nil {
		return err
	}
	return c.FS.Rename(oldname, newname)
}

// Remove counts only what ends the creation: the engine removes others when it
// likes to.
func (c *countdown) Remove(name string) error {
	if c.PathBase(name) == newName {
		if err := c.spend(); err != nil {
			return err
		}
	}
	return c.FS.Remove(name)
}

// TestUnfinishedWithData marks a complete store as unfinished and takes its
// marker away: it must not be begun anew.
func TestUnfinishedWithData(t *testing.T) {
	dir := settled(t)
	writeText(t, dir, newName, "")
	mustClose(t, openStore(t, dir, Options{}))
	writeText(t, dir, newName, "")
	if err := os.Remove(newest(t, dir, "marker.manifest.*")); err != nil {
		t.Fatal(err)
	}
	for _, lost := range []string{"", ackName} {
		if lost != "" {
			if err := os.Remove(filepath.Join(dir, lost)); err != nil {
				t.Fatal(err)
			}
		}
		before := len(files(t, dir, "*.sst"))
		if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("without %q: %v", lost, err)
		}
		if after := len(files(t, dir, "*.sst")); after != before || before == 0 {
			t.Errorf("%d tables, before %d", after, before)
		}
	}
}

func TestCheckpointRefuses(t *testing.T) {
	s := openStore(t, t.TempDir(), Options{})
	setSync(t, s, "a", "1")
	full := t.TempDir()
	writeText(t, full, "mine.txt", "mine")
	link := filepath.Join(t.TempDir(), "link")
	tests := []struct{ dir, text string }{
		{full, "is not empty"},
		{s.dir, "is not empty"},
		{filepath.Join(s.dir, "copy"), "inside the store's folder"},
		{filepath.Join(s.dir, "some", "where", "..", "copy"), "inside the store's folder"},
		{"", "no name"},
	}
	if os.Symlink(s.dir, link) == nil {
		tests = append(tests, struct{ dir, text string }{filepath.Join(link, "copy"), "inside the store's folder"})
	}
	before := listing(t, s.dir)
	for _, test := range tests {
		err := s.Checkpoint(context.Background(), test.dir)
		if err == nil || !strings.Contains(err.Error(), test.text) || errors.Is(err, kv.ErrForeign) {
			t.Errorf("into %q: %v", test.dir, err)
		}
	}
	if after := listing(t, s.dir); after != before {
		t.Errorf("the folder changed from %s to %s", before, after)
	}
	mustClose(t, s)
}
