package embedbench

// These tests decide that a missing engine is told apart from a broken one, and
// that neither leaves a process behind.

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// hours returns one time: a second for each text.
func hours(texts int) measure.Times { return measure.Times{time.Duration(texts) * time.Second} }

func TestPeer(t *testing.T) {
	c, err := startPeer(t.Context(), standIn(t, "well"), Peer{Name: "peer", Engine: OnnxRuntime, File: "model"}, 1)
	if err != nil || c.version != "1.2" {
		t.Fatalf("%v, %v", c, err)
	}
	s := sample{ids: [][]int32{{101, 7, 102}, {101, 102}}}
	got, err := c.time(t.Context(), s, time.Second, 1)
	if err != nil || got.wall.At(50) != 2*time.Second || got.cpu.At(50) != 2*time.Second {
		t.Errorf("%v, %v", got, err)
	}
	vectors, err := c.embed(t.Context(), s)
	if err != nil || len(vectors) != 2 || vectors[1][383] != 1 {
		t.Errorf("%d vectors, %v", len(vectors), err)
	}
	if err := c.close(); err != nil || !c.cmd.ProcessState.Success() {
		t.Errorf("it ended with %v: %v", c.cmd.ProcessState, err)
	}
}

func TestMissingPeer(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "python")
	for name, tt := range map[string]struct {
		how, python, file, message string
	}{
		"no Python":     {"", nowhere, "model", ""},
		"no file":       {"", nowhere, "", "no model file"},
		"no package":    {"absent", "", "model", "No module named 'onnxruntime'"},
		"ends silently": {"silent", "", "model", "no reply"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.python == "" {
				tt.python = standIn(t, tt.how)
			}
			c, err := startPeer(t.Context(), tt.python, Peer{Name: "peer", Engine: OnnxRuntime, File: tt.file}, 1)
			if c != nil || !errors.Is(err, errMissing) || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("%v, %v", c, err)
			}
		})
	}
}

// The program itself, where there is a Python: an engine that it doesn't know is a
// missing one, as is one without Python.
func TestPeerProgram(t *testing.T) {
	if _, err := startPeer(t.Context(), "python3", Peer{Name: "peer", Engine: "unheardof", File: "model"}, 1); !errors.Is(err, errMissing) {
		t.Errorf("%v", err)
	}
}

func TestBrokenPeer(t *testing.T) {
	for how, message := range map[string]string{
		"failing": "refused 1 texts", "uneven": "1 wall and 0 processor times", "blind": "0 vectors for a text",
	} {
		t.Run(how, func(t *testing.T) {
			c, err := startPeer(t.Context(), standIn(t, how), Peer{Name: "peer", Engine: LlamaCpp, File: "model"}, 2)
			if err != nil {
				t.Fatal(err)
			}
			s := sample{ids: [][]int32{{101, 102}}}
			_, err = c.time(t.Context(), s, 0, 1)
			if how == "blind" {
				_, err = c.embed(t.Context(), s)
			}
			if err == nil || errors.Is(err, errMissing) || !strings.Contains(err.Error(), message) {
				t.Errorf("%v", err)
			}
			if err := c.close(); err != nil {
				t.Error(err)
			}
			if _, err := c.time(t.Context(), s, 0, 1); err == nil {
				t.Error("a peer that has ended answers")
			}
		})
	}
}

func TestPeerIsStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	c, err := startPeer(ctx, standIn(t, "well"), Peer{Name: "peer", Engine: LlamaCpp, File: "model"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if err := c.cmd.Wait(); err == nil {
		t.Error("it ended well, though it was stopped")
	}
}
