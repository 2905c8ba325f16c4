//go:build !contextforge_noweights

package main

// This file tests the vectors that the command prints against those of the
// library, and that they come as their texts do.

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// modelFile is the built-in model as a file.
var modelFile = filepath.Join("..", "..", "minilm", "allminilm", "all-MiniLM-L6-v2-Q8_0.gguf")

// TestModelScripts plays the scripts that need the built-in model.
func TestModelScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/models/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			script, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(newModelRig(t), string(script))
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(script) {
				t.Errorf("%s: got\n%s", name, got)
			}
		})
	}
}

func builtIn(t testing.TB, cfg minilm.Config) *minilm.Model {
	t.Helper()
	m, err := allminilm.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// hostileTexts are lines that a reader of lines or a tokenizer may stumble over.
func hostileTexts() []string {
	return []string{
		"The kettle is on.", "", " ", "\x00", "a\x00b", "caf\xe9 \xff\xfe", "\r", "a\rb", "\t", "\ufeffbom", "用户身份", "🙂 👩\u200d🚀",
		"\u2028", "[CLS] [SEP]", "e\u0301", strings.Repeat("x", 70_000), strings.Repeat("long line ", 250_000), "the last one",
	}
}

// readVectors reads the output of embed --json, one line for every text.
func readVectors(t *testing.T, out string, n int) (vectors [][]float32) {
	t.Helper()
	for line := range strings.Lines(out) {
		var v vectorJSON
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("%v: %.80q", err, line)
		}
		vectors = append(vectors, v.Embedding)
	}
	if len(vectors) != n {
		t.Fatalf("%d vectors, want %d", len(vectors), n)
	}
	return vectors
}

func wantVectors(t *testing.T, got, want [][]float32) {
	t.Helper()
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("vector %d is %.3v…, want %.3v…", i, got[i][:3], want[i][:3])
		}
	}
}

// TestEmbedGolden has the bits that every platform prints.
func TestEmbedGolden(t *testing.T) {
	const in = "The kettle is on.\n\nWater is boiling for tea.\nnaïve CAFÉ 用户 🙂\n"
	r := newRig(t)
	for _, c := range []struct {
		args        []string
		begins, sum string
	}{
		{[]string{"embed"}, "-0.09246526\t0.015686464\t-0.02838044\t0.024857748\t", "942e4634be632e05e9334eef1658d21a1a9dadb719867811bfecd3461b54bf05"},
		{[]string{"embed", "--json"}, `{"embedding":[-0.09246526,0.015686464,-0.02838044,0.024857748,`, "a9169605602edd60fe1631a60fc75888aab9ce51d05ca9b5b0d6564e7d6c171d"},
		{[]string{"embed", "--windows", "--max-tokens", "12"}, "0\t17\t-0.09246526\t", "9c2880238c3ba63214ef95a13d598f4b21bb9a8f39f016e0bd1a2d227a934923"},
		{[]string{"embed", "--windows", "--json", "--max-tokens", "12"}, `{"start":0,"end":17,"embedding":[-0.09246526,`, "ed5210aae633d22200390003841c05ff74a7e5ecec93627d5f78043d3c8f1466"},
	} {
		got := r.must(in, c.args...)
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(got))); sum != c.sum || !strings.HasPrefix(got, c.begins) {
			t.Errorf("%q: %s, %.60q", c.args, sum, got)
		}
		if file := r.must(in, append(c.args, "--model", modelFile)...); file != got {
			t.Errorf("%q: the model's file has other vectors", c.args)
		}
	}
}

// TestEmbedModels: whatever is wrong with a model, the message names the file.
func TestEmbedModels(t *testing.T) {
	r := newRig(t)
	data, err := os.ReadFile(modelFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"empty": nil, "short": data[:3], "letter": []byte("Dear Sir, this is no model."), "cut": data[:len(data)/2],
		"odd": bytes.Replace(data[:len(data):len(data)], []byte("bert"), []byte("bart"), 1),
	} {
		if err := os.WriteFile(r.path(name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"embed", "x"}, {"embed", "x", "--as", "query"}, {"tokenize", "x"}, {"similarity", "x", "y"}} {
			r.fails(exitUsage, r.path(name), "", append(args, "--model", r.path(name))...)
		}
	}
	r.fails(exitError, r.path("nosuch"), "", "embed", "x", "--model", r.path("nosuch"))
	r.fails(exitUsage, r.dir+" is a folder", "", "embed", "x", "--model", r.dir)
}

