package main

// This file tests which lines are worked on at once.

import (
	"errors"
	"fmt"
	"io"
	"runtime"
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
		err := newTextReader(&pieces{c.parts}).each(func(lines []string) error {
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
	if err := newTextReader(in).each(work); !errors.Is(err, broken) || !strings.Contains(err.Error(), "line 3") || count != 2 {
		t.Errorf("%d lines, %v", count, err)
	}
	long := newTextReader(strings.NewReader("1234\n12345\n1\n"))
	long.longest, count = 5, 0
	var usage *usageError
	if err := long.each(work); !errors.As(err, &usage) || !strings.Contains(err.Error(), "line 2 has more than 5 bytes") || count != 1 {
		t.Errorf("%d lines, %v", count, err)
	}
	if err := newTextReader(strings.NewReader("a\nb\n")).each(func([]string) error { return broken }); err != broken {
		t.Error(err)
	}
}

// FuzzLines: however the input is cut, the lines are those of strings.Split.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "\n", "a\nb", "\ufeff", "\ufeffa\n\ufeff\n", "\xff\xfea\x00", "\n\x00a\x00b\x00\n", "a\r\n\r\n", "\r\r\n", "a\x00b\xff\n\n", strings.Repeat("ab\n", 70)} {
		f.Add(s, uint8(len(s)))
	}
	f.Fuzz(func(t *testing.T, s string, size uint8) {
		want := strings.Split(strings.TrimPrefix(s, "\ufeff"), "\n")
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
		err := newTextReader(&pieces{parts}).each(func(lines []string) error {
			if len(lines) == 0 || len(lines) > mostTexts {
				t.Errorf("%d lines at once", len(lines))
			}
			got = append(got, lines...)
			return nil
		})
		if err == errUTF16 { // by what was there at the time
			for i := range len(s) + 1 {
				if isUTF16([]byte(s[:min(i, toldFrom)])) {
					return
				}
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	})
}

// TestTexts reads texts that aren't lines.
func TestTexts(t *testing.T) {
	long := strings.Repeat("z", 64<<10)
	for _, c := range []struct {
		end  int
		in   string
		want []string
	}{
		{0, "", nil},
		{0, "a", []string{"a"}},
		{0, "a\r\n\x00b\n\x00", []string{"a\r\n", "b\n"}},
		{0, "\x00\x00a", []string{"", "", "a"}},
		{0, "\ufeffa\x00\ufeff\x00", []string{"a", "\ufeff"}},
		{0, long + "\x00" + long + long, []string{long, long + long}},
		{0, "\xff\xfe\x00a\x00b\x00", []string{"\xff\xfe", "a", "b"}},
		{noEnd, "", []string{""}},
		{noEnd, "\ufeff", []string{""}},
		{noEnd, "\ufeffa\r\n\r\n", []string{"a\r\n\r\n"}},
		{noEnd, "a\x00b\n", []string{"a\x00b\n"}},
		{noEnd, long, []string{long}},
		{noEnd, long + "\n" + long + long, []string{long + "\n" + long + long}},
		{'\n', long + "\r\nb", []string{long, "b"}},
		{'\n', long[1:] + "\r\nb", []string{long[1:], "b"}},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)), iotest.DataErrReader(strings.NewReader(c.in))} {
			r := newTextReader(in)
			r.end = c.end
			var got []string
			err := r.each(func(texts []string) error {
				got = append(got, texts...)
				return nil
			})
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%d, %.40q: %.80q, %v", c.end, c.in, got, err)
			}
		}
	}
}

func TestTextErrors(t *testing.T) {
	for _, c := range []struct {
		end  int
		want string
	}{{'\n', "reading line 1"}, {0, "reading text 1"}, {noEnd, "reading stdin"}} {
		r := newTextReader(io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(io.ErrNoProgress)))
		r.end = c.end
		if _, err := r.text(); !errors.Is(err, io.ErrNoProgress) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		// Too long as one part, and as several.
		for _, n := range []int{9, 300_000} {
			r = newTextReader(strings.NewReader(strings.Repeat("x", n)))
			r.end, r.longest = c.end, n-1
			var usage *usageError
			if _, err := r.text(); !errors.As(err, &usage) || !strings.Contains(err.Error(), "has more than") {
				t.Errorf("%d, %d: %v", c.end, n, err)
			}
		}
	}
}

func TestUTF16(t *testing.T) {
	for in, want := range map[string]bool{
		"": false, "a": false, "\xff": false, "\xff\xfe": true, "\xfe\xff\x00a": true, "\xff\xfe\x2d\x4e": true, "\xfe\xfe": false,
		"h\x00i\x00\n": true, "\x00h\x00i\x00\n\x00": true, "\x00": false, "a\x00b": false, "\x00\x00\x00\x00": false,
		strings.Repeat("a\x00", 100) + "\x00\x01": true, "tom\x00ben\x00": false, "\ufeffa": false, "a longer text\x00\n": false,
	} {
		if got := isUTF16([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// TestLongMemory: a long line is in memory twice at most, and one with enough
// tokens in its beginning not at all.
func TestLongMemory(t *testing.T) {
	const size = 8 << 20
	words := strings.Repeat("some words ", size/11)
	for _, c := range []struct {
		name, text string
		tokens     func(string) int
		most       uint64
	}{
		{"kept", words, nil, 2*size + size/4},
		{"cut", words, func(part string) int { return strings.Count(part, " ") }, size / 4},
		{"blank", strings.Repeat(" ", size), func(string) int { return 0 }, 3*size + size/4},
		{"one word", strings.Repeat("x", size), func(string) int { return 1 }, 2*size + size/4},
	} {
		r := newTextReader(strings.NewReader(c.text + "\nnext"))
		r.tokens, r.enough = c.tokens, 100
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		text, err := r.text()
		runtime.ReadMemStats(&after)
		if err != nil || !strings.HasPrefix(c.text, text) || c.name != "cut" && text != c.text {
			t.Errorf("%s: %d bytes, %v", c.name, len(text), err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > c.most {
			t.Errorf("%s: %d bytes of memory for a line of %d", c.name, n, size)
		}
		if next, err := r.text(); next != "next" || err != nil {
			t.Errorf("%s: the next line is %.40q, %v", c.name, next, err)
		}
	}
}

func BenchmarkLongLine(b *testing.B) {
	in := strings.Repeat("some words ", 1<<20)
	b.Run(fmt.Sprint(len(in)), func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(in)))
		for b.Loop() {
			if _, err := newTextReader(strings.NewReader(in)).text(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
