//go:build !js && !wasip1 && !solaris && !aix && !plan9

package contextforge_test

// Disks that are full or read-only, folders that are not ours or of a newer
// version, and copies taken while writing.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/internal/faultfs"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

// disk is a file system in memory that can refuse changes.
type disk struct {
	mem    *vfs.MemFS
	refuse atomic.Pointer[error]
	syncs  atomic.Int64
	slow   time.Duration // of a sync
}

func newDisk() *disk { return &disk{mem: vfs.NewMem()} }

func (d *disk) before(op faultfs.Op) error {
	if op.Kind == faultfs.Sync {
		d.syncs.Add(1)
		time.Sleep(d.slow)
	}
	if err := d.refuse.Load(); err != nil && op.Kind != faultfs.Remove {
		return *err
	}
	return nil
}

func (d *disk) open(t *testing.T) (*contextforge.Memory, error) {
	t.Helper()
	pairs, err := pebblekv.Open("memory", pebblekv.Options{FS: faultfs.Wrap(d.mem, d.before)})
	if err != nil {
		return nil, err
	}
	m, err := contextforge.Open(ctx, contextforge.Config{KV: pairs})
	return m, err
}

func (d *disk) mustOpen(t *testing.T) *contextforge.Memory {
	t.Helper()
	m, err := d.open(t)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFullDisk(t *testing.T) {
	for name, refusal := range map[string]error{
		"full":      fmt.Errorf("%w: %w", syscall.ENOSPC, faultfs.ErrShort),
		"read-only": syscall.EROFS,
		"broken":    syscall.EIO,
	} {
		t.Run(name, func(t *testing.T) {
			d := newDisk()
			m := d.mustOpen(t)
			ids := []string{
				save(t, m, "the first entry", contextforge.SaveOptions{}),
				save(t, m, "the second entry", contextforge.SaveOptions{Scope: "a"}),
			}
			d.refuse.Store(&refusal)
			for i := range 3 {
				_, err := m.Save(ctx, "one more entry", "", contextforge.SaveOptions{})
				if !errors.Is(err, contextforge.ErrStoreFailed) || i == 0 && !strings.Contains(err.Error(), "close the store") {
					t.Errorf("save on a disk that is %s: %v", name, err)
				}
			}
			if _, err := m.Delete(ctx, ids[0]); !errors.Is(err, contextforge.ErrStoreFailed) {
				t.Errorf("delete: %v", err)
			}
			reads(t, m, ids)
			if err := m.Close(); err != nil && !errors.Is(err, contextforge.ErrStoreFailed) {
				t.Errorf("close: %v", err)
			}
			if name == "read-only" {
				readOnlyFolder(t, d)
			}
			d.refuse.Store(nil)
			m = d.mustOpen(t)
			found := ask(t, m, "entry", contextforge.QueryOptions{})
			if n := len(found); n != 2 && n != 3 {
				t.Errorf("%d entries after reopening", n)
			}
			save(t, m, "there is room again", contextforge.SaveOptions{})
			if err := errors.Join(m.Verify(ctx), m.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}

// reads checks that everything that reads shows the two entries.
func reads(t *testing.T, m *contextforge.Memory, ids []string) {
	t.Helper()
	if got := ask(t, m, "entry", contextforge.QueryOptions{}); len(got) != 2 {
		t.Errorf("query finds %q", got)
	}
	if got := ask(t, m, contextforge.MatchAll, contextforge.QueryOptions{}); len(got) != 2 {
		t.Errorf("* finds %q", got)
	}
	for _, id := range ids {
		if _, err := m.Get(ctx, id); err != nil {
			t.Error(err)
		}
	}
	n := 0
	for _, err := range m.List(ctx, contextforge.Filter{}) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	stats, err := m.Stats(ctx)
	if n != 2 || count(t, m) != 2 || err != nil || stats.Entries != 2 {
		t.Errorf("%d listed, %d counted, %+v, %v", n, count(t, m), stats, err)
	}
}

// readOnlyFolder checks that what can't be written can't be opened, and that
// the error says why.
func readOnlyFolder(t *testing.T, d *disk) {
	t.Helper()
	_, err := d.open(t)
	if !errors.Is(err, syscall.EROFS) {
		t.Errorf("opening a read-only folder: %v", err)
	}
	for _, wrong := range []error{contextforge.ErrCorrupt, contextforge.ErrForeign, contextforge.ErrLocked} {
		if errors.Is(err, wrong) {
			t.Errorf("opening a read-only folder: %v, which is %q", err, wrong)
		}
	}
}

func TestForeignFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("work of years"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := contextforge.Open(ctx, contextforge.Config{Path: dir})
	if !errors.Is(err, contextforge.ErrForeign) || !strings.Contains(err.Error(), "thesis.txt") || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder with other files: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	file := filepath.Join(dir, "thesis.txt")
	if _, err := contextforge.Open(ctx, contextforge.Config{Path: file}); err == nil {
		t.Error("a file was opened as a folder")
	}
}

func TestNewerSchema(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "memory")
	m := open(t, contextforge.Config{Path: dir})
	save(t, m, "written by this version", contextforge.SaveOptions{})
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	state := []byte{1, 'S'}
	var old []byte
	rewrite := func(change func([]byte) []byte) {
		t.Helper()
		pairs, err := pebblekv.Open(dir, pebblekv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if old, err = kv.GetCopy(pairs, nil, state); err != nil {
			t.Fatal(err)
		}
		b := pairs.NewBatch()
		b.Set(state, change(slices.Clone(old)))
		if err := errors.Join(pairs.Commit(b, kv.Sync), b.Close(), pairs.Close()); err != nil {
			t.Fatal(err)
		}
	}
	rewrite(func(v []byte) []byte { v[0]++; return v })
	for range 2 { // the first attempt must not leave the folder locked
		_, err := contextforge.Open(ctx, contextforge.Config{Path: dir})
		if !errors.Is(err, contextforge.ErrNewer) || !strings.Contains(err.Error(), "newer") || !strings.Contains(err.Error(), dir) {
			t.Errorf("a newer schema: %v", err)
		}
	}
	rewrite(func(v []byte) []byte { v[0]--; return v })
	if got := ask(t, open(t, contextforge.Config{Path: dir}), "version", contextforge.QueryOptions{}); len(got) != 1 {
		t.Errorf("the refusal changed the store: %q", got)
	}
}

// A copy taken while others save pairs of entries holds both of a pair or none.
func TestCheckpointWhileWriting(t *testing.T) {
	base := t.TempDir()
	m := open(t, contextforge.Config{Path: filepath.Join(base, "memory")})
	stop := make(chan struct{})
	var saved atomic.Int64
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				session := fmt.Sprintf("%d-%d", w, i)
				o := contextforge.SaveOptions{SessionID: session}
				if _, err := m.SaveBatch(ctx, []contextforge.Item{{Content: "left", SaveOptions: o}, {Content: "right", SaveOptions: o}}); err != nil {
					t.Error(err)
					return
				}
				saved.Add(2)
				if _, err := m.Forget(ctx, contextforge.Filter{SessionID: session}, i%3 > 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 6 {
		before := saved.Load()
		dir := filepath.Join(base, fmt.Sprint("copy", i))
		if err := m.Checkpoint(ctx, dir); err != nil {
			t.Fatal(err)
		}
		for saved.Load() < before+20 && !t.Failed() {
			time.Sleep(time.Millisecond)
		}
		paired(t, dir)
	}
	close(stop)
	writers.Wait()
	if err := m.Checkpoint(ctx, filepath.Join(base, "copy0")); err == nil || errors.Is(err, contextforge.ErrForeign) {
		t.Errorf("a checkpoint over another: %v", err)
	}
}

// paired checks a copy.
func paired(t *testing.T, dir string) {
	t.Helper()
	m := open(t, contextforge.Config{Path: dir})
	sides := map[string]int{}
	n := 0
	for e, err := range m.List(ctx, contextforge.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		sides[e.SessionID]++
		n++
	}
	for session, n := range sides {
		if n != 2 {
			t.Errorf("%s: %d entries of %s", dir, n, session)
		}
	}
	o := contextforge.QueryOptions{TokenBudget: contextforge.Unlimited, Ranking: searchesAlone()}
	left, right := ask(t, m, "left", o), ask(t, m, "right", o)
	if len(left)*2 != n || len(right)*2 != n || count(t, m) != n {
		t.Errorf("%s: %d entries, %d left, %d right, %d counted", dir, n, len(left), len(right), count(t, m))
	}
	save(t, m, "the copy takes new entries", contextforge.SaveOptions{})
	if err := errors.Join(m.Verify(ctx), m.Close()); err != nil {
		t.Error(err)
	}
}

// Thirty-two savers share syncs on a disk on which one takes 5 ms.
func TestCaseP10SaversShareSyncs(t *testing.T) {
	const savers, each = 32, 12
	d := newDisk()
	d.slow = 5 * time.Millisecond
	m := d.mustOpen(t)
	before := d.syncs.Load()
	var wg sync.WaitGroup
	for range savers {
		wg.Go(func() {
			for range each {
				if _, err := m.Save(ctx, "a thought of one of many", "", contextforge.SaveOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := d.syncs.Load() - before; n > savers*each/8 {
		t.Errorf("%d saves took %d syncs", savers*each, n)
	}
	if n := count(t, m); n != savers*each {
		t.Errorf("%d of %d entries", n, savers*each)
	}
	if err := errors.Join(m.Verify(ctx), m.Close()); err != nil {
		t.Error(err)
	}
}
