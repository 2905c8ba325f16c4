//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// These tests decide that a missing engine is told apart from a broken one, that
// neither leaves a process behind, and what the Python program answers.

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMissingPeer(t *testing.T) {
	for name, tt := range map[string]struct{ how, python, message string }{
		"no Python":     {"", filepath.Join(t.TempDir(), "python"), ""},
		"no package":    {"absent", "", "No module named 'numpy'"},
		"ends silently": {"silent", "", "no reply"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.python == "" {
				tt.python = standIn(t, tt.how)
			}
			p, err := startPeer(t.Context(), tt.python, "numpy", "v", "q", 4, 2)
			if p != nil || !errors.Is(err, errMissing) || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("%v, %v", p, err)
			}
		})
	}
}

func TestBrokenPeer(t *testing.T) {
	for how, message := range map[string]string{"failing": "out of order", "uneven": "1 wall and 0 processor times"} {
		t.Run(how, func(t *testing.T) {
			p, err := startPeer(t.Context(), standIn(t, how), "numpy", "v", "q", 4, 2)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = p.ask(0, time.Second, 1); err == nil || errors.Is(err, errMissing) || !strings.Contains(err.Error(), message) {
				t.Error(err)
			}
			if err := p.close(); err != nil {
				t.Error(err)
			}
			if _, err := p.ask(0, time.Second, 1); err == nil {
				t.Error("a peer that has ended answers")
			}
		})
	}
}

// TestProgram runs peer.py on files. Without a Python on the machine, an engine is
// missing.
func TestProgram(t *testing.T) {
	program := python(t)
	s := NewSource(5, 60, 8, 1)
	dir := t.TempDir()
	vectors, asked := filepath.Join(dir, "v"), filepath.Join(dir, "q")
	if err := errors.Join(s.write(vectors, 0, 60), s.write(asked, 60, 5)); err != nil {
		t.Fatal(err)
	}
	for name, version := range map[string]string{"faiss-cpu": "7.6", "numpy": "9.8"} {
		p, err := startPeer(t.Context(), program, name, vectors, asked, 8, 3)
		if program == "" {
			if !errors.Is(err, errMissing) {
				t.Errorf("without Python: %v", err)
			}
			continue
		}
		if err != nil || p.version != version {
			t.Fatalf("%s: %v, %v", name, p, err)
		}
		for _, tt := range []struct {
			from        int
			limit       time.Duration
			most, calls int
		}{{0, 0, 9, 1}, {4, time.Hour, 1, 1}, {7, time.Hour, 4, 4}} {
			r, err := p.ask(tt.from, tt.limit, tt.most)
			if err != nil || len(r.Wall) != tt.calls || r.Wall[0] <= 0 {
				t.Fatalf("%s %+v: %+v, %v", name, tt, r, err)
			}
			best := nearest(s, []int{tt.from % 5}, "", 3)[0]
			if len(r.Found) != 3 || r.Found[0] != best[0].num || r.Found[2] != best[2].num {
				t.Errorf("%s %+v: %v, want %v", name, tt, r.Found, best)
			}
		}
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}
	if p, err := startPeer(t.Context(), program, "numpy", filepath.Join(dir, "nothing"), asked, 8, 3); p != nil || !errors.Is(err, errMissing) {
		t.Errorf("without vectors: %v", err)
	}
}
