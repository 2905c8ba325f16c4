// Streams: what comes in pieces is scrubbed as the whole is, in bounded memory.

package scrub

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// streamSample is a text of lines, with secrets of every group.
func streamSample() string {
	return strings.Join([]string{
		"the first line, key=" + awsKey(16) + ",",
		"Authorization: Bearer " + filler(30), pem("RSA ", "\n"), "é password: hunter2Xy!",
		`{"key":"` + pem("", `\n`) + `","token":"` + filler(40) + `"}`, "postgres://bob:" + filler(12) + "@db/x",
		"密码是" + filler(12) + "，好", "Cookie: session=" + filler(30) + "; theme=dark", webToken(), "the last",
	}, "\n")
}

func TestStreamSplitAnywhere(t *testing.T) {
	s := mustNew(t, Options{})
	text := streamSample()
	want, _ := s.Scrub(text)
	for cut := range len(text) + 1 {
		var b strings.Builder
		w := s.NewWriter(&b)
		for _, part := range []string{text[:cut], text[cut:]} {
			if _, err := w.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil || b.String() != want {
			t.Fatalf("cut at %d: %q, %v", cut, b.String(), err)
		}
	}
}

// TestStreamWindowAnywhere makes the window small, so that it slides over every
// place of the sample, and its cuts fall between all kinds of lines.
func TestStreamWindowAnywhere(t *testing.T) {
	s := mustNew(t, Options{})
	rng := rand.New(rand.NewPCG(5, 5))
	sample := streamSample()
	for shift := range 200 {
		text := strings.Repeat("plain words in a line\n", shift/20) + strings.Repeat("x", shift%20) + "\n"
		for range 12 {
			text += sample + "\n" + strings.Repeat("and more of the same\n", rng.IntN(30))
		}
		checkStream(t, s, text, 1<<10, func() int { return 1 + rng.IntN(900) })
	}
}

func TestStreamOfLongLines(t *testing.T) {
	s := mustNew(t, Options{})
	rng := rand.New(rand.NewPCG(6, 6))
	for _, filling := range []string{"words without end ", "ünïcödé", "x", `\n`, "a=b;"} {
		text := strings.Repeat(filling, (300<<10)/len(filling)) + " key=" + awsKey(16) + " " + strings.Repeat(filling, (300<<10)/len(filling))
		checkStream(t, s, text, MaxSecret, func() int { return 1 + rng.IntN(90_000) })
	}
}

func TestStreamLongestKey(t *testing.T) {
	s := mustNew(t, Options{})
	head, tail := pemHead("RSA ")+"\n", "-----"+"END RSA PRIVATE KEY-----"
	body := strings.Repeat(filler(64)+"\n", (MaxSecret-len(head)-len(tail)-100)/65)
	text := strings.Repeat("a line before it\n", 20_000) + head + body + tail + "\n" + strings.Repeat("a line behind it\n", 20_000)
	got, err := io.ReadAll(s.NewReader(strings.NewReader(text)))
	want := strings.Repeat("a line before it\n", 20_000) + redacted("private-key") + "\n" + strings.Repeat("a line behind it\n", 20_000)
	if err != nil || string(got) != want {
		t.Errorf("%d bytes (%v), want %d", len(got), err, len(want))
	}
}

func TestStreamIsBounded(t *testing.T) {
	w := mustNew(t, Options{}).NewWriter(io.Discard)
	line := []byte(strings.Repeat("some words of a log, again and again\n", 500))
	for range 300 {
		if _, err := w.Write(line); err != nil {
			t.Fatal(err)
		}
		if n := len(w.stream.pending); n > 5*MaxSecret {
			t.Fatalf("%d bytes are held back", n)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReader(t *testing.T) {
	s := mustNew(t, Options{})
	text := strings.Repeat(streamSample()+"\n", 400)
	want, _ := s.Scrub(text)
	readers := map[string]io.Reader{
		"plain": strings.NewReader(text), "one byte": iotest.OneByteReader(strings.NewReader(text)), "half": iotest.HalfReader(strings.NewReader(text)), "data and EOF": iotest.DataErrReader(strings.NewReader(text)),
	}
	for name, r := range readers {
		if got, err := io.ReadAll(s.NewReader(r)); err != nil || string(got) != want {
			t.Errorf("%s: %d bytes (%v), want %d", name, len(got), err, len(want))
		}
	}
	broken := errors.New("broken")
	got, err := io.ReadAll(s.NewReader(io.MultiReader(strings.NewReader("key "+awsKey(16)), iotest.ErrReader(broken))))
	if !errors.Is(err, broken) || string(got) != "key "+redacted("aws-key") {
		t.Errorf("broken source: %q, %v", got, err)
	}
	if n, err := s.NewReader(strings.NewReader("x")).Read(nil); n != 0 || err != nil {
		t.Errorf("no room: %d, %v", n, err)
	}
}

// failing fails from the first write on.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriterErrors(t *testing.T) {
	s := mustNew(t, Options{})
	broken := errors.New("broken")
	w := s.NewWriter(failing{broken})
	long := bytes.Repeat([]byte("words\n"), MaxSecret)
	if _, err := w.Write(long); !errors.Is(err, broken) {
		t.Errorf("write: %v", err)
	}
	if _, err := w.Write(long); !errors.Is(err, broken) {
		t.Errorf("second write: %v", err)
	}
	if err := w.Close(); !errors.Is(err, broken) {
		t.Errorf("close: %v", err)
	}
	w = s.NewWriter(io.Discard)
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := w.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("write behind close: %v", err)
	}
}
