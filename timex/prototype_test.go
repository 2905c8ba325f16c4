// The recorded answers of the rules that were measured, and where ours differ.

package timex

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// recorded is one line of testdata/prototype.tsv.
type recorded struct {
	rule, at, text, want string
}

func readRecorded(t testing.TB, path string) (out []recorded) {
	t.Helper()
	for _, cols := range readLines(t, path, 4) {
		out = append(out, recorded{cols[0], cols[1], cols[2], cols[3]})
	}
	return out
}

// readLines returns the columns of a file's lines.
func readLines(t testing.TB, path string, columns int) (out [][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\t`, "\t", `\n`, "\n")
	for line := range strings.Lines(string(text)) {
		cols := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(cols) != columns {
			t.Fatalf("%s: %q has %d columns", path, line, len(cols))
		}
		for i := range cols {
			cols[i] = unescape.Replace(cols[i])
		}
		out = append(out, cols)
	}
	return out
}

// sorted parts dates written one after the other and sorts them.
func sorted(dates []string) string {
	fields := strings.Fields(strings.Join(dates, " "))
	slices.Sort(fields)
	return strings.Join(fields, " ")
}

// answer gives our answer to a recorded question, and the recorded one, in a
// form that can be compared.
func (r recorded) answer() (got, want string) {
	switch r.rule {
	case "resolve":
		at, _ := time.Parse(time.DateOnly, r.at)
		return sorted(Resolve(nil, r.text, at)), sorted([]string{r.want})
	case "mentions":
		return strconv.FormatBool(Mentions(r.text)), r.want
	}
	return strconv.FormatBool(Asks(r.text)), r.want
}

// readDifferences returns our answers where they differ, by rule, time and text;
// the last column of the file says why.
func readDifferences(t testing.TB) map[recorded]string {
	t.Helper()
	ours := map[recorded]string{}
	for _, r := range readLines(t, "testdata/differences.tsv", 5) {
		ours[recorded{rule: r[0], at: r[1], text: r[2]}] = r[3]
	}
	return ours
}

// Every recorded answer is ours, but for the differences that are listed, and
// each of these is one.
func TestPrototype(t *testing.T) {
	ours := readDifferences(t)
	for _, r := range readRecorded(t, "testdata/prototype.tsv") {
		got, want := r.answer()
		key := recorded{rule: r.rule, at: r.at, text: r.text}
		if own, listed := ours[key]; listed {
			if got == want {
				t.Errorf("%s %s %q is no difference any more", r.rule, r.at, r.text)
			}
			want = own
			delete(ours, key)
		}
		if got != want {
			t.Errorf("%s\t%s\t%q\t%s\trecorded %s", r.rule, r.at, r.text, got, want)
		}
	}
	for r := range ours {
		t.Errorf("%s %s %q is listed and isn't recorded", r.rule, r.at, r.text)
	}
}
