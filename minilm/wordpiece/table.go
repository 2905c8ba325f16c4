// The look-up of vocabulary entries: which entry is a text, and which is the
// longest that a text begins with.
//
// Two structures share one rolling hash of the text's bytes. A filter of two bits
// a cell says of a hash whether some entry begins like this (else the walk ends,
// as it would in a trie) and whether some entry is this. A hash table then gives
// the entry, whose bytes are compared: the filter may err on the side of work, the
// answer is exact. Compared with a trie there are no nodes to make, so building
// costs one pass over the bytes, and no load waits for the one before it.

package wordpiece

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"
)

const (
	// multiplier spreads a byte over the upper bits, 2^32 divided by the golden
	// ratio (Knuth, The Art of Computer Programming 3, section 6.4).
	multiplier = 0x9E3779B1

	// maxChain bounds the slots that a look-up may visit. Chains of a table half
	// full are a tenth of it; only a vocabulary made to collide reaches it.
	maxChain = 512

	// maxEntries is what a reference has room for.
	maxEntries = 1 << (32 - kindBits)

	// maxBytes bounds the text of all entries, so that its offsets fit.
	maxBytes = 1 << 31

	begins = 1 // cell bit: some entry begins with the text
	equals = 2 // cell bit: some entry is the text
)

// table is immutable once built.
type table struct {
	text    string   // the texts of all entries, one after another
	offsets []uint32 // entry i is text[offsets[i]:offsets[i+1]]

	slots     []slot // a power of two, linear probing
	slotShift uint8  // hash >> slotShift is the first slot to try

	cells     []uint32 // 16 cells of two bits each
	cellShift uint8    // hash >> cellShift is the cell
}

// slot holds an entry: ref is id<<kindBits | kind, 0 if the slot is empty.
type slot struct{ hash, ref uint32 }

// newTable makes room for n entries with a text of size bytes, of which some are
// literals besides.
func newTable(n, literals, size int) *table {
	slotBits := max(4, bits.Len64(2*uint64(n+literals)-1))
	cellBits := min(max(8, bits.Len64(2*uint64(size))), 32)
	return &table{
		offsets:   make([]uint32, 1, n+1),
		slots:     make([]slot, 1<<slotBits),
		slotShift: uint8(32 - slotBits),
		cells:     make([]uint32, 1<<(cellBits-4)),
		cellShift: uint8(32 - cellBits),
	}
}

// seed starts the hash of a text; it differs by kind, so that the kinds share the
// filter without meeting.
func (k kind) seed() uint32 { return uint32(k) * 0x85EBCA6B }

func step(hash uint32, b byte) uint32 { return (hash ^ uint32(b)) * multiplier }

func (t *table) cell(hash uint32) uint32 {
	c := hash >> t.cellShift
	return t.cells[c>>4] >> (c & 15 * 2)
}

func (t *table) mark(hash, bit uint32) {
	c := hash >> t.cellShift
	t.cells[c>>4] |= bit << (c & 15 * 2)
}

// entry returns the text of an id.
func (t *table) entry(id int32) string { return t.text[t.offsets[id]:t.offsets[id+1]] }

// insert makes an id the one that a text of some kind means, whatever it meant
// before. The id's own text must be the same.
func (t *table) insert(k kind, id int32) error {
	text, hash := t.entry(id), k.seed()
	for i := range len(text) {
		hash = step(hash, text[i])
		t.mark(hash, begins)
	}
	t.mark(hash, equals)
	mask := uint32(len(t.slots) - 1)
	for i, tries := hash>>t.slotShift, 0; tries < maxChain; i, tries = i+1, tries+1 {
		s := &t.slots[i&mask]
		if s.ref == 0 || s.hash == hash && s.kind() == k && t.entry(s.id()) == text {
			*s = slot{hash, uint32(id)<<kindBits | uint32(k)}
			return nil
		}
	}
	return fmt.Errorf("%w: over %d entries have the hash of entry %d", ErrVocabulary, maxChain, id)
}

func (s slot) id() int32  { return int32(s.ref >> kindBits) }
func (s slot) kind() kind { return kind(s.ref & (1<<kindBits - 1)) }

// bytestring is a text: a word is in a buffer, a literal in the raw text.
type bytestring interface{ string | []byte }

// find returns the entry that a word is, given the hash of its bytes.
func find[T bytestring](t *table, hash uint32, k kind, word T) (id int32, ok bool) {
	mask := uint32(len(t.slots) - 1)
	for i := hash >> t.slotShift; ; i++ {
		s := t.slots[i&mask]
		if s.ref == 0 {
			return 0, false
		}
		if s.hash == hash && s.kind() == k && t.entry(s.id()) == string(word) {
			return s.id(), true
		}
	}
}

// longest returns the entry of a kind that is the longest beginning of a text, and
// its length in bytes, 0 if there is none. It looks at read bytes.
func longest[T bytestring](t *table, k kind, text T) (id int32, n, read int) {
	hash := k.seed()
	for i := range len(text) {
		hash = step(hash, text[i])
		cell := t.cell(hash)
		if cell&begins == 0 {
			return id, n, i + 1
		}
		if cell&equals == 0 {
			continue
		}
		if found, ok := find(t, hash, k, text[:i+1]); ok {
			id, n = found, i+1
		}
	}
	return id, n, len(text)
}

// build makes the table of a vocabulary: every entry where its notation says, and
// the literals besides.
func build(vocab []string, decode notation, literals []int32) (*table, error) {
	total := uint64(0)
	for _, entry := range vocab {
		total += uint64(len(entry))
	}
	if err := checkSize(len(vocab), total); err != nil {
		return nil, err
	}
	size := int(total)
	t := newTable(len(vocab), len(literals), size)
	kinds := make([]kind, len(vocab))
	var text strings.Builder
	text.Grow(size)
	for i, entry := range vocab {
		if !utf8.ValidString(entry) {
			return nil, fmt.Errorf("%w: entry %d is not UTF-8: %q", ErrVocabulary, i, entry)
		}
		k, s := decode(i, entry)
		text.WriteString(s)
		kinds[i] = k
		t.offsets = append(t.offsets, uint32(text.Len()))
	}
	t.text = text.String()
	return t, t.fill(kinds, literals)
}

// checkSize refuses what the table has no room for.
func checkSize(entries int, bytes uint64) error {
	switch {
	case entries == 0:
		return fmt.Errorf("%w: it is empty", ErrVocabulary)
	case entries > maxEntries:
		return fmt.Errorf("%w: %d entries, at most %d are possible", ErrVocabulary, entries, maxEntries)
	case bytes >= maxBytes:
		return fmt.Errorf("%w: %d bytes, at most %d are possible", ErrVocabulary, bytes, uint64(maxBytes-1))
	}
	return nil
}

func (t *table) fill(kinds []kind, literals []int32) error {
	for i, k := range kinds {
		if err := t.insert(k, int32(i)); err != nil {
			return err
		}
	}
	for _, id := range literals {
		if t.entry(id) == "" {
			return fmt.Errorf("%w: special entry %d is empty", ErrVocabulary, id)
		}
		if err := t.insert(asLiteral, id); err != nil {
			return err
		}
	}
	return nil
}
