// This file decides how codes are held in memory: rows that are appended and
// never changed, in chunks that all views share.

package vecindex

import (
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// chunk has room for a number of rows. died says since when a row is dead: 0
// for never, else the number of versions after the table's.
type chunk struct {
	codes    []int8 // stride a row
	scale    []float32
	residual []float32
	nums     []uint64
	windows  []uint16
	died     []atomic.Uint32
}

func newChunk(rows, stride int) *chunk {
	return &chunk{
		codes: make([]int8, rows*stride), scale: make([]float32, rows), residual: make([]float32, rows),
		nums: make([]uint64, rows), windows: make([]uint16, rows), died: make([]atomic.Uint32, rows),
	}
}

// set fills in row i; codes may be int8 or their bytes.
func setRow[T int8 | byte](c *chunk, i, stride int, key rowKey, scale, residual float32, codes []T) {
	row := c.codes[i*stride:][:len(codes)]
	for j, v := range codes {
		row[j] = int8(v)
	}
	c.scale[i], c.residual[i], c.nums[i], c.windows[i] = scale, residual, key.num, key.window
}

// grown is a copy with room for more rows.
func (c *chunk) grown(rows, stride int) *chunk {
	d := newChunk(rows, stride)
	copy(d.codes, c.codes)
	copy(d.scale, c.scale)
	copy(d.residual, c.residual)
	copy(d.nums, c.nums)
	copy(d.windows, c.windows)
	for i := range c.died {
		d.died[i].Store(c.died[i].Load())
	}
	return d
}

// Bytes of a row beside its codes: those in a chunk, and its place in the list of
// its scope, which has some room to grow.
const (
	rowBytes   = 4 + 4 + 8 + 2 + 4
	placeBytes = 4 + 2
)

// codeAlign is what rows are filled up to with zeros, for the kernels.
const codeAlign = 32

func strideOf(dim int) int { return (dim + codeAlign - 1) / codeAlign * codeAlign }

// limit is the keys a table leaves out: from is the first of them, if set.
type limit struct {
	set  bool
	from rowKey
}

func (l limit) excludes(k rowKey) bool { return l.set && !k.less(l.from) }

// table holds the rows of all views from a version on. Only one goroutine
// changes it; readers use it through positions.
type table struct {
	id      uint64 // for the cache of masters
	version uint64 // of the view it began with
	dim     int
	stride  int
	tuning  tuning
	maxRows int // beyond it begin the keys that are left out
	left    limit

	expected int // rows that are about to come; only room is made for them

	chunks    []*chunk
	count     int
	dead      int
	ascending int // so many rows from the first one on ascend by key; the others are in runs
	last      rowKey
	runs      runs

	mu      sync.RWMutex // of the lists
	scopeAt map[string]int
	scopes  []scopeRows
}

// newTable makes an empty table for the view of a version.
func (ix *Index) newTable(version uint64, dim int) *table {
	t := &table{
		id: ix.tables.Add(1), version: version, dim: dim, stride: strideOf(dim), tuning: ix.opts.tuning,
		maxRows: math.MaxInt32, scopeAt: map[string]int{},
	}
	if ix.opts.MaxResident >= 0 {
		t.maxRows = int(min(ix.opts.MaxResident/int64(t.stride+rowBytes+placeBytes), math.MaxInt32))
	}
	t.left.set = t.maxRows == 0
	return t
}

// key returns the key of a row.
func (t *table) key(row uint32) rowKey {
	c, i := t.chunks[int(row)/t.tuning.chunkRows], int(row)%t.tuning.chunkRows
	return rowKey{c.nums[i], c.windows[i]}
}

// appendRow adds a row, unless its key is left out.
func appendRow[T int8 | byte](t *table, key rowKey, scope string, scale, residual float32, codes []T) {
	if t.left.excludes(key) {
		return
	}
	row := uint32(t.count)
	c, i := t.room()
	setRow(c, i, t.stride, key, scale, residual, codes)
	t.count++
	if int(row) == t.ascending && (row == 0 || t.last.less(key)) {
		t.ascending++
	} else {
		t.runs.add(row, t.key)
	}
	if row == 0 || t.last.less(key) {
		t.last = key
	}
	t.list(scope, row)
	if t.count >= t.maxRows && !t.left.set {
		t.left.from, t.left.set = t.last.next()
	}
}

// room returns where the next row goes. The last chunk begins small and doubles,
// as a copy: views that know the old one never see a row or a death that is only
// in the new one.
func (t *table) room() (*chunk, int) {
	n, i := t.count/t.tuning.chunkRows, t.count%t.tuning.chunkRows
	switch {
	case n == len(t.chunks):
		rows := max(min(t.expected, t.maxRows)-t.count, t.tuning.firstRows<<min(n, 6))
		t.chunks = append(t.chunks, newChunk(min(t.tuning.chunkRows, rows), t.stride))
	case i == len(t.chunks[n].nums):
		t.chunks = slices.Clone(t.chunks)
		t.chunks[n] = t.chunks[n].grown(min(2*i, t.tuning.chunkRows), t.stride)
	}
	return t.chunks[n], i
}

// list adds the row to the list of its scope.
func (t *table) list(scope string, row uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok := t.scopeAt[scope]
	if !ok {
		at = len(t.scopes)
		t.scopeAt[scope] = at
		t.scopes = append(t.scopes, scopeRows{name: scope})
	}
	t.scopes[at].rows = append(t.scopes[at].rows, row)
}

// listed returns the rows of a scope below count.
func (t *table) listed(scope string, count int) []uint32 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	at, ok := t.scopeAt[scope]
	if !ok {
		return nil
	}
	return below(t.scopes[at].rows, count)
}

