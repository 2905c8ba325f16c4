package scrubbench

// This file decides how a set is read.

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Positive is a text with a secret at Start to End.
type Positive struct {
	Label, Text, Secret string
	Start, End          int
}

// Negative is a text without a secret.
type Negative struct{ Category, Text string }

// Set is what a scrubber is held against.
type Set struct {
	Positives []Positive
	Negatives []Negative
}

// ErrSet reports a set that makes no sense.
var ErrSet = errors.New("scrubbench: unusable set")

// Read reads the set in a folder. Errors match ErrSet, or are those of reading
// files.
func Read(folder string) (s Set, err error) {
	if s.Positives, err = lines[Positive](filepath.Join(folder, "positives.jsonl.gz")); err != nil {
		return s, err
	}
	for i, p := range s.Positives {
		if p.Start < 0 || p.End < p.Start || p.End > len(p.Text) || p.Secret == "" {
			return s, fmt.Errorf("%w: positive %d has its secret at %d to %d", ErrSet, i+1, p.Start, p.End)
		}
	}
	s.Negatives, err = lines[Negative](filepath.Join(folder, "negatives.jsonl.gz"))
	return s, err
}

func lines[T any](name string) (out []T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("scrubbench: %w", err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrSet, name, err)
	}
	scanner := bufio.NewScanner(plain)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%w: %s: line %d: %w", ErrSet, name, len(out)+1, err)
		}
		out = append(out, v)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrSet, name, err)
	}
	return out, nil
}
