// The figures that a shared set of secrets and near misses is held against:
// testdata/positives.jsonl.gz and negatives.jsonl.gz, made at random.

package scrub

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// example is a line of the sets.
type example struct {
	ID, Label, Category, Text, Secret string
	Start, End                        int
}

func readSet(t *testing.T, name string) (out []example) {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	if lines.Err() != nil || len(out) == 0 {
		t.Fatalf("%s: %d lines, %v", name, len(out), lines.Err())
	}
	return out
}

// left reports whether the output holds 12 bytes of the secret in a row, or all
// of a shorter one.
func left(output, secret string) bool {
	const run = 12
	if len(secret) <= run {
		return strings.Contains(output, secret)
	}
	for i := 0; i+run <= len(secret); i++ {
		if strings.Contains(output, secret[i:i+run]) {
			return true
		}
	}
	return false
}

func TestAcceptancePositives(t *testing.T) {
	set := readSet(t, "positives.jsonl.gz")
	missed, inexact := 0, 0
	for _, e := range set {
		got, _ := Scrub(e.Text)
		before := strings.TrimSuffix(strings.TrimSuffix(e.Text[:e.Start], "Bearer "), "bearer ")
		switch {
		case left(got, e.Secret):
			missed++
			t.Logf("%s: %s is left", e.ID, e.Label)
		case !strings.HasPrefix(got, before) || !strings.HasSuffix(got, e.Text[e.End:]):
			inexact++
			t.Logf("%s: %s is taken with what is around it", e.ID, e.Label)
		}
		if again, found := Scrub(got); again != got || found != nil {
			t.Errorf("%s: scrubbed twice it differs", e.ID)
		}
	}
	if missed*100 > len(set) || (missed+inexact)*100 > 3*len(set) {
		t.Errorf("%d of %d missed, %d inexact", missed, len(set), inexact)
	}
}

func TestAcceptanceNegatives(t *testing.T) {
	set := readSet(t, "negatives.jsonl.gz")
	alarms := 0
	for _, e := range set {
		if got, _ := Scrub(e.Text); got != e.Text {
			alarms++
			t.Logf("%s (%s): false alarm", e.ID, e.Category)
		}
	}
	if alarms*100 > len(set) {
		t.Errorf("%d false alarms in %d", alarms, len(set))
	}
}