// kill marks the living rows of a document as dead from a version on.
func (t *table) kill(num uint64, version uint64) {
	at := uint32(version - t.version)
	visit := func(row uint32) {
		died := &t.chunks[int(row)/t.tuning.chunkRows].died[int(row)%t.tuning.chunkRows]
		if died.Load() == 0 {
			died.Store(at)
			t.dead++
		}
	}
	first := sort.Search(t.ascending, func(i int) bool { return t.key(uint32(i)).num >= num })
	for ; first < t.ascending && t.key(uint32(first)).num == num; first++ {
		visit(uint32(first))
	}
	t.runs.find(num, t.key, visit)
}

// worn reports that so many rows are dead, or more than there should be, that
// another table is worth the work.
func (t *table) worn() bool {
	alive := t.count - t.dead
	return t.dead > alive/4+t.tuning.slackRows || t.left.set && t.count > t.maxRows+t.maxRows/8+t.tuning.slackRows
}

// exhausted reports that the version is too far away to be written down.
func (t *table) exhausted(version uint64) bool { return version-t.version >= math.MaxUint32 }

// bytes is the memory held.
func (t *table) bytes() int64 {
	n := int64(4 * t.runs.size())
	for _, c := range t.chunks {
		n += int64(len(c.nums)) * int64(t.stride+rowBytes)
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, s := range t.scopes {
		n += int64(4*cap(s.rows) + len(s.name))
	}
	return n
}

// position is what a view sees of a table.
type position struct {
	table  *table
	chunks []*chunk
	count  int
	left   limit
	age    uint32 // version of the view, less that of the table

	ascending int // as in the table
	runs      runs
}

// position returns the present one for the view of a version.
func (t *table) position(version uint64) *position {
	return &position{
		table: t, chunks: t.chunks, count: t.count, left: t.left, age: uint32(version - t.version),
		ascending: t.ascending, runs: slices.Clone(t.runs), // a run itself never changes
	}
}

// alive reports whether the view sees row i of a chunk.
func (p *position) alive(c *chunk, i int) bool {
	died := c.died[i].Load()
	return died == 0 || died > p.age
}
