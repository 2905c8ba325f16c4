package embedbench

// This file decides how other engines are driven: each by a Python process that
// answers a line with a line.

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

//go:embed peer.py
var peerProgram string

// The other engines, by the names of their Python packages.
const (
	OnnxRuntime = "onnxruntime"
	LlamaCpp    = "llama-cpp-python"
)

// Peer is another engine with a model's file.
type Peer struct {
	Name   string // in the report
	Engine string // OnnxRuntime or LlamaCpp
	File   string // "" when the caller has none: the report says that it is missing
}

// errMissing is the error for an engine that can't be measured here.
var errMissing = errors.New("not measured")

// process is a running peer.
type process struct {
	name    string
	version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
}

// request is one line to a peer; see peer.py.
type request struct {
	IDs     [][]int32 `json:"ids"`
	Limit   int64     `json:"limit"`
	Most    int       `json:"most"`
	Vectors bool      `json:"vectors,omitempty"`
}

// reply is one line from a peer.
type reply struct {
	Error   string        `json:"error"`
	Version string        `json:"version"`
	Wall    measure.Times `json:"wall"`
	CPU     measure.Times `json:"cpu"`
	Vectors [][]float32   `json:"vectors"`
}

// startPeer runs a peer with so many threads. The error is errMissing when Python,
// the package or the file isn't there.
func startPeer(ctx context.Context, python string, p Peer, threads int) (*process, error) {
	if p.File == "" {
		return nil, fmt.Errorf("%w: no model file is given", errMissing)
	}
	cmd := exec.CommandContext(ctx, python, "-c", peerProgram, p.Engine, p.File, strconv.Itoa(threads))
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", errMissing, err)
	}
	c := &process{name: p.Name, cmd: cmd, in: in, out: json.NewDecoder(bufio.NewReaderSize(out, 1<<16))}
	hello, err := c.receive()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", errMissing, err), c.close())
	}
	c.version = hello.Version
	return c, nil
}

func (c *process) receive() (r reply, err error) {
	if err := c.out.Decode(&r); err != nil {
		return r, fmt.Errorf("%s: no reply: %w", c.name, err)
	}
	if r.Error != "" {
		return r, fmt.Errorf("%s: %s", c.name, r.Error)
	}
	return r, nil
}

func (c *process) ask(q request) (reply, error) {
	if err := json.NewEncoder(c.in).Encode(q); err != nil {
		return reply{}, fmt.Errorf("%s: %w", c.name, err)
	}
	return c.receive()
}

func (c *process) time(_ context.Context, s sample, limit time.Duration, most int) (timings, error) {
	r, err := c.ask(request{IDs: s.ids, Limit: limit.Nanoseconds(), Most: most})
	if err == nil && (len(r.Wall) == 0 || len(r.Wall) != len(r.CPU)) {
		err = fmt.Errorf("%s: %d wall and %d processor times", c.name, len(r.Wall), len(r.CPU))
	}
	return timings{wall: r.Wall, cpu: r.CPU}, err
}

// embed asks for one text at a time, as they differ in length.
func (c *process) embed(_ context.Context, s sample) ([][]float32, error) {
	var out [][]float32
	for i := range s.ids {
		r, err := c.ask(request{IDs: s.ids[i : i+1], Most: 1, Vectors: true})
		if err != nil {
			return nil, err
		}
		if len(r.Vectors) != 1 {
			return nil, fmt.Errorf("%s: %d vectors for a text", c.name, len(r.Vectors))
		}
		out = append(out, r.Vectors[0])
	}
	return out, nil
}

// close ends the process, which stops at the end of its input.
func (c *process) close() error {
	return errors.Join(c.in.Close(), c.cmd.Wait())
}