func TestEmbedLines(t *testing.T) {
	texts := hostileTexts()
	want, err := builtIn(t, minilm.Config{}).Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	lf := strings.Join(texts, "\n")
	for name, in := range map[string]string{
		"ended": lf + "\n", "not ended": lf, "CRLF": strings.Join(texts, "\r\n") + "\r\n", "CRLF not ended": strings.Join(texts, "\r\n"),
	} {
		got := readVectors(t, r.must(in, "embed", "--json"), len(texts))
		t.Run(name, func(t *testing.T) { wantVectors(t, got, want) })
	}
	for in, lines := range map[string]int{"": 0, "\n": 1, "\r\n": 1, "\n\n": 2, "a": 1, "a\n": 1, "a\n\n": 2, "\na": 2} {
		readVectors(t, r.must(in, "embed", "--json"), lines)
	}
}

// TestEmbedArguments: every argument is a text, also an empty one, one with a
// line break, or "-" beside others.
func TestEmbedArguments(t *testing.T) {
	texts := []string{"The kettle is on.", "", "-", "two\nlines"}
	for i := range 2 * mostTexts {
		texts = append(texts, fmt.Sprint("number ", i))
	}
	want, err := builtIn(t, minilm.Config{}).Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	got := readVectors(t, r.must("not read\n", append([]string{"embed", "--json"}, texts...)...), len(texts))
	wantVectors(t, got, want)
	wantVectors(t, readVectors(t, r.must(texts[0], "embed", "--json", "-"), 1), want[:1])
	r.terminal = true
	r.fails(exitUsage, "no text: give it as an argument or on stdin", "", "embed")
	wantVectors(t, readVectors(t, r.must(texts[0], "embed", "--json", "-"), 1), want[:1])
}

// TestEmbedTabs: the readable form has the same numbers.
func TestEmbedTabs(t *testing.T) {
	r := newRig(t)
	const in = "The kettle is on.\n\n"
	want := readVectors(t, r.must(in, "embed", "--json"), 2)
	rows := strings.Split(strings.TrimSuffix(r.must(in, "embed"), "\n"), "\n")
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		var v []float32
		for number := range strings.SplitSeq(row, "\t") {
			x, err := strconv.ParseFloat(number, 32)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, float32(x))
		}
		wantVectors(t, [][]float32{v}, want[i:i+1])
	}
}

// randomLines returns lines of random words, from none to more than the limit.
func randomLines(n int) string {
	random := rand.New(rand.NewPCG(3, 28))
	words := strings.Fields("sail boat kettle database deploy Friday unaffable 用户 naïve zzyzx , 42")
	var b strings.Builder
	for range n {
		for range random.IntN(1 << random.IntN(9)) {
			b.WriteString(words[random.IntN(len(words))] + " ")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestEmbedBulk: many lines at once, and each alone, have the same output.
func TestEmbedBulk(t *testing.T) {
	r := newRig(t)
	n := 150
	if testing.Short() {
		n = 70
	}
	in := randomLines(n)
	for _, args := range [][]string{{"embed", "--json"}, {"embed", "--windows", "--max-tokens", "40"}, {"tokenize"}} {
		bulk := r.must(in, args...)
		var out, errs bytes.Buffer
		if code := r.app(iotest.OneByteReader(strings.NewReader(in)), &out, &errs).run(t.Context(), args); code != exitOK {
			t.Fatalf("%q: exit %d: %s", args, code, errs.String())
		}
		if out.String() != bulk {
			t.Errorf("%q: line by line there are other answers than in bulk", args)
		}
		if lines := strings.Count(bulk, "\n"); lines != n && args[1:] != nil && args[1] != "--windows" {
			t.Errorf("%q: %d answers to %d lines", args, lines, n)
		}
	}
}

// TestEmbedWindows: every text has the windows of the library, in order.
func TestEmbedWindows(t *testing.T) {
	texts := append(hostileTexts(), strings.Repeat("The otter swims in the river. ", 400))
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "\r" }) // it would be part of the line's end
	m := builtIn(t, minilm.Config{MaxTokens: 64})
	var want []minilm.Window
	for i, text := range texts {
		texts[i] = text[:min(len(text), 30_000)]
		windows, err := m.EmbedWindows(t.Context(), texts[i])
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, windows...)
	}
	if len(want) < len(texts)+2*mostTexts {
		t.Fatalf("only %d windows", len(want))
	}
	r := newRig(t)
	rest := r.must(strings.Join(texts, "\n"), "embed", "--json", "--windows", "--max-tokens", "64")
	for i, w := range want {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		var got windowJSON
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		if got.Start != w.Start || got.End != w.End || !slices.Equal(got.Embedding, w.Vector) {
			t.Errorf("window %d is %d to %d, want %d to %d", i, got.Start, got.End, w.Start, w.End)
		}
	}
	if rest != "" {
		t.Errorf("%d lines are left over", strings.Count(rest, "\n"))
	}
	got := r.must("one two three\n", "embed", "--windows")
	if plain := r.must("one two three\n", "embed"); got != "0\t13\t"+plain {
		t.Errorf("printed %.40q", got)
	}
}

