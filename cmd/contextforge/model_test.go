package main

// This file tests what the script of the model commands leaves out: values in
// full length, keys of other types than usual, files that can't be read.

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

func sample(name string) string {
	return filepath.Join("..", "..", "minilm", "gguf", "testdata", name)
}

// modelOf writes a file with keys and no tensors.
func (r *rig) modelOf(keys ...[]byte) string {
	r.t.Helper()
	out := binary.LittleEndian.AppendUint32([]byte("GGUF"), 3)
	out = binary.LittleEndian.AppendUint64(out, 0)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(keys)))
	for _, k := range keys {
		out = append(out, k...)
	}
	path := r.path("model.gguf")
	if err := os.WriteFile(path, out, 0o600); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// keyOf encodes a key with the bytes of its value.
func keyOf(key string, t gguf.ValueType, value []byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(key)))
	out = binary.LittleEndian.AppendUint32(append(out, key...), uint32(t))
	return append(out, value...)
}

func textKey(key, value string) []byte {
	return keyOf(key, gguf.String, append(binary.LittleEndian.AppendUint64(nil, uint64(len(value))), value...))
}

func numberKey(key string, n uint32) []byte {
	return keyOf(key, gguf.Uint32, binary.LittleEndian.AppendUint32(nil, n))
}

func TestInspectAll(t *testing.T) {
	r := newRig(t)
	short := r.must("", "model", "inspect", sample("bert.gguf"))
	full := r.must("", "model", "inspect", sample("bert.gguf"), "--all")
	if strings.Contains(short, `"▁z"`) || !strings.Contains(short, ", …]") {
		t.Errorf("printed %s", short)
	}
	if !strings.Contains(full, `"▁z", "▁a"]`) || strings.Contains(full, "…") {
		t.Errorf("printed %s", full)
	}
	if full := r.must("", "model", "inspect", sample("odd.gguf"), "--all"); strings.Contains(full, "…") {
		t.Errorf("printed %s", full)
	}
	for _, c := range []struct {
		flags []string
		want  int
	}{{nil, shownElements}, {[]string{"--all"}, 32}} {
		var m modelReport
		out := r.must("", append([]string{"model", "inspect", sample("bert.gguf"), "--json"}, c.flags...)...)
		if err := json.Unmarshal([]byte(out), &m); err != nil {
			t.Fatal(err)
		}
		for _, k := range m.Keys {
			if k.Key != "tokenizer.ggml.tokens" {
				continue
			}
			if list, ok := k.Value.([]any); !ok || len(list) != c.want || *k.Count != 32 || k.Type != "array" || k.Elements != "string" {
				t.Errorf("%v: %+v", c.flags, k)
			}
		}
		if m.Vocabulary != 32 || m.Dimension != 32 || m.Pooling != "mean" || len(m.Tensors) != 5 || len(m.Totals) != 2 {
			t.Errorf("%+v", m)
		}
	}
}

// TestInspectOtherTypes: keys with well-known names that hold something else are
// shown, and left out above.
func TestInspectOtherTypes(t *testing.T) {
	r := newRig(t)
	path := r.modelOf(numberKey("general.architecture", 5), textKey("general.name", "\x1b[2J"), textKey("bert.block_count", "six"),
		keyOf("nan", gguf.Float32, binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))),
		keyOf("inf", gguf.Float64, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Inf(-1)))))
	want := fmt.Sprintf("file          %s\nformat        GGUF version 3, %d bytes, alignment 32, data from byte 192\nname          \\x1b[2J\n", path, 177) +
		`embedding     no: value of another type: key "general.architecture" is uint32 5, not a string

5 keys
  general.architecture  uint32   5
  general.name          string   "\x1b[2J"
  bert.block_count      string   "six"
  nan                   float32  NaN
  inf                   float64  -Inf

0 tensors
`
	if got := r.must("", "model", "inspect", path); got != want {
		t.Errorf("printed %s\nwant %s", got, want)
	}
	if got := r.must("", "model", "inspect", path, "--json"); !strings.Contains(got, `"value":"NaN"`) || !strings.Contains(got, `"name":"\u001b[2J"`) ||
		strings.Contains(got, `"layers"`) || !strings.HasSuffix(got, `"tensors":[],"totals":[]}`+"\n") {
		t.Errorf("printed %s", got)
	}
}

