// This file tests edits from several goroutines and processes, and processes that
// are killed during one.

//go:build !js && !wasip1

package lexicon

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	childPath = "CONTEXTFORGE_TEST_LEXICON_PATH"
	childName = "CONTEXTFORGE_TEST_LEXICON_NAME"
	childMany = 12
)

// TestAppenderChild is the other process. It appends terms to a file and prints
// each when it is there: childMany of them, or without end if its name is "forever".
func TestAppenderChild(t *testing.T) {
	path, name := os.Getenv(childPath), os.Getenv(childName)
	if path == "" {
		return // not the child
	}
	a := NewAppender(path)
	for i := 0; i < childMany || strings.HasPrefix(name, "forever"); i++ {
		term := fmt.Sprintf("%s %d", name, i)
		if _, err := a.AppendTerm(context.Background(), term, 0.5, "by "+name); err != nil {
			t.Fatal(err)
		}
		fmt.Println("+", term)
	}
}

// child starts the other process on a file.
func child(t *testing.T, path, name string) (*exec.Cmd, io.ReadCloser) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestAppenderChild$")
	cmd.Env = append(os.Environ(), childPath+"="+path, childName+"="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// acknowledged reads the terms that a child says are in the file.
func acknowledged(out io.Reader) (terms []string) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if term, ok := strings.CutPrefix(lines.Text(), "+ "); ok {
			terms = append(terms, term)
		}
	}
	return terms
}

// holds fails unless the file loads and has all the terms.
func (d *desk) holds(terms []string) {
	d.t.Helper()
	s, err := Load(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	there := map[string]bool{}
	for term := range s.Terms() {
		there[term] = true
	}
	for _, term := range terms {
		if !there[term] {
			d.t.Errorf("%q is lost", term)
		}
	}
}

func TestConcurrentWriters(t *testing.T) {
	d := newDesk(t, "# shared\n")
	var all []string
	var wg sync.WaitGroup
	for g := range 8 {
		for i := range childMany {
			all = append(all, fmt.Sprintf("g%d %d", g, i))
		}
		a := d.Appender
		if g%2 == 0 { // half of them share one
			a = NewAppender(d.path)
		}
		wg.Go(func() {
			for i := range childMany {
				did(t, true)(a.AppendTerm(t.Context(), fmt.Sprintf("g%d %d", g, i), 0.5, ""))
			}
		})
	}
	for p := range 2 {
		cmd, out := child(t, d.path, fmt.Sprintf("p%d", p))
		terms := acknowledged(out)
		if err := cmd.Wait(); err != nil || len(terms) != childMany {
			t.Errorf("the child appended %d terms, %v", len(terms), err)
		}
		all = append(all, terms...)
	}
	wg.Wait()
	d.holds(all)
	d.alone()
	if !strings.HasPrefix(d.text(), "# shared\n") {
		t.Error("the comment is lost")
	}
}

// A process is killed at any moment: the file is whole, with everything that was
// acknowledged, and nobody waits for the lock of the dead.
func TestKilledProcess(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	d := newDesk(t, "# keep\n")
	r := rand.New(rand.NewPCG(9, 9))
	var all []string
	for round := range rounds {
		cmd, out := child(t, d.path, fmt.Sprintf("forever %d", round))
		read := make(chan []string)
		go func() { read <- acknowledged(out) }()
		time.Sleep(time.Duration(20+r.IntN(80)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		all = append(all, <-read...)
		if cmd.Wait() == nil {
			t.Error("the child ended by itself")
		}
		if len(all) > 0 {
			d.holds(all)
		}
		did(t, true)(d.AppendTerm(t.Context(), fmt.Sprintf("after %d", round), 1, ""))
	}
	if len(all) < rounds || !strings.HasPrefix(d.text(), "# keep\n") {
		t.Errorf("%d terms were acknowledged, the file begins %.20q", len(all), d.text())
	}
}
