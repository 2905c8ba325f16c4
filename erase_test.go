//go:build !js && !wasip1 && !solaris && !aix && !plan9

package contextforge_test

// After Compact, a text that was deleted is in no file of the folder, whatever
// had happened to it: neither its words nor its id, scope, session or metadata.
// Every file is searched as it is, and tables also block by block, as these are
// compressed.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge"
)

// marker is the common beginning of every word that must disappear.
const marker = "zqxvwkj"

// traces returns the files below dir that hold the marker.
func traces(t *testing.T, dir string) []string { return tracesOf(t, dir, marker) }

// holds reports whether a text holds one of some in small letters, in whatever case.
func holds(text []byte, needles []string) bool {
	small := bytes.ToLower(text)
	return slices.ContainsFunc(needles, func(n string) bool { return bytes.Contains(small, []byte(n)) })
}

// tracesOf returns the files below dir that hold one of some texts, which are in
// small letters.
func tracesOf(t *testing.T, dir string, needles ...string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) { // removed meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		found := holds([]byte(path), needles) || holds(data, needles)
		if !found && strings.HasSuffix(path, ".sst") {
			if found, err = inTable(path, needles); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
		if found {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inTable looks into every key and value of a table, hidden ones included.
func inTable(path string, needles []string) (found bool, err error) {
	f, err := vfs.Default.Open(path)
	if err != nil {
		return false, err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return false, err
	}
	r, err := sstable.NewReader(ctx, readable, sstable.ReaderOptions{})
	if err != nil {
		return false, nil // still being written
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	it, err := r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return false, err
	}
	for kv := it.First(); kv != nil && !found; kv = it.Next() {
		value, _, err := kv.Value(nil)
		if err != nil {
			return false, errors.Join(err, it.Close())
		}
		found = holds(kv.K.UserKey, needles) || holds(value, needles)
	}
	return found, it.Close()
}

// erasure is a life of an entry with the marker, up to its end.
type erasure struct {
	name string
	cfg  contextforge.Config
	// live makes the entry come and go.
	live func(t *testing.T, m *contextforge.Memory, c *clock)
}

// secret saves an entry that holds the marker wherever text can be.
func secret(t *testing.T, m *contextforge.Memory, o contextforge.SaveOptions) string {
	t.Helper()
	o.ID, o.Scope, o.SessionID = marker+"id", marker+"scope", marker+"session"
	o.Metadata = map[string]string{marker + "key": marker + "value"}
	id, err := m.Save(ctx, "It was "+marker+"tion, said "+strings.ToUpper(marker)+".", marker+"kind", o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// chatter saves n other entries; some hundred make several log blocks, more
// than a thousand also seal the text index.
func chatter(t *testing.T, m *contextforge.Memory, n int) {
	t.Helper()
	items := make([]contextforge.Item, n)
	for i := range items {
		items[i] = contextforge.Item{Content: fmt.Sprintf("entry %d of the daily chatter about it", i), SaveOptions: contextforge.SaveOptions{Scope: "chatter"}}
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, m *contextforge.Memory, id string) {
	t.Helper()
	if ok, err := m.Delete(ctx, id); err != nil || !ok {
		t.Fatalf("deleted: %v, %v", ok, err)
	}
}

func rewrite(t *testing.T, m *contextforge.Memory, id, text string) {
	t.Helper()
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func erasures() []erasure {
	plain := contextforge.SaveOptions{}
	return []erasure{
		{"deleted at once", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			remove(t, m, secret(t, m, plain))
		}},
		{"sealed, merged and deleted", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			chatter(t, m, 1500)
			id := secret(t, m, plain)
			chatter(t, m, 1500)
			ask(t, m, marker, contextforge.QueryOptions{})
			must(t, m.Compact(ctx))
			remove(t, m, id)
			chatter(t, m, 300)
		}},
		{"on the lowest level and deleted", contextforge.Config{SmallDevice: true}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			id := secret(t, m, plain)
			must(t, m.Compact(ctx))
			for range 4 {
				chatter(t, m, 400)
			}
			must(t, m.Compact(ctx))
			remove(t, m, id)
		}},
		{"updated and deleted, its history with it", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			id := secret(t, m, plain)
			rewrite(t, m, id, "another "+marker)
			must(t, m.Compact(ctx))
			rewrite(t, m, id, "harmless")
			remove(t, m, id)
		}},
		{"replaced", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			save(t, m, "old "+marker, contextforge.SaveOptions{ID: "same"})
			chatter(t, m, 1200)
			save(t, m, "harmless", contextforge.SaveOptions{ID: "same"})
		}},
		{"out of a short history", contextforge.Config{HistoryLimit: 2}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			id := save(t, m, "the "+marker, plain)
			for i := range 3 {
				rewrite(t, m, id, fmt.Sprint("harmless ", i))
			}
		}},
		{"expired", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, c *clock) {
			secret(t, m, contextforge.SaveOptions{TTL: time.Minute})
			chatter(t, m, 1200)
			c.Advance(time.Hour)
		}},
		{"evicted", contextforge.Config{MaxEntries: 100}, func(t *testing.T, m *contextforge.Memory, c *clock) {
			secret(t, m, plain)
			c.Advance(time.Second)
			chatter(t, m, 100)
		}},
		{"forgotten by session", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			secret(t, m, plain)
			chatter(t, m, 10)
			if ids, err := m.Forget(ctx, contextforge.Filter{SessionID: marker + "session"}, false); err != nil || len(ids) != 1 {
				t.Fatalf("%q, %v", ids, err)
			}
		}},
		{"with its scope", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			rewrite(t, m, secret(t, m, plain), "the second "+marker)
			chatter(t, m, 10)
			if n, err := m.ClearScope(ctx, marker+"scope"); err != nil || n != 1 {
				t.Fatal(n, err)
			}
		}},
		{"with everything", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			chatter(t, m, 1200)
			rewrite(t, m, secret(t, m, plain), "the second "+marker)
			if n, err := m.Clear(ctx); err != nil || n != 1201 {
				t.Fatal(n, err)
			}
			chatter(t, m, 10)
		}},
		{"rebuilt and deleted", contextforge.Config{}, func(t *testing.T, m *contextforge.Memory, _ *clock) {
			id := secret(t, m, plain)
			chatter(t, m, 1200)
			must(t, m.Rebuild(ctx))
			remove(t, m, id)
		}},
	}
}

