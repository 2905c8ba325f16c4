//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// This file decides what stands for Python in tests: this test's own program, which
// answers like peer.py when a variable asks for it, and modules of a few lines in
// place of the engines'.

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

const peerVariable = "CONTEXTFORGE_TEST_PEER"

func TestMain(m *testing.M) {
	if how := os.Getenv(peerVariable); how != "" {
		answer(how, os.Args)
		return
	}
	os.Exit(m.Run())
}

// answer behaves as a peer: well, or in one of the bad ways.
func answer(how string, args []string) {
	out := json.NewEncoder(os.Stdout)
	switch how {
	case "silent":
		return
	case "absent":
		out.Encode(reply{Error: "ModuleNotFoundError: No module named '" + args[3] + "'"})
		return
	}
	out.Encode(reply{Version: "1.2"})
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		r := reply{Wall: measure.Times{time.Hour}, CPU: measure.Times{time.Hour}, Found: []uint64{1, 2}}
		switch how {
		case "failing":
			r.Error = "out of order"
		case "uneven":
			r.CPU = nil
		}
		out.Encode(r)
	}
}

// standIn makes this program the one that runs peers.
func standIn(t *testing.T, how string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(peerVariable, how)
	return program
}

// standInModules are as much of numpy and faiss as the program uses.
var standInModules = map[string]string{
	"numpy.py": `
import array, sys
__version__, float32 = "9.8", "float32"
print("engines may print what they like")
class Row(list):
    def reshape(self, rows, columns):
        assert (rows, columns) == (1, -1)
        return [self]
class Scores(list):
    def __neg__(self):
        return Scores(-x for x in self)
    def __getitem__(self, at):
        if isinstance(at, list):
            return Scores(list.__getitem__(self, i) for i in at)
        found = list.__getitem__(self, at)
        return Scores(found) if isinstance(at, slice) else found
class Rows(list):
    @property
    def shape(self):
        return (len(self), len(self[0]))
    def __matmul__(self, query):
        return Scores(sum(x * y for x, y in zip(row, query)) for row in self)
class Flat(list):
    def reshape(self, rows, dim):
        return Rows(Row(self[i:i + dim]) for i in range(0, len(self), dim))
def fromfile(path, dtype):
    numbers = array.array("f")
    with open(path, "rb") as f:
        numbers.frombytes(f.read())
    if sys.byteorder == "big":
        numbers.byteswap()
    return Flat(numbers)
def argpartition(scores, place):
    return argsort(scores)
def argsort(scores):
    return Scores(sorted(range(len(scores)), key=lambda i: list.__getitem__(scores, i)))
`,
	"faiss.py": `
import numpy
__version__ = "7.6"
def omp_set_num_threads(n):
    assert n == 1
class IndexFlatIP:
    def __init__(self, dim):
        self.dim = dim
    def add(self, rows):
        assert rows.shape[1] == self.dim
        self.rows = rows
    def search(self, queries, top):
        scores = self.rows @ queries[0]
        return None, [numpy.argsort(-scores)[:top]]
`,
}

// python returns a Python that finds the modules above, "" without one.
func python(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		return ""
	}
	dir := t.TempDir()
	for name, text := range standInModules {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PYTHONPATH", dir)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return program
}
