package evalbench

// These tests decide that a cache gives what the embedder would have given, whatever
// happened to its file.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge"
)

const bagWidth = 24

// bag embeds a text as its bag of words; it counts the texts that it is asked for.
type bag struct {
	name  string
	asked int
	err   error
	short bool // gives vectors that are too short
}

func (b *bag) Embed(_ context.Context, texts []string) (vectors [][]float32, err error) {
	for _, text := range texts {
		b.asked++
		vector := make([]float32, bagWidth)
		vector[0] = 0.1
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(word))
			vector[h.Sum32()%bagWidth]++
		}
		if b.short {
			vector = vector[1:]
		}
		vectors = append(vectors, vector)
	}
	return vectors, b.err
}
func (b *bag) Name() string   { return "bag" + b.name }
func (b *bag) Dimension() int { return bagWidth }
func (b *bag) MaxTokens() int { return 0 }

// sided is a bag with the optional methods.
type sided struct{ bag }

func (s *sided) ID() string { return "sided" }
func (s *sided) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	vectors, err := s.Embed(ctx, []string{"query " + text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}
func (s *sided) Split(text string) []string { return strings.SplitAfter(text, ".") }

func opened(t testing.TB, dir string, inner contextforge.Embedder) *Cache {
	t.Helper()
	c, err := OpenCache(dir, inner)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func embedded(t testing.TB, e contextforge.Embedder, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func same(a, b [][]float32) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]float32])
}

func TestCache(t *testing.T) {
	texts := []string{"the hose", "roses", "the hose", ""}
	want := embedded(t, &bag{}, texts...)
	for _, dir := range []string{"", t.TempDir()} {
		inner := &bag{}
		c := opened(t, dir, inner)
		first := embedded(t, c, texts...)
		first[1][0] = 99 // the caller's own
		if !same(embedded(t, c, texts...), want) || c.Made() != 3 || inner.asked != 4 {
			t.Errorf("dir %q: %d made, %d asked", dir, c.Made(), inner.asked)
		}
		again := &bag{}
		c = opened(t, dir, again)
		if !same(embedded(t, c, texts...), want) || (again.asked == 0) != (dir != "") {
			t.Errorf("dir %q: %d asked again", dir, again.asked)
		}
		if c.Err() != nil || c.Name() != "bag" || c.ID() != "bag" || c.Dimension() != bagWidth || c.MaxTokens() != 0 || c.Split("a.b") != nil {
			t.Errorf("%+v", c)
		}
	}
}

func TestCacheSides(t *testing.T) {
	c := opened(t, t.TempDir(), &sided{})
	asked, err := c.EmbedQuery(t.Context(), "roses")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(asked, embedded(t, &bag{}, "query roses")[0]) || slices.Equal(asked, embedded(t, c, "roses")[0]) {
		t.Error("questions and documents have the same vector")
	}
	if c.ID() != "sided" || !slices.Equal(c.Split("a.b"), []string{"a.", "b"}) {
		t.Errorf("%s, %q", c.ID(), c.Split("a.b"))
	}
	plain := opened(t, "", &bag{})
	if asked, err = plain.EmbedQuery(t.Context(), "roses"); err != nil || !slices.Equal(asked, embedded(t, &bag{}, "roses")[0]) {
		t.Errorf("%v, %v", asked, err)
	}
}

