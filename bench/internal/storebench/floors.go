//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package storebench

// This file decides what ours is compared with: a bare Pebble with its own
// defaults, and a file that is appended to and synced.

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"github.com/contextforge-go/contextforge"
)

// quiet keeps Pebble from writing to standard error.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, args ...any) {
	pebble.DefaultLogger.Fatalf(format, args...)
}

func openBare(dir string) (*pebble.DB, error) {
	return pebble.Open(dir, &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatTableFormatV6})
}

// bare is a Pebble that holds the same texts under ids of the same size.
type bare struct {
	db   *pebble.DB
	next uint64
}

func newBare(dir string) (*bare, error) {
	db, err := openBare(dir)
	return &bare{db: db}, err
}

// key is as long as an id of ours.
func (p *bare) key() []byte {
	p.next++
	key := []byte("00000000-0000-0000-0000-000000000000")
	for i, n := len(key)-1, p.next; n > 0; i, n = i-1, n/10 {
		if key[i] == '-' {
			i--
		}
		key[i] = '0' + byte(n%10)
	}
	return key
}

// save puts one text durably.
func (p *bare) save(text string) error { return p.put(p.key(), text) }

func (p *bare) put(key []byte, text string) error { return p.db.Set(key, []byte(text), pebble.Sync) }

// saveBatch puts the texts in one durable commit.
func (p *bare) saveBatch(items []contextforge.Item) error {
	b := p.db.NewBatch()
	for i := range items {
		if err := b.Set(p.key(), []byte(items[i].Content), nil); err != nil {
			return err
		}
	}
	return errors.Join(b.Commit(pebble.Sync), b.Close())
}

// appender is a file that grows by one synced write for each text.
type appender struct{ f *os.File }

func newAppender(path string) (*appender, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	return &appender{f}, err
}

func (a *appender) save(text string) error {
	if _, err := a.f.WriteString(text + "\n"); err != nil {
		return err
	}
	return a.f.Sync()
}

// copyFolder copies what a crash would leave of an open store, durably, so that
// no later sync pays for it. Tables, which never change, are linked where the
// file system can.
func copyFolder(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rest := strings.TrimPrefix(path, from)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(to+rest, 0o700)
		case filepath.Ext(path) == ".sst" && os.Link(path, to+rest) == nil:
			return nil
		}
		return copyFile(path, to+rest)
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// folderBytes returns the size of all files under dir.
func folderBytes(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