// renamed writes the built-in model with another name, which has to be as long.
func (r *rig) renamed(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(modelFile)
	if err != nil {
		r.t.Fatal(err)
	}
	if len(name) != len(allminilm.Name) {
		r.t.Fatalf("%q is not as long as %q", name, allminilm.Name)
	}
	path := r.path("renamed.gguf")
	if err := os.WriteFile(path, bytes.Replace(data, []byte(allminilm.Name), []byte(name), 1), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// TestEmbedPrefixes gives the built-in model the name of one that has prefixes.
func TestEmbedPrefixes(t *testing.T) {
	r := newRig(t)
	path := r.renamed("intfloa/e5-small")
	m, err := minilm.Load(path, minilm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"The kettle is on.", "", strings.Repeat("many words ", 600)}
	in := strings.Join(texts, "\n")
	documents, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var queries [][]float32
	for _, text := range texts {
		v, err := m.EmbedQuery(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		queries = append(queries, v)
	}
	bare, err := builtIn(t, minilm.Config{MaxTokens: 512}).Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for as, want := range map[string][][]float32{"query": queries, "document": documents, "text": bare} {
		wantVectors(t, readVectors(t, r.must(in, "embed", "--json", "--model", path, "--as", as), len(texts)), want)
		if as == "text" {
			continue
		}
		if builtInVectors := r.must(texts[0], "embed", "--as", as); builtInVectors != r.must(texts[0], "embed") {
			t.Errorf("--as %s changes vectors of a model without prefixes", as)
		}
	}
}

// TestEmbedStreams: an answer is there before the next line is asked for.
func TestEmbedStreams(t *testing.T) {
	r := newRig(t)
	for _, args := range [][]string{{"embed", "--json"}, {"embed"}, {"embed", "--windows"}, {"tokenize"}} {
		in, feed := io.Pipe()
		answers, out := io.Pipe()
		var errs bytes.Buffer
		done := make(chan int, 1)
		go func() {
			code := r.app(in, out, &errs).run(context.Background(), args)
			out.Close()
			in.Close() // so that nobody waits to feed a run that has ended
			done <- code
		}()
		lines := bufio.NewReader(answers)
		for _, text := range []string{"one\n", "\n", "three\r\n", "four"} {
			if _, err := feed.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(text, "\n") {
				feed.Close()
			}
			if _, err := lines.ReadString('\n'); err != nil {
				t.Errorf("%q: no answer to %q: %v", args, text, err)
			}
		}
		if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
			t.Errorf("%q: %d bytes after the last answer, %v", args, len(rest), err)
		}
		if code := <-done; code != exitOK || errs.Len() > 0 {
			t.Errorf("%q: exit %d: %s", args, code, errs.String())
		}
	}
}

// TestEmbedEnds: what ends a run early is told as elsewhere, or not at all.
func TestEmbedEnds(t *testing.T) {
	r := newRig(t)
	for _, command := range []string{"embed", "tokenize"} {
		var out, errs bytes.Buffer
		gone := &os.PathError{Op: "write", Path: "|1", Err: io.ErrClosedPipe}
		if code := r.app(strings.NewReader("a\nb\n"), brokenPipe{gone}, &errs).run(t.Context(), []string{command}); code != exitOK || errs.Len() > 0 {
			t.Errorf("%s into a closed pipe: exit %d, %s", command, code, errs.String())
		}
		full := &os.PathError{Op: "write", Path: "/out", Err: io.ErrShortWrite}
		if code := r.app(strings.NewReader("a\nb\n"), brokenPipe{full}, &errs).run(t.Context(), []string{command}); code != exitError || !strings.Contains(errs.String(), "writing the output") {
			t.Errorf("%s into a full disk: exit %d, %s", command, code, errs.String())
		}
		errs.Reset()
		broken := io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(io.ErrNoProgress))
		code := r.app(broken, &out, &errs).run(t.Context(), []string{command})
		if code != exitError || !strings.Contains(errs.String(), "reading line 3: ") || strings.Count(out.String(), "\n") != 2 {
			t.Errorf("%s of a stdin that breaks: exit %d, %s, %d answers", command, code, errs.String(), strings.Count(out.String(), "\n"))
		}
	}
	for _, args := range [][]string{{"embed", "x"}, {"embed"}, {"tokenize", "x"}, {"tokenize"}, {"similarity", "a", "b"}, {"similarity", "a", "-"}} {
		var out, errs bytes.Buffer
		if code := r.app(strings.NewReader("a\n"), &out, &errs).run(cancelled(), args); code != exitInterrupted || errs.String() != "contextforge: interrupted\n" || out.Len() > 0 {
			t.Errorf("%q: exit %d, %s", args, code, errs.String())
		}
	}
}
