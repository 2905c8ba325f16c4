// The recorded data of the reference, as the tests read it.

package wordpiece

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode"
)

// unzip returns the contents of a compressed file of testdata.
func unzip(name string) ([]byte, error) {
	packed, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func readGzip(t testing.TB, name string) []byte {
	t.Helper()
	data, err := unzip(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// uncasedSpecial names the special entries of vocab.txt.
func uncasedSpecial() Special { return Special{Unknown: 100, Begin: 101, End: 102, Pad: 0, Mask: 103} }

// vocabulary returns the entries of the reference model.
func vocabulary(t testing.TB) []string {
	t.Helper()
	lines := strings.Split(string(readGzip(t, "vocab.txt.gz")), "\n")
	return lines[:len(lines)-1]
}

// phantom writes a vocabulary in the other notation, with the types of its
// entries.
func phantom(vocab []string, special Special) (tokens []string, types []int32) {
	types = make([]int32, len(vocab))
	for i, entry := range vocab {
		rest, continues := strings.CutPrefix(entry, "##")
		switch id := int32(i); {
		case id == special.Unknown || id == special.Begin || id == special.End || id == special.Pad || id == special.Mask:
			tokens, types[i] = append(tokens, entry), TypeControl
		case continues:
			tokens, types[i] = append(tokens, rest), 1
		default:
			tokens, types[i] = append(tokens, "\u2581"+entry), 1
		}
	}
	return tokens, types
}

// mustNew makes a tokenizer or ends the test.
func mustNew(t testing.TB, vocab []string, special Special, opts Options) *Tokenizer {
	t.Helper()
	tok, err := New(vocab, special, opts)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func uncased(t testing.TB) *Tokenizer {
	t.Helper()
	return mustNew(t, vocabulary(t), uncasedSpecial(), Options{})
}

// recorded is one line of tokenizer.jsonl.
type recorded struct {
	ID       int     `json:"id"`
	Category string  `json:"category"`
	Text     string  `json:"text"`
	IDs      []int32 `json:"ids"`
	Full     int     `json:"n_full"`
}

func recordings(t testing.TB) (out []recorded) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(readGzip(t, "tokenizer.jsonl.gz")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	if len(out) != 535 {
		t.Fatalf("%d recorded texts", len(out))
	}
	return out
}

// codePoint is what the reference does to one character.
type codePoint struct {
	class string // drop, space, split, join or hangul
	text  string // what stands for it in uncased text
}

// codePoints is indexed by character; surrogates have no class.
type codePoints []codePoint

// readCodePoints decodes codepoints.json once for all tests.
func readCodePoints(t testing.TB) codePoints {
	t.Helper()
	table, err := codePointsOnce()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

var codePointsOnce = sync.OnceValues(decodeCodePoints)

func decodeCodePoints() (codePoints, error) {
	text, err := unzip("codepoints.json.gz")
	if err != nil {
		return nil, err
	}
	var data struct{ Runs, Maps [][3]any }
	if err := json.Unmarshal(text, &data); err != nil {
		return nil, err
	}
	table := make(codePoints, unicode.MaxRune+1)
	for _, run := range data.Runs {
		for r := rune(run[0].(float64)); r <= rune(run[1].(float64)); r++ {
			table[r] = codePoint{run[2].(string), string(r)}
		}
	}
	for _, m := range data.Maps {
		r := rune(m[0].(float64))
		if table[r].class != m[1] {
			return nil, fmt.Errorf("%U is %q and %q", r, table[r].class, m[1])
		}
		table[r].text = m[2].(string)
	}
	return table, nil
}
