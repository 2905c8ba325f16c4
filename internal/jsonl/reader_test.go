package jsonl_test

// This file tests what is read, what is reported, and where reading goes on.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/contextforge-go/contextforge/internal/jsonl"
)

// readAll returns one line for each object ("line:column object") and for each
// fault ("! line n: reason"), and the final error.
func readAll(src io.Reader, o jsonl.Options) (out []string, err error) {
	r := jsonl.NewReader(src, o)
	for {
		rec, err := r.Next()
		var syntax *jsonl.SyntaxError
		switch {
		case errors.As(err, &syntax):
			out = append(out, "! "+err.Error())
		case err != nil:
			return out, err
		default:
			out = append(out, fmt.Sprintf("%d:%d %s", rec.Line, rec.Column, rec.JSON))
		}
	}
}

func TestReader(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"blank", " \r\n\n\t", nil},
		{"P28 lines", "{\"a\":1}\n{\"b\":2}\n", []string{`1:1 {"a":1}`, `2:1 {"b":2}`}},
		{"P28 no last newline", "{\"a\":1}\n{\"b\":2}", []string{`1:1 {"a":1}`, `2:1 {"b":2}`}},
		{"P28 two on a line", `{"a":1}{"b":2} {"c":3}`, []string{`1:1 {"a":1}`, `1:8 {"b":2}`, `1:16 {"c":3}`}},
		{"P28 array", `[{"a":1},{"b":[2,{}]}]`, []string{`1:2 {"a":1}`, `1:10 {"b":[2,{}]}`}},
		{"P28 array over lines", "[\n  {\"a\":1},\n  {\"b\":2}\n]\n", []string{`2:3 {"a":1}`, `3:3 {"b":2}`}},
		{"P28 byte-order mark", "\uFEFF{\"a\":1}\n", []string{`1:1 {"a":1}`}},
		{"P28 byte-order mark before an array", "\uFEFF[{\"a\":1}]", []string{`1:2 {"a":1}`}},
		{"P28 CRLF", "{\"a\":1}\r\n\r\n{\"b\":2}\r\n", []string{`1:1 {"a":1}`, `3:1 {"b":2}`}},
		{"P28 truncated in a string", "{\"a\":1}\n{\"b\":\"x\n{\"c\":3}\n", []string{`1:1 {"a":1}`, `! line 2: a string isn't closed on its line`, `3:1 {"c":3}`}},
		{"P28 truncated behind a value", "{\"a\":1\n{\"c\":3}\n", []string{`! line 1: the object isn't closed`, `2:1 {"c":3}`}},
		{"P28 truncated before a value", "{\"a\":\n{\"c\":3}\n{\"d\":4}\n", []string{`! line 1: the object isn't closed`, `2:1 {"c":3}`, `3:1 {"d":4}`}},
		{"P28 truncated before the last line", "{\"a\":[\n{\"c\":3}\n", []string{`! line 1: the object isn't closed`, `2:1 {"c":3}`}},
		{"P28 truncated behind a comma", "{\"a\":1,\n{\"c\":3}\n", []string{`! line 1: the object isn't closed`, `2:1 {"c":3}`}},
		{"P28 truncated in a word", "{\"a\":tr\n{\"c\":3}\n", []string{`! line 1: "tr" is not JSON`, `2:1 {"c":3}`}},
		{"P28 truncated at the end", "{\"a\":1}\n{\"b\":", []string{`1:1 {"a":1}`, `! line 2: the text ends before the value does`}},
		{"P28 truncated in an escape", "{\"a\":1}\n{\"b\":\"\\", []string{`1:1 {"a":1}`, `! line 2: the text ends before the value does`}},
		{"P28 truncated, then another", `{"a":1{"b":2}` + "\n", []string{`! line 1: the object isn't closed before the next one begins`, `1:7 {"b":2}`}},
		{"marks where files were joined", "{\"a\":1}\n\uFEFF{\"b\":2}", []string{`1:1 {"a":1}`, `2:1 {"b":2}`}},
		{"commas between lines", "{\"a\":1},\n{\"b\":2},\n", []string{`1:1 {"a":1}`, `2:1 {"b":2}`}},
		{"two arrays", "[{\"a\":1}]\n[{\"b\":2}]", []string{`1:2 {"a":1}`, `2:2 {"b":2}`}},
		{"pretty-printed", "{\n  \"a\": [\n    1\n  ]\n}\n{\n}\n", []string{"1:1 {\n  \"a\": [\n    1\n  ]\n}", "6:1 {\n}"}},
		{"pretty-printed with a fault", "[\n  {\n    \"a\": ,\n    \"m\": [\n      1\n    ]\n  },\n  {\"b\":2}\n]\n{\"c\":3}", []string{`! line 2, column 3: the object isn't closed`, `8:3 {"b":2}`, `10:1 {"c":3}`}},
		{"open array", "[{\"a\":1},\n", []string{`1:2 {"a":1}`, `! line 2: the array isn't closed, so records may be missing at the end`}},
		{"fault in an array on one line", `[{"a":1},{"b":,"x":"}"},{"c":3}]`, []string{`1:2 {"a":1}`, `! line 1, column 10: unexpected ',', want a value`, `1:25 {"c":3}`}},
		{"truncated in an array on one line", `[{"a":1},{"b":1,{"c":3}]`, []string{`1:2 {"a":1}`, `! line 1, column 10: the object isn't closed before the next one begins`, `1:17 {"c":3}`}},
		{"open string in an array on one line", `[{"a":1},{"b":"x},{"c":3}, {"d":"y, { "e":5}]`, []string{`1:2 {"a":1}`,
			`! line 1, column 10: the object isn't closed before the next one begins`, `1:19 {"c":3}`,
			`! line 1, column 28: the object isn't closed before the next one begins`, `1:37 { "e":5}`}},
		{"open string, more in the object", `[{"b":"x,"c":"y"},{"d":4}]`, []string{`! line 1, column 2: unexpected 'c', want a comma or a closing bracket`, `1:19 {"d":4}`}},
		{"open key", `{"b{"c":3}`, []string{`! line 1: the object isn't closed before the next one begins`, `1:4 {"c":3}`}},
		{"quotes in a string", `[{"b":"he said "no" and left","m":[{"x":1},{"y":2}]}, {"d":4}]`, []string{
			`! line 1, column 2: unexpected 'n', want a comma or a closing bracket`, `1:55 {"d":4}`}},
		{"truncated in a string, then another", `{"a":"x{"b":2}` + "\n", []string{`! line 1: the object isn't closed before the next one begins`, `1:8 {"b":2}`}},
		{"rubbish in an array", `[x,{"a":1},tru,]`, []string{`! line 1, column 2: "x" is not JSON`, `1:4 {"a":1}`, `! line 1, column 12: "tru" is not JSON`}},
		{"not objects", "1\n\"s\"\ntrue\nnull\n[[1],2.5e+3]\n{}", []string{
			`! line 1: a number where an object is expected`, `! line 2: a string where an object is expected`,
			`! line 3: a boolean where an object is expected`, `! line 4: null where an object is expected`,
			`! line 5, column 2: a list where an object is expected`, `! line 5, column 6: a number where an object is expected`, `6:1 {}`}},
		{"a log line", "2026-01-02 hello {\n{\"a\":1}", []string{`! line 1: "2026-01-02" is not JSON`, `2:1 {"a":1}`}},
		{"a long word", strings.Repeat("x", 100) + "\n", []string{`! line 1: a word of 100 characters is not JSON`}},
		{"stray brackets", "]\n}\n{}", []string{`! line 1: unexpected ']'`, `! line 2: unexpected '}'`, `3:1 {}`}},
		{"one bracket too many", `{"a":1}} {"b":2}`, []string{`1:1 {"a":1}`, `! line 1, column 8: unexpected '}'`, `1:10 {"b":2}`}},
		{"key without quotes", "{a:1}\n{\"b\":2}", []string{`! line 1: unexpected 'a', want a key`, `2:1 {"b":2}`}},
		{"no colon", `{"a" 1}{"b":2}`, []string{`! line 1: unexpected '1', want a colon`, `1:8 {"b":2}`}},
		{"trailing comma", `{"a":1,}{"b":[1,]}{"c":3}`, []string{`! line 1: unexpected '}', want a key`, `! line 1, column 9: unexpected ']', want a value`, `1:19 {"c":3}`}},
		{"wrong bracket", `{"a":[1}]}{"b":2}`, []string{`! line 1: unexpected '}', want a comma or a closing bracket`, `! line 1, column 10: unexpected '}'`, `1:11 {"b":2}`}},
		{"bad escape", `{"a":"\x"}{"b":"\u12g4"}{"c":"\u1234\"\\"}`, []string{`! line 1: unknown escape in a string`, `! line 1, column 11: unknown escape in a string`, `1:25 {"c":"\u1234\"\\"}`}},
		{"control character", "{\"a\":\"\x01}\"}{\"b\":2}", []string{`! line 1: control character 0x01 in a string`, `1:11 {"b":2}`}},
		{"NUL", "\x00{\"a\":1}\n{\"b\":2}", []string{`! line 1: unexpected byte 0x00, want a value`, `2:1 {"b":2}`}},
		{"not UTF-8", "{\"a\":\"caf\xe9\"}\n{\"b\":2}", []string{`! line 1: not valid UTF-8`, `2:1 {"b":2}`}},
		{"half a mark", "\xef\xbb{}\n{\"b\":2}", []string{`! line 1: unexpected byte 0xef, want a value`, `2:1 {"b":2}`}},
		{"empty keys and values", `{"":{"":[[],{}]}}`, []string{`1:1 {"":{"":[[],{}]}}`}},
		{"numbers", `{"a":[0,-1.5e-7,10]}{"a":01}{"a":1.}{"a":1e}{"a":-}{"a":+1}{}`, []string{`1:1 {"a":[0,-1.5e-7,10]}`,
			`! line 1, column 21: "01" is not JSON`, `! line 1, column 29: "1." is not JSON`, `! line 1, column 37: "1e" is not JSON`,
			`! line 1, column 45: "-" is not JSON`, `! line 1, column 52: "+1" is not JSON`, `1:60 {}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readAll(strings.NewReader(c.in), jsonl.Options{})
			if err != io.EOF {
				t.Errorf("ended with %v", err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			slow, err := readAll(iotest.OneByteReader(strings.NewReader(c.in)), jsonl.Options{})
			if err != io.EOF || !slices.Equal(slow, got) {
				t.Errorf("byte by byte: %q, %v", slow, err)
			}
		})
	}
}

func TestUTF16(t *testing.T) {
	for _, in := range []string{"\xff\xfe{\x00}\x00", "\xfe\xff\x00{\x00}"} {
		out, err := readAll(strings.NewReader(in), jsonl.Options{})
		if len(out) > 0 || !errors.Is(err, jsonl.ErrUTF16) {
			t.Errorf("%q, %v", out, err)
		}
	}
}

func TestSourceErrors(t *testing.T) {
	cause := errors.New("cable pulled")
	out, err := readAll(io.MultiReader(strings.NewReader(`[{"a":1},{"b"`), iotest.ErrReader(cause)), jsonl.Options{})
	if want := []string{`1:2 {"a":1}`, `! line 1, column 10: the text ends before the value does`}; !slices.Equal(out, want) || err != cause {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := readAll(stuck{}, jsonl.Options{}); err != io.ErrNoProgress {
		t.Errorf("a source without progress: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestMaxBytes(t *testing.T) {
	long := `{"long":"` + strings.Repeat("x", 300_000) + `"}`
	for name, in := range map[string]string{
		"lines":      "{\"a\":1}\n" + long + "\n{\"b\":2}",
		"pretty":     "{\"a\":1}\n{\n" + strings.Repeat(" ", 1000) + "\n  \"x\":1}\n{\"b\":2}",
		"never ends": "{\"a\":1}\n" + long[:200_000] + "\n{\"b\":2}",
	} {
		out, err := readAll(strings.NewReader(in), jsonl.Options{MaxBytes: 100})
		if err != io.EOF || len(out) != 3 || out[1] != "! line 2: longer than 100 bytes" || !strings.HasSuffix(out[2], `{"b":2}`) {
			t.Errorf("%s: %.200q, %v", name, out, err)
		}
	}
	if out, err := readAll(strings.NewReader(long), jsonl.Options{MaxBytes: len(long)}); err != io.EOF || len(out) != 1 || out[0][:2] != "1:" {
		t.Errorf("just fits: %.200q, %v", out, err)
	}
}

func TestDepth(t *testing.T) {
	nested := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	for n, want := range map[int]string{9999: "1:1 {", 10000: "! line 1: nested too deep"} {
		out, _ := readAll(strings.NewReader(nested(n)+"\n{}"), jsonl.Options{})
		if len(out) != 2 || !strings.HasPrefix(out[0], want) {
			t.Errorf("%d: %.60q", n, out)
		}
	}
	out, err := readAll(strings.NewReader(strings.Repeat("{\"a\":\n", 20_000)), jsonl.Options{})
	if err != io.EOF || len(out) != 20_000 {
		t.Errorf("%d, %v", len(out), err)
	}
}

// TestBoundedMemory reads an array far larger than the buffer may become.
func TestBoundedMemory(t *testing.T) {
	const records = 200_000
	src := &endless{left: records, piece: []byte(`,{"content":"` + strings.Repeat("x", 200) + `"}`)}
	r := jsonl.NewReader(io.MultiReader(strings.NewReader("["), src, strings.NewReader("]")), jsonl.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for {
		if _, err := r.Next(); err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			break
		}
		n++
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("allocated %d bytes in all", grown)
	}
	if n != records || r.Read() != int64(2+records*len(src.piece)) {
		t.Errorf("%d records in %d bytes", n, r.Read())
	}
}

type endless struct {
	left  int
	piece []byte
	rest  []byte
}

func (e *endless) Read(b []byte) (int, error) {
	if len(e.rest) == 0 {
		if e.left == 0 {
			return 0, io.EOF
		}
		e.left--
		e.rest = e.piece
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestDamage cuts and joins lines at random: every line that stays whole, with
// its line breaks, must be found.
func TestDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 28))
	for range 300 {
		var in bytes.Buffer
		var want []string
		for i := range 20 {
			line := fmt.Sprintf(`{"id":%d,"content":"a \"b\" {c} [d]","m":{"k":[1,{"x":null}]}}`, i)
			if rng.IntN(3) == 0 {
				in.WriteString(line[:1+rng.IntN(len(line)-1)])
			} else {
				in.WriteString(line)
				want = append(want, line)
			}
			in.WriteByte('\n')
		}
		out, err := readAll(&in, jsonl.Options{})
		var got []string
		for _, s := range out {
			if _, object, ok := strings.Cut(s, " {"); ok && s[0] != '!' {
				got = append(got, "{"+object)
			}
		}
		if err != io.EOF || !slices.Equal(got, want) {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(out, "\n"), strings.Join(want, "\n"))
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{"", "{}", "[{}]", "{\"a\":\n{}\n", `{"a":"\u00`, "\uFEFF[1,{\"a\":[]}", `{"a":1{"b":2}`, "{\"a\":\"\xff\"}", "{\"a\":01}\n}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := readAll(bytes.NewReader(in), jsonl.Options{})
		if err != io.EOF && err != jsonl.ErrUTF16 {
			t.Fatalf("ended with %v", err)
		}
		if len(out) > len(in)+1 {
			t.Fatalf("%d results from %d bytes", len(out), len(in))
		}
		for _, s := range out {
			if _, object, _ := strings.Cut(s, " "); s[0] != '!' && (!json.Valid([]byte(object)) || object[0] != '{') {
				t.Fatalf("not an object: %q", object)
			}
		}
		if slow, _ := readAll(iotest.HalfReader(bytes.NewReader(in)), jsonl.Options{}); !slices.Equal(slow, out) {
			t.Fatalf("depends on the size of reads:\n%q\n%q", out, slow)
		}
		if whole := bytes.Trim(in, " \t\r"); len(whole) > 0 && whole[0] == '{' && json.Valid(whole) && bytes.Count(in, []byte("\n")) == 0 {
			if len(out) != 1 || out[0][0] == '!' && !strings.Contains(out[0], "UTF-8") {
				t.Fatalf("valid object gave %q", out)
			}
		}
	})
}

func BenchmarkNext(b *testing.B) {
	line := `{"id":"turn-0001","content":"` + strings.Repeat("some words of a conversation ", 8) + `","timestamp":1767636734,"kind":"snapshot","scope":"chat:maren","metadata":{"speaker":"Maren"}}` + "\n"
	for _, n := range []int{1000, 100_000} {
		in := bytes.Repeat([]byte(line), n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				r := jsonl.NewReader(bytes.NewReader(in), jsonl.Options{})
				for {
					if _, err := r.Next(); err != nil {
						break
					}
				}
			}
		})
	}
}