// A model never gets the vectors of another one.
func TestCacheOfOtherModel(t *testing.T) {
	dir := t.TempDir()
	embedded(t, opened(t, dir, &bag{}), "roses")
	other := &bag{name: "2"}
	if embedded(t, opened(t, dir, other), "roses"); other.asked != 1 {
		t.Error("another model's vector is taken")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

// Whatever is cut off or changed costs vectors, never gives wrong ones.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	texts := []string{"hose", "roses", "plank"}
	c := opened(t, dir, &bag{})
	want := embedded(t, c, texts...)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil || len(content) != cacheHeader+3*c.recordSize() {
		t.Fatal(len(content), err)
	}
	for cut := range len(content) {
		flipped := slices.Clone(content)
		flipped[cut] ^= 4
		for _, damaged := range [][]byte{content[:cut], flipped} {
			c := &Cache{inner: &bag{}, sums: c.sums, known: map[textKey][]float32{}}
			good := c.load(damaged, c.header())
			if wanted := max(0, cut-cacheHeader) / c.recordSize(); len(c.known) != wanted || good > cut {
				t.Fatalf("at %d: %d known, %d bytes good", cut, len(c.known), good)
			}
		}
	}
	for _, damage := range [][]byte{content[:len(content)-5], content[:3], {}, []byte("something else, longer than a header is, so that it could hold one")} {
		if err := os.WriteFile(files[0], damage, 0o600); err != nil {
			t.Fatal(err)
		}
		if !same(embedded(t, opened(t, dir, &bag{}), texts...), want) {
			t.Error("wrong vectors")
		}
		mended := &bag{}
		if !same(embedded(t, opened(t, dir, mended), texts...), want) || mended.asked != 0 {
			t.Errorf("%d vectors were not kept", mended.asked)
		}
	}
}

func TestCacheFails(t *testing.T) {
	broken := errors.New("broken")
	inner := &bag{err: broken}
	c := opened(t, t.TempDir(), inner)
	if _, err := c.Embed(t.Context(), []string{"roses"}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	inner.err = nil
	if embedded(t, c, "roses"); !errors.Is(c.Err(), broken) {
		t.Errorf("the failure is forgotten: %v", c.Err())
	}
	if _, err := c.EmbedQuery(t.Context(), "hose"); err != nil {
		t.Error(err)
	}
	inner.short = true
	if _, err := c.Embed(t.Context(), []string{"plank"}); err == nil {
		t.Error("a short vector is kept")
	}
	inner.short = false
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed(t.Context(), []string{"resin"}); err == nil {
		t.Error("a closed file is written to")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCache(file, &bag{}); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestCacheConcurrently(t *testing.T) {
	dir := t.TempDir()
	c := opened(t, dir, stateless{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 50 {
				if _, err := c.Embed(context.Background(), []string{fmt.Sprint(i), fmt.Sprint(i + 1)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if again := opened(t, dir, stateless{}); len(again.known) != 51 || c.Made() != 51 {
		t.Errorf("%d known, %d made", len(again.known), c.Made())
	}
}

// stateless is a bag that can be used concurrently.
type stateless struct{}

func (stateless) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return new(bag).Embed(ctx, texts)
}
func (stateless) Name() string   { return "stateless" }
func (stateless) Dimension() int { return bagWidth }
func (stateless) MaxTokens() int { return 0 }

// A file of any bytes gives whole records or none.
func FuzzCacheFile(f *testing.F) {
	c, err := OpenCache("", &bag{})
	if err != nil {
		f.Fatal(err)
	}
	good := c.appendRecord(c.header(), keyOf(documentText, "roses"), make([]float32, bagWidth))
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add([]byte(cacheMagic))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := OpenCache("", &bag{})
		if err != nil {
			t.Fatal(err)
		}
		n := c.load(content, c.header())
		if n > len(content) || n > 0 && (n-cacheHeader)%c.recordSize() != 0 {
			t.Fatalf("%d of %d bytes", n, len(content))
		}
		if n > 0 && !bytes.HasPrefix(content, c.header()) {
			t.Fatal("a wrong header is accepted")
		}
		if len(c.known) > max(0, n-cacheHeader)/c.recordSize() {
			t.Fatalf("%d vectors in %d bytes", len(c.known), n)
		}
	})
}

func BenchmarkCacheEmbed(b *testing.B) {
	for _, n := range []int{64, 1024} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := opened(b, "", &bag{})
			texts := make([]string, n)
			for i := range texts {
				texts[i] = fmt.Sprint("text ", i)
			}
			embedded(b, c, texts...)
			b.ReportAllocs()
			for b.Loop() {
				embedded(b, c, texts...)
			}
		})
	}
}
