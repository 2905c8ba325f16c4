//go:build unix && !solaris && !illumos && !aix

package contextforge_test

// A process that recovers a damaged store is killed at random moments. The next
// recovery brings everything back, and the damaged original is there all along.

import (
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

const recoverFolder = "CONTEXTFORGE_TEST_RECOVER_FOLDER"

// TestRecoverChild is the process that is killed.
func TestRecoverChild(t *testing.T) {
	dir := os.Getenv(recoverFolder)
	if dir == "" {
		return // not the child
	}
	if _, err := contextforge.Recover(ctx, contextforge.Config{Path: dir}); err != nil {
		t.Fatal(err)
	}
}

// recoverChild runs the child and kills it after some time.
func recoverChild(t *testing.T, dir string, after time.Duration) (finished bool) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestRecoverChild$", "-test.timeout=1m")
	child.Env = append(os.Environ(), recoverFolder+"="+dir)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = child.Process.Kill() })
	defer timer.Stop()
	return child.Wait() == nil
}

func TestRecoverSurvivesKills(t *testing.T) {
	const n = 400
	rounds := 30
	if testing.Short() {
		rounds = 8
	}
	whole := fill(t, n)
	damage(t, whole, "MANIFEST-*", func([]byte) []byte { return []byte("nothing of use") })
	original := tree(t, whole)
	copied := func() string {
		dir := filepath.Join(t.TempDir(), "m")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	start := time.Now()
	if !recoverChild(t, copied(), time.Minute) {
		t.Fatal("a recovery that isn't killed fails")
	}
	span := time.Since(start)
	rng := rand.New(rand.NewPCG(11, 1))
	for round := range rounds {
		dir := copied()
		for range 1 + round%3 {
			recoverChild(t, dir, time.Duration(rng.Int64N(int64(span))))
			if !isKept(t, dir, original) {
				t.Fatalf("round %d: the damaged original is lost", round)
			}
		}
		report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
		if err != nil || report.Entries != n {
			t.Fatalf("round %d: recovered %+v, %v", round, report, err)
		}
		m := open(t, contextforge.Config{Path: dir})
		if err := m.Verify(ctx); err != nil || count(t, m) != n || !isKept(t, dir, original) {
			t.Errorf("round %d: %d entries, %v", round, count(t, m), err)
		}
	}
}

// isKept reports whether the damaged original is in its place or aside.
func isKept(t *testing.T, dir string, original map[string]string) bool {
	t.Helper()
	places, err := filepath.Glob(dir + ".damaged-*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		places = append(places, dir)
	}
	for _, at := range places {
		if maps.Equal(tree(t, at), original) {
			return true
		}
	}
	return false
}
