// This file decides where the vectors of given documents are: in which rows of
// the table, and which of them are only in the snapshot.

package vecindex

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/contextforge-go/contextforge/kv"
)

// located is a row that holds a vector of the place-th document asked for.
type located struct {
	row   uint32
	place int32
}

// key returns the key of a row.
func (p *position) key(row uint32) rowKey {
	size := uint32(p.table.tuning.chunkRows)
	c, i := p.chunks[row/size], row%size
	return rowKey{c.nums[i], c.windows[i]}
}

// sees reports whether the view sees a row.
func (p *position) sees(row uint32) bool {
	size := uint32(p.table.tuning.chunkRows)
	return p.alive(p.chunks[row/size], int(row%size))
}

// locate returns the living rows of the documents, in the order in which these
// are asked for. It begins to look where it found the document before, as
// documents that are asked for together are often neighbours.
func (p *position) locate(nums []uint64) []located {
	out := make([]located, 0, len(nums)+len(nums)/8)
	at := 0
	for place, num := range nums {
		visit := func(row uint32) {
			if p.sees(row) {
				out = append(out, located{row, int32(place)})
			}
		}
		at = p.seek(at, num)
		for row := at; row < p.ascending && p.key(uint32(row)).num == num; row++ {
			visit(uint32(row))
		}
		p.runs.find(num, p.key, visit)
	}
	return out
}

// seek returns the first of the ascending rows whose document is not before num,
// in steps of doubling length from a row on, either way.
func (p *position) seek(from int, num uint64) int {
	before := func(row int) bool { return p.key(uint32(row)).num < num }
	low, high := from, from // rows before low are before num, those from high on are not
	if from < p.ascending && before(from) {
		low++
		for step := 1; ; step *= 2 {
			if high = low + step - 1; high >= p.ascending {
				high = p.ascending
				break
			}
			if !before(high) {
				break
			}
			low = high + 1
		}
	} else {
		for step := 1; ; step *= 2 {
			if low = high - step; low < 0 {
				low = 0
				break
			}
			if before(low) {
				low++
				break
			}
			high = low
		}
	}
	return low + sort.Search(high-low, func(i int) bool { return !before(low + i) })
}

// beyond returns the first key of a document that is not in memory; ok is false if
// all are.
func (p *position) beyond(num uint64) (from rowKey, ok bool) {
	switch {
	case p == nil:
		return rowKey{num, 0}, true
	case !p.left.set || num < p.left.from.num:
		return rowKey{}, false
	case num == p.left.from.num:
		return p.left.from, true
	}
	return rowKey{num, 0}, true
}

// eachBeyond calls visit with the rows of a kind that documents have in the
// snapshot and not in memory, ascending by document. The key's bytes and the value
// are valid during the call.
func (v *View) eachBeyond(r kv.Reader, at *position, kind byte, nums []uint64, visit func(place int32, raw, value []byte) error) error {
	var places []int32
	for place, num := range nums {
		if _, ok := at.beyond(num); ok {
			places = append(places, int32(place))
		}
	}
	if len(places) == 0 {
		return nil
	}
	slices.SortStableFunc(places, func(a, b int32) int { return cmp.Compare(nums[a], nums[b]) })
	keys := v.ix.keys
	it, err := r.Iter(keys.kind(kind), keys.end(kind))
	if err != nil {
		return fmt.Errorf("vecindex: vectors: %w", err)
	}
	defer it.Close()
	prefix, previous := keys.kind(kind), rowKey{}
	for i, place := range places {
		from, _ := at.beyond(nums[place])
		key := appendRowKey(prefix, from)
		seek := it.SeekGE // backwards for a document that was asked for twice
		if i > 0 && from != previous {
			seek = func(key []byte) bool { return forward(it, key) }
		}
		previous = from
		for ok := seek(key); ok; ok = it.Next() {
			key, err := keys.parse(it.Key())
			if err != nil {
				return err
			}
			if key.num != from.num {
				break
			}
			value, err := it.Value()
			if err != nil {
				return fmt.Errorf("vecindex: vectors: %w", err)
			}
			if err := visit(place, it.Key(), value); err != nil {
				return err
			}
		}
		if err := it.Error(); err != nil {
			return fmt.Errorf("vecindex: vectors: %w", err)
		}
	}
	return nil
}