func TestErasure(t *testing.T) {
	for _, e := range erasures() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			dir, c := filepath.Join(t.TempDir(), "memory"), newClock()
			e.cfg.Path, e.cfg.Clock = dir, c.Now
			m := open(t, e.cfg)
			e.live(t, m, c)
			if len(traces(t, dir)) == 0 {
				t.Fatal("the marker was never written")
			}
			must(t, m.Compact(ctx))
			// Tables that were replaced are removed in the background.
			files := traces(t, dir)
			for range 500 {
				if len(files) == 0 {
					break
				}
				time.Sleep(10 * time.Millisecond)
				files = traces(t, dir)
			}
			if len(files) > 0 {
				t.Errorf("while the memory is open: %q", files)
			}
			must(t, m.Close())
			if files := traces(t, dir); len(files) > 0 {
				t.Errorf("after closing: %q", files)
			}
			m = open(t, e.cfg)
			must(t, m.Verify(ctx))
			if got := ask(t, m, marker, contextforge.QueryOptions{}); len(got) > 0 {
				t.Errorf("found %q", got)
			}
		})
	}
}

// A secret is redacted before anything is written, so it never is on the disk.
func TestErasureOfSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "memory")
	m := open(t, contextforge.Config{Path: dir})
	id := save(t, m, "token: ghp_"+marker+"ABCDEFGHIJKLMNOPQRSTUVWXYZ012", contextforge.SaveOptions{})
	rewrite(t, m, id, "token: ghp_"+marker+"0123456789ABCDEFGHIJKLMNOPQRS and more")
	if files := traces(t, dir); len(files) > 0 {
		t.Errorf("a secret is in %q", files)
	}
}
