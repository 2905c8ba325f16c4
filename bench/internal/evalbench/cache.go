package evalbench

// This file decides where vectors are kept between runs, so that a text is embedded
// once.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/contextforge-go/contextforge"
)

const (
	cacheMagic  = "cfvectr1"
	cacheHeader = len(cacheMagic) + sha256.Size + 4
)

// The sorts of texts, which a model may treat unlike each other.
const (
	documentText = 'd'
	queryText    = 'q'
)

type textKey [sha256.Size]byte

// Cache is an Embedder that remembers the vectors of another one in a file. It has the
// other's name, ID, dimension and windows. It is safe for concurrent use; several
// processes may use a folder at the same time.
type Cache struct {
	inner contextforge.Embedder
	sums  *crc32.Table

	mu    sync.Mutex
	known map[textKey][]float32
	file  *os.File // nil: kept in memory only
	made  int
	err   error // the first failure
}

// OpenCache returns an embedder that keeps the vectors of inner in a file of the folder,
// which it creates; "" keeps them until the process ends.
func OpenCache(dir string, inner contextforge.Embedder) (*Cache, error) {
	c := &Cache{inner: inner, sums: crc32.MakeTable(crc32.Castagnoli), known: map[textKey][]float32{}}
	if dir == "" {
		return c, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cache of vectors: %w", err)
	}
	header := c.header()
	path := filepath.Join(dir, fmt.Sprintf("%x.vectors", header[len(cacheMagic):len(cacheMagic)+8]))
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cache of vectors: %w", err)
	}
	good := c.load(content, header)
	if c.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, fmt.Errorf("cache of vectors: %w", err)
	}
	if good < len(content) {
		err = c.file.Truncate(int64(good))
	}
	if err == nil && good == 0 {
		_, err = c.file.Write(header)
	}
	if err != nil {
		return nil, fmt.Errorf("cache of vectors: %w", errors.Join(err, c.file.Close()))
	}
	return c, nil
}

func (c *Cache) header() []byte {
	id := sha256.Sum256([]byte(c.ID()))
	header := append([]byte(cacheMagic), id[:]...)
	return binary.LittleEndian.AppendUint32(header, uint32(c.inner.Dimension()))
}

// load takes the records of a file and returns how many of its bytes are good.
func (c *Cache) load(content, header []byte) int {
	if !bytes.HasPrefix(content, header) {
		return 0
	}
	at, size := cacheHeader, c.recordSize()
	for ; at+size <= len(content); at += size {
		record := content[at : at+size]
		body := record[:size-4]
		if crc32.Checksum(body, c.sums) != binary.LittleEndian.Uint32(record[size-4:]) {
			break
		}
		vector := make([]float32, c.inner.Dimension())
		for i := range vector {
			vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[sha256.Size+4*i:]))
		}
		c.known[textKey(body)] = vector
	}
	return at
}

func (c *Cache) recordSize() int { return sha256.Size + 4*c.inner.Dimension() + 4 }

func (c *Cache) appendRecord(dst []byte, key textKey, vector []float32) []byte {
	from := len(dst)
	dst = append(dst, key[:]...)
	for _, x := range vector {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[from:], c.sums))
}

func keyOf(sort byte, text string) textKey {
	return sha256.Sum256(append([]byte{sort}, text...))
}

// Embed implements contextforge.Embedder.
func (c *Cache) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return c.embed(documentText, texts, func(missing []string) ([][]float32, error) { return c.inner.Embed(ctx, missing) })
}

// EmbedQuery returns the vector of what is searched for: the inner embedder's
// EmbedQuery, or its Embed when it has none.
func (c *Cache) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	vectors, err := c.embed(queryText, []string{text}, func([]string) ([][]float32, error) { return c.compute(ctx, text) })
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// compute has the inner embedder make the vector of what is searched for.
func (c *Cache) compute(ctx context.Context, text string) ([][]float32, error) {
	if q, ok := c.inner.(interface {
		EmbedQuery(ctx context.Context, text string) ([]float32, error)
	}); ok {
		vector, err := q.EmbedQuery(ctx, text)
		return [][]float32{vector}, err
	}
	return c.inner.Embed(ctx, []string{text})
}

// embed returns what is known and makes the rest.
func (c *Cache) embed(sort byte, texts []string, compute func(missing []string) ([][]float32, error)) ([][]float32, error) {
	keys := make([]textKey, len(texts))
	vectors := make([][]float32, len(texts))
	var missing []string
	var places []int
	c.mu.Lock()
	for i, text := range texts {
		keys[i] = keyOf(sort, text)
		if vectors[i] = slices.Clone(c.known[keys[i]]); vectors[i] == nil {
			missing, places = append(missing, text), append(places, i)
		}
	}
	c.mu.Unlock()
	if len(missing) == 0 {
		return vectors, nil
	}
	made, err := compute(missing)
	if err == nil && len(made) != len(missing) {
		err = fmt.Errorf("%d vectors for %d texts", len(made), len(missing))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		for i, at := range places {
			vectors[at] = made[i]
		}
		err = c.keep(keys, places, vectors)
	}
	if err != nil && c.err == nil {
		c.err = err
	}
	return vectors, err
}

// keep adds vectors to what is known.
func (c *Cache) keep(keys []textKey, places []int, vectors [][]float32) error {
	var records []byte
	for _, i := range places {
		if len(vectors[i]) != c.inner.Dimension() {
			return fmt.Errorf("a vector of %d numbers, not %d", len(vectors[i]), c.inner.Dimension())
		}
		if c.known[keys[i]] != nil { // twice among the texts, or made by another call meanwhile
			continue
		}
		c.known[keys[i]] = slices.Clone(vectors[i])
		c.made++
		records = c.appendRecord(records, keys[i], vectors[i])
	}
	if c.file == nil {
		return nil
	}
	if _, err := c.file.Write(records); err != nil {
		return fmt.Errorf("cache of vectors: %w", err)
	}
	return nil
}

// Split returns the windows of the inner embedder, none when it has no Split.
func (c *Cache) Split(text string) []string {
	if s, ok := c.inner.(interface{ Split(text string) []string }); ok {
		return s.Split(text)
	}
	return nil
}

// ID implements the optional method of contextforge.Embedder.
func (c *Cache) ID() string {
	if named, ok := c.inner.(interface{ ID() string }); ok && named.ID() != "" {
		return named.ID()
	}
	return c.inner.Name()
}

// Name implements contextforge.Embedder.
func (c *Cache) Name() string { return c.inner.Name() }

// Dimension implements contextforge.Embedder.
func (c *Cache) Dimension() int { return c.inner.Dimension() }

// MaxTokens implements contextforge.Embedder.
func (c *Cache) MaxTokens() int { return c.inner.MaxTokens() }

// Made returns how many vectors were not known.
func (c *Cache) Made() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

// Err returns the first failure, of the inner embedder or of the file. A Memory goes on
// without a vector that could not be made; a measurement must not.
func (c *Cache) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close closes the file.
func (c *Cache) Close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}