func TestInspectPooling(t *testing.T) {
	r := newRig(t)
	for n, want := range []string{"none", "mean", "cls", "last", "rank", "5"} {
		path := r.modelOf(textKey("general.architecture", "x"), numberKey("x.pooling_type", uint32(n)), numberKey("x.vocab_size", 77))
		got := r.must("", "model", "inspect", path)
		if !strings.Contains(got, "pooling       "+want+"\nvocabulary    77\n") {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// TestInspectHostile: names as long as can be, and full of commands.
func TestInspectHostile(t *testing.T) {
	r := newRig(t)
	hostile := "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e\u2066\r\n0 tensors\x00\u00ad\U000E0041\u2028\x7f\t"
	var keys [][]byte
	keys = append(keys, textKey("general.architecture", hostile), textKey("general.name", strings.Repeat(hostile, 9)))
	keys = append(keys, textKey(strings.Repeat(hostile, 1000), strings.Repeat("é", 60)))
	for i := range 2000 {
		keys = append(keys, numberKey(fmt.Sprint(i), uint32(i)))
	}
	path := r.modelOf(keys...)
	for _, flags := range [][]string{nil, {"--all"}, {"--json"}, {"--json", "--all"}} {
		got := r.must("", append([]string{"model", "inspect", path}, flags...)...)
		if i := strings.IndexFunc(got, commands); i >= 0 {
			t.Errorf("%v: %.60q", flags, got[i:])
		}
		if len(got) > 1<<20 {
			t.Errorf("%v: %d bytes were printed", flags, len(got))
		}
		if strings.Contains(got, "\ufffd") {
			t.Errorf("%v: a character was cut in two", flags)
		}
	}
	bad := r.modelOf(textKey(hostile, ""), textKey(hostile, ""))
	if o := r.run("", "model", "inspect", bad); o.code != exitUsage || strings.Count(o.err, "\n") != 1 || strings.IndexFunc(o.err, commands) >= 0 {
		t.Errorf("exit %d, %q", o.code, o.err)
	}
}

// TestEightBit: matrices that are multiplied at once are so as 8-bit numbers only
// together.
func TestEightBit(t *testing.T) {
	f, err := os.ReadFile(sample("bert.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := gguf.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	names, all := eightBitOf(parsed, 1)
	if strings.Join(names, " ") != "blk.0.ffn_up.weight blk.0.ffn_down.weight" || all != 6 {
		t.Errorf("%q of %d", names, all)
	}
	for want, u := range map[string]modelSettings{
		"1 of 6 matrices: b":                       {EightBit: []string{"b"}, matrices: 6},
		"2 of 2 matrices":                          {EightBit: []string{"b", "c"}, matrices: 2},
		"no tensor: all are multiplied as float32": {matrices: 6},
	} {
		if got := (&modelUse{Usable: true, modelSettings: &u}).eightBit(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestInspectUnusable(t *testing.T) {
	r := newRig(t)
	path := r.modelOf(textKey("general.architecture", strings.Repeat("x", 1000)))
	if got := r.must("", "model", "inspect", path); !strings.Contains(got, "embedding     no: general.architecture is \"xxx") || !strings.Contains(got, "… (10") {
		t.Errorf("printed %s", got)
	}
	if got := r.must("", "model", "inspect", path, "--json"); !strings.Contains(got, `"embedding":{"usable":false,"reason":"general.architecture is \"xxx`) {
		t.Errorf("printed %s", got)
	}
}

// TestModelFiles: every command refuses the same files in the same way.
func TestModelFiles(t *testing.T) {
	r := newRig(t)
	if err := os.WriteFile(r.path("letter"), []byte("Dear Sir"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, say string
		code      int
	}{
		{r.path("nosuch"), r.path("nosuch"), exitError},
		{r.dir, r.dir + " is a folder, not a model's file", exitUsage},
		{os.DevNull, "isn't a regular file: a model is read at any place", exitUsage},
		{"-", "a model can't come from stdin: it is read at any place", exitUsage},
		{r.path("letter"), r.path("letter"), exitUsage},
	} {
		for _, args := range [][]string{
			{"embed", "x", "--model", c.path}, {"tokenize", "x", "--model", c.path}, {"similarity", "x", "y", "--model", c.path}, {"model", "inspect", c.path},
		} {
			r.fails(c.code, c.say, "", args...)
		}
	}
}

func TestModelError(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{fmt.Errorf("%w: key %q", gguf.ErrCorrupt, "k"), exitUsage},
		{fmt.Errorf("gguf: tensor: %w", gguf.ErrUnsupportedType), exitUsage},
		{errors.New("the disk is broken"), exitError},
	} {
		err := modelError("m.bin", c.err)
		if got := failureOf(err); got.code != c.code || !errors.Is(err, c.err) || !strings.HasPrefix(message(err), "m.bin: ") || strings.Contains(message(err), "gguf: tensor") {
			t.Errorf("%v: exit %d, %s", c.err, got.code, message(err))
		}
	}
}

func TestModelHelp(t *testing.T) {
	r := newRig(t)
	if got := r.must("", "model"); !strings.Contains(got, "inspect") || got != r.must("", "model", "--help") {
		t.Errorf("printed %s", got)
	}
	if got := r.must("", "help", "model", "inspect"); !strings.Contains(got, "--all") {
		t.Errorf("printed %s", got)
	}
	r.fails(exitUsage, "--store is empty", "", "model", "inspect", "x", "--store", "")
}

func BenchmarkInspect(b *testing.B) {
	for _, name := range []string{"bert", "odd"} {
		b.Run(name, func(b *testing.B) {
			r := benchRig(b)
			b.ReportAllocs()
			for b.Loop() {
				r.mustRun(b, "", "model", "inspect", sample(name+".gguf"))
			}
		})
	}
}
