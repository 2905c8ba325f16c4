// This file decides how the table comes into memory: built by the first search
// from its snapshot, or from a table with many dead rows, while writers go on;
// what they publish meanwhile is applied at the end.

package vecindex

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// backlog is the latest changes, each with the view it made.
type backlog struct {
	entries []queued
	rows    int
}

type queued struct {
	view   *View
	change change
}

func (c *change) size() int { return 1 + len(c.deleted) + len(c.added) }

func (b *backlog) push(v *View, c change) {
	b.entries = append(b.entries, queued{v, c})
	b.rows += c.size()
}

// trim forgets the oldest changes until at most so many rows are left.
func (b *backlog) trim(rows int) {
	n := 0
	for ; b.rows > rows; n++ {
		b.rows -= b.entries[n].change.size()
	}
	b.drop(n)
}

// drop forgets the n oldest changes, whose rows are no longer counted.
func (b *backlog) drop(n int) {
	if n > 0 {
		b.entries = append([]queued(nil), b.entries[n:]...)
	}
}

// since reports whether all changes after a version are there, and forgets those
// before.
func (b *backlog) since(version, newest uint64) bool {
	n := 0
	for n < len(b.entries) && b.entries[n].view.version <= version {
		n++
	}
	if uint64(len(b.entries)-n) != newest-version {
		return false
	}
	for _, e := range b.entries[:n] {
		b.rows -= e.change.size()
	}
	b.drop(n)
	return true
}

// build is the making of a table, for the view of a version.
type build struct {
	version uint64
	done    chan struct{} // closed when it has ended
}

// Load reads the codes into memory, as the first search does, and drops dead
// ones if they are many. v and r belong together. A view that is not the newest
// may be too old, which is no error.
func (ix *Index) Load(ctx context.Context, r kv.Reader, v *View) error {
	_, err := ix.ready(ctx, r, v)
	return err
}

// ready returns what the view sees of the table, after building one if need be;
// nil for a view whose rows can only be read from its snapshot.
func (ix *Index) ready(ctx context.Context, r kv.Reader, v *View) (*position, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := v.at.Load()
		mine, other := ix.plan(v, at)
		switch {
		case mine != nil:
			if err := ix.run(ctx, r, v, at, mine); err != nil {
				return nil, fmt.Errorf("vecindex: load: %w", err)
			}
			return v.at.Load(), nil
		case other == nil:
			return v.at.Load(), nil
		}
		select {
		case <-other.done:
		case <-ctx.Done():
		}
	}
}

// plan decides what is to be done before the view is searched: a build to run,
// one to wait for, or nothing.
func (ix *Index) plan(v *View, at *position) (mine, other *build) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if b := ix.build; b != nil {
		if at == nil && v.at.Load() == nil && v.version >= b.version {
			return nil, b
		}
		return nil, nil
	}
	if at == nil && ix.table != nil || v.st.dim == 0 {
		return nil, nil
	}
	if at != nil && (at.table != ix.table || !ix.table.worn()) {
		return nil, nil
	}
	if !ix.queue.since(v.version, ix.version) {
		return nil, nil
	}
	ix.build = &build{v.version, make(chan struct{})}
	return ix.build, nil
}

// run makes the table and publishes it.
func (ix *Index) run(ctx context.Context, r kv.Reader, v *View, at *position, b *build) error {
	t := ix.newTable(v.version, v.st.dim)
	t.expected = int(min(v.st.vectors, math.MaxInt32))
	var err error
	if at != nil && !at.left.set {
		err = t.copyLive(ctx, at)
	} else {
		err = t.read(ctx, r, ix.keys)
	}
	if err == nil && !t.left.set && uint64(t.count) != v.st.vectors {
		err = corrupt("%d code rows under key %x, %d expected", t.count, ix.keys.kind(kindCode), v.st.vectors)
	}
	if err != nil {
		ix.abandon(b)
		return err
	}
	own := t.position(v.version)
	for !ix.catchUp(t, b, v, own) {
	}
	return nil
}

// abandon ends a build without a result.
func (ix *Index) abandon(b *build) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.build == b {
		ix.build = nil
		close(b.done)
		ix.queue.trim(ix.opts.tuning.backlogRows)
	}
}

// fewRows is how many queued rows are applied while writers wait.
const fewRows = 256

// catchUp applies what was published meanwhile, most of it without the lock. The
// last of it makes the table the index's. It returns false if there is more.
func (ix *Index) catchUp(t *table, b *build, v *View, own *position) (done bool) {
	ix.mu.Lock()
	if ix.build != b { // the index was cleared
		ix.mu.Unlock()
		return true
	}
	queue := ix.queue
	ix.queue = backlog{}
	if queue.rows > fewRows {
		ix.mu.Unlock()
		queue.applyTo(t)
		return false
	}
	defer ix.mu.Unlock()
	queue.applyTo(t)
	v.at.Store(own)
	ix.table, ix.build = t, nil
	close(b.done)
	return true
}

// applyTo brings a table from version to version, and tells the views.
func (b *backlog) applyTo(t *table) {
	for _, e := range b.entries {
		e.change.applyTo(t, e.view.version)
		e.view.at.Store(t.position(e.view.version))
	}
}

// checkEvery is how many rows are read before the context is asked again.
const checkEvery = 1024

// copyLive appends the rows that the view at a position sees.
func (t *table) copyLive(ctx context.Context, at *position) error {
	at.table.mu.RLock()
	scopes := slices.Clone(at.table.scopes)
	at.table.mu.RUnlock()
	scopeOf := make([]uint32, at.count)
	for i, s := range scopes {
		for _, row := range below(s.rows, at.count) {
			scopeOf[row] = uint32(i)
		}
	}
	for row := range at.count {
		if row%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c, i := at.chunks[row/t.tuning.chunkRows], row%t.tuning.chunkRows
		if at.alive(c, i) {
			key := rowKey{c.nums[i], c.windows[i]}
			appendRow(t, key, scopes[scopeOf[row]].name, c.scale[i], c.residual[i], c.codes[i*t.stride:][:t.dim])
		}
	}
	return nil
}

// read appends the rows that r holds, as many as have room.
func (t *table) read(ctx context.Context, r kv.Reader, keys keyspace) error {
	n := 0
	return eachRow(r, keys, rowKey{}, t.dim, func(key rowKey, row rawRow) (bool, error) {
		if t.left.set {
			return false, nil
		}
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		appendRow(t, key, t.scopeName(row.scope), row.scale, row.residual, row.codes)
		return true, nil
	})
}

// scopeName returns the string of a scope, the one in use if there is one.
func (t *table) scopeName(scope []byte) string {
	if at, ok := t.scopeAt[string(scope)]; ok {
		return t.scopes[at].name
	}
	return string(scope)
}

// eachRow calls visit with the code rows that r holds from a key on, until it
// returns false. The row is valid during the call.
func eachRow(r kv.Reader, keys keyspace, from rowKey, dim int, visit func(key rowKey, row rawRow) (bool, error)) error {
	it, err := r.Iter(keys.row(kindCode, from), keys.end(kindCode))
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		key, err := keys.parse(it.Key())
		if err != nil {
			return err
		}
		value, err := it.Value()
		if err != nil {
			return err
		}
		row, err := decodeRow(it.Key(), value, dim)
		if err != nil {
			return err
		}
		if more, err := visit(key, row); err != nil || !more {
			return err
		}
	}
	return it.Error()
}
