//go:build unix && !solaris && !illumos && !aix

package contextforge_test

// A process that saves, deletes and updates from several goroutines is killed
// at random moments, again and again, on the same folder. Everything it
// acknowledged is there, and nothing is half there.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

const (
	killFolder = "CONTEXTFORGE_TEST_KILL_FOLDER"
	killRound  = "CONTEXTFORGE_TEST_KILL_ROUND"
	killSavers = 6
)

// TestKillChild is the process that is killed. It writes to its output, one
// line each: "+ batch size" before a save, "S batch" after it, "- batch" before
// its deletion, "D batch" after it.
func TestKillChild(t *testing.T) {
	dir := os.Getenv(killFolder)
	if dir == "" {
		return // not the child
	}
	round, err := strconv.Atoi(os.Getenv(killRound))
	if err != nil {
		t.Fatal(err)
	}
	m, err := contextforge.Open(ctx, killConfig(dir))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf(format+"\n", args...)
	}
	for saver := range killSavers {
		go func() {
			panic(childSaves(m, rand.New(rand.NewPCG(uint64(round), uint64(saver))), fmt.Sprintf("r%ds%d", round, saver), say))
		}()
	}
	for {
		time.Sleep(20 * time.Millisecond)
		if err := m.Compact(ctx); err != nil {
			panic(err)
		}
	}
}

func killConfig(dir string) contextforge.Config {
	return contextforge.Config{Path: dir, MaxEntries: contextforge.Unlimited}
}

// childSaves works until it is killed, or returns an error.
func childSaves(m *contextforge.Memory, rng *rand.Rand, name string, say func(string, ...any)) error {
	for i := 0; ; i++ {
		batch := fmt.Sprintf("%sb%d", name, i)
		items := make([]contextforge.Item, 1+rng.IntN(4)*rng.IntN(8))
		for j := range items {
			items[j] = contextforge.Item{
				Content:     fmt.Sprintf("marker %s part %d of it", batch, j),
				SaveOptions: contextforge.SaveOptions{ID: fmt.Sprintf("%s/%d", batch, j), SessionID: batch},
			}
		}
		say("+ %s %d", batch, len(items))
		if _, err := m.SaveBatch(ctx, items); err != nil {
			return err
		}
		say("S %s", batch)
		switch rng.IntN(4) {
		case 0:
			say("- %s", batch)
			if _, err := m.Forget(ctx, contextforge.Filter{SessionID: batch}, false); err != nil {
				return err
			}
			say("D %s", batch)
		case 1:
			text := fmt.Sprintf("marker %s changed", batch)
			if _, err := m.Update(ctx, items[0].ID, contextforge.Change{Content: &text}); err != nil {
				return err
			}
		}
	}
}

// killed is what the processes have said about one batch.
type killed struct {
	size                         int
	saved, dying, deleted, found bool
}

// spawn runs a child, kills it a while after its first line, sometimes earlier,
// and notes what it said.
func spawn(t *testing.T, dir string, round int, after time.Duration, batches map[string]*killed) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKillChild$", "-test.timeout=2m")
	child.Env = append(os.Environ(), killFolder+"="+dir, killRound+"="+strconv.Itoa(round))
	var problem bytes.Buffer
	child.Stderr = &problem
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if round%4 == 0 { // in the middle of opening, or before
		time.AfterFunc(after, func() { _ = child.Process.Kill() })
	}
	line, err := lines.ReadString('\n')
	time.AfterFunc(after, func() { _ = child.Process.Kill() })
	for ; err == nil; line, err = lines.ReadString('\n') {
		note(t, batches, line)
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
		t.Fatal(err)
	}
	var status *exec.ExitError
	if err := child.Wait(); !errors.As(err, &status) || status.Exited() {
		t.Fatalf("round %d: the child ended by itself: %v\n%s", round, err, problem.String())
	}
}

func note(t *testing.T, batches map[string]*killed, line string) {
	t.Helper()
	f := strings.Fields(line)
	if len(f) < 2 {
		t.Fatalf("the child said %q", line)
	}
	b := batches[f[1]]
	if b == nil {
		b = &killed{}
		batches[f[1]] = b
	}
	switch f[0] {
	case "+":
		b.size, _ = strconv.Atoi(f[2])
	case "S":
		b.saved = true
	case "-":
		b.dying = true
	case "D":
		b.deleted = true
	default:
		t.Fatalf("the child said %q", line)
	}
}

// survived checks the folder against what was said. Batches of earlier rounds
// are counted; those of the newest are also got and searched for.
func survived(t *testing.T, dir string, round int, batches map[string]*killed) {
	t.Helper()
	m, err := contextforge.Open(ctx, killConfig(dir))
	if err != nil {
		t.Fatalf("round %d: %v", round, err)
	}
	there := map[string]int{}
	for e, err := range m.List(ctx, contextforge.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		there[e.SessionID]++
	}
	for name, n := range there {
		if batches[name] == nil {
			t.Fatalf("round %d: %d entries of %s, which nobody saved", round, n, name)
		}
	}
	for name, b := range batches {
		n := there[name]
		switch {
		case n != 0 && n != b.size:
			t.Fatalf("round %d: %s is there half: %d of %d", round, name, n, b.size)
		case b.saved && !b.dying && n == 0:
			t.Fatalf("round %d: %s was acknowledged and is gone", round, name)
		case b.deleted && n != 0:
			t.Fatalf("round %d: %s was deleted and is back", round, name)
		case b.found && n == 0 && !b.dying:
			t.Fatalf("round %d: %s was there after a kill and is gone", round, name)
		}
		b.found = n > 0
		if strings.HasPrefix(name, fmt.Sprintf("r%ds", round)) {
			findable(t, m, name, n)
		}
	}
	if round%50 == 0 {
		if err := m.Verify(ctx); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}

// findable checks that a batch is got by id and found by its word, n times.
func findable(t *testing.T, m *contextforge.Memory, name string, n int) {
	t.Helper()
	hits, err := m.Query(ctx, name, contextforge.QueryOptions{TokenBudget: contextforge.Unlimited})
	if err != nil || len(hits) != n {
		t.Fatalf("%s: %d of %d found, %v", name, len(hits), n, err)
	}
	for j := range n {
		if _, err := m.Get(ctx, fmt.Sprintf("%s/%d", name, j)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Get(ctx, fmt.Sprintf("%s/%d", name, n)); !errors.Is(err, contextforge.ErrNotFound) {
		t.Fatalf("%s has more than %d parts: %v", name, n, err)
	}
}

func TestKilledAgainAndAgain(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	dir := filepath.Join(t.TempDir(), "memory")
	rng := rand.New(rand.NewPCG(1, 1))
	batches := map[string]*killed{}
	for round := range rounds {
		spawn(t, dir, round, time.Duration(rng.IntN(60_000))*time.Microsecond, batches)
		survived(t, dir, round, batches)
	}
	m := open(t, killConfig(dir))
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
	st, err := m.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d batches in %d processes; %d entries in %d segments", len(batches), rounds, st.Entries, st.IndexSegments)
}
