//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// This file decides how other searches are driven: each by a Python process that
// answers a line with a line.

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

//go:embed peer.py
var peerProgram string

// Peers returns the other searches, by the names of their Python packages.
func Peers() []string { return []string{"faiss-cpu", "numpy"} }

// errMissing is the error for a search that can't be measured here.
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
	From  int   `json:"from"`
	Limit int64 `json:"limit"`
	Most  int   `json:"most"`
}

// reply is one line from a peer.
type reply struct {
	Error   string        `json:"error"`
	Version string        `json:"version"`
	Wall    measure.Times `json:"wall"`
	CPU     measure.Times `json:"cpu"`
	Found   []uint64      `json:"found"`
}

// startPeer runs a peer on files of vectors and questions. The error is errMissing
// when Python or the package isn't there.
func startPeer(ctx context.Context, python, name, vectors, queries string, dim, top int) (*process, error) {
	cmd := exec.CommandContext(ctx, python, "-c", peerProgram, name, vectors, queries, strconv.Itoa(dim), strconv.Itoa(top))
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1")
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
	p := &process{name: name, cmd: cmd, in: in, out: json.NewDecoder(bufio.NewReaderSize(out, 1<<16))}
	hello, err := p.receive()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", errMissing, err), p.close())
	}
	p.version = hello.Version
	return p, nil
}

func (p *process) receive() (r reply, err error) {
	if err := p.out.Decode(&r); err != nil {
		return r, fmt.Errorf("%s: no reply: %w", p.name, err)
	}
	if r.Error != "" {
		return r, fmt.Errorf("%s: %s", p.name, r.Error)
	}
	return r, nil
}

// ask searches with the questions from j on.
func (p *process) ask(j int, limit time.Duration, most int) (reply, error) {
	if err := json.NewEncoder(p.in).Encode(request{j, limit.Nanoseconds(), most}); err != nil {
		return reply{}, fmt.Errorf("%s: %w", p.name, err)
	}
	r, err := p.receive()
	if err == nil && (len(r.Wall) == 0 || len(r.Wall) != len(r.CPU)) {
		err = fmt.Errorf("%s: %d wall and %d processor times", p.name, len(r.Wall), len(r.CPU))
	}
	return r, err
}

// close ends the process, which stops at the end of its input.
func (p *process) close() error { return errors.Join(p.in.Close(), p.cmd.Wait()) }
