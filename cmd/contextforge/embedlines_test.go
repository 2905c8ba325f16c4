package main

// This file tests which lines are worked on at once.

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// pieces is a stdin that has its parts one after another, as a pipe has.
type pieces struct{ parts []string }

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.parts[0])
	if p.parts[0] = p.parts[0][n:]; p.parts[0] == "" {
		p.parts = p.parts[1:]
	}
	return n, nil
}

func TestBatches(t *testing.T) {
	many := strings.Repeat("x\n", 2*mostTexts+1)
	full := slices.Repeat([]string{"x"}, mostTexts)
	for _, c := range []struct {
		parts []string
		want  [][]string
	}{
		{nil, nil},
		{[]string{"a\n"}, [][]string{{"a"}}},
		{[]string{"a\nb\n"}, [][]string{{"a", "b"}}},
		{[]string{"a\n", "b\n"}, [][]string{{"a"}, {"b"}}},
		{[]string{"a\nb", "c\nd\n"}, [][]string{{"a"}, {"bc", "d"}}},
		{[]string{"a\r\n\r\nb\r"}, [][]string{{"a", ""}, {"b\r"}}},
		{[]string{"a\n\n\nb"}, [][]string{{"a", "", ""}, {"b"}}},
		{[]string{"a", "b", "c"}, [][]string{{"abc"}}},
		{[]string{"a\r", "\nb"}, [][]string{{"a"}, {"b"}}},
		{[]string{many}, [][]string{full, full, {"x"}}},
		{[]string{strings.Repeat("y", 200_000) + "\nz\n"}, [][]string{{strings.Repeat("y", 200_000), "z"}}},
	} {
		var got [][]string
		err := newLineReader(&pieces{c.parts}).each(func(lines []string) error {
			got = append(got, lines)
			return nil
		})
		if err != nil || !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%.40q: %.80q, %v", c.parts, got, err)
		}
	}
}

func TestBatchErrors(t *testing.T) {
	count := 0
	work := func(lines []string) error { count += len(lines); return nil }
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(broken))
	if err := newLineReader(in).each(work); !errors.Is(err, broken) || !strings.Contains(err.Error(), "line 3") || count != 2 {
		t.Errorf("%d lines, %v", count, err)
	}
	long := newLineReader(strings.NewReader("1234\n12345\n1\n"))
	long.longest, count = 5, 0
	var usage *usageError
	if err := long.each(work); !errors.As(err, &usage) || !strings.Contains(err.Error(), "line 2 has more than 5 bytes") || count != 1 {
		t.Errorf("%d lines, %v", count, err)
	}
	if err := newLineReader(strings.NewReader("a\nb\n")).each(func([]string) error { return broken }); err != broken {
		t.Error(err)
	}
}

// FuzzLines: however the input is cut, the lines are those of strings.Split.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "\n", "a\nb", "a\r\n\r\n", "\r\r\n", "a\x00b\xff\n\n", strings.Repeat("ab\n", 70)} {
		f.Add(s, uint8(len(s)))
	}
	f.Fuzz(func(t *testing.T, s string, size uint8) {
		want := strings.Split(s, "\n")
		for i, line := range want[:len(want)-1] {
			want[i] = strings.TrimSuffix(line, "\r")
		}
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		var parts []string
		for part := range slices.Chunk([]byte(s), int(size)+1) {
			parts = append(parts, string(part))
		}
		var got []string
		err := newLineReader(&pieces{parts}).each(func(lines []string) error {
			if len(lines) == 0 || len(lines) > mostTexts {
				t.Errorf("%d lines at once", len(lines))
			}
			got = append(got, lines...)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	})
}
