package embedbench

// This file decides what stands for Python in tests: this test's own program, which
// answers like peer.py when a variable asks for it.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
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
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var q request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			out.Encode(reply{Error: err.Error()})
			continue
		}
		out.Encode(answerOf(how, q))
	}
}

func answerOf(how string, q request) reply {
	r := reply{Wall: hours(len(q.IDs)), CPU: hours(len(q.IDs))}
	switch how {
	case "failing":
		return reply{Error: fmt.Sprintf("refused %d texts", len(q.IDs))}
	case "uneven":
		r.CPU = nil
	}
	if q.Vectors && how != "blind" {
		for range q.IDs {
			r.Vectors = append(r.Vectors, append(make([]float32, 383), 1))
		}
	}
	return r
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
