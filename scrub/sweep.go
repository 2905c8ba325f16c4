// The prefilter: one pass over the text that finds where the anchors of the
// rules stand. Bytes fall into 32 classes (letters in either case are one), and
// each anchor is known by the classes of three neighbouring bytes. A table of
// 32,768 bits says at every position whether any anchor has the three classes
// that end there; the few positions that pass are looked at closely.

package scrub

import (
	"maps"
	"slices"
	"strings"
)

const (
	window     = 3
	classBits  = 5
	trigrams   = 1 << (window * classBits)
	digitClass = 26
)

// classOf returns the class of a byte.
func classOf(c byte) uint8 {
	switch {
	case isLetter(c):
		return lower(c) - 'a'
	case isDecimal(c):
		return digitClass
	case c == '_':
		return 27
	case c == '-':
		return 28
	case c > ' ' && c < 0x80 && strings.IndexByte("\"'`\\,;()[]{}<>#*|!?", c) < 0:
		return 29 // . : / + = @ $ and the like
	case c < 0x80:
		return 30
	}
	return 31
}

// anchorRef is an anchor of a rule: when its window ends at i, the anchor may
// begin at i - offset.
type anchorRef struct {
	rule   int
	number int // among the anchors of the rule
	text   string
	fold   bool
	before *set // what stands before the anchor, nil when that isn't one set
	next   *set // what follows it
	offset int
}

// classes is a set of classes.
type classes uint32

func setClasses(s *set) (m classes) {
	for c := range 256 {
		if s.ascii.has(byte(c)) || c >= 0x80 && s.other != nil {
			m |= 1 << classOf(byte(c))
		}
	}
	return m
}

// sequence returns the classes that stand at the anchor: what is before it, its
// bytes, what follows. at is the index of the anchor's first byte.
func (a *anchorRef) sequence() (seq []classes, at int) {
	if a.before != nil {
		seq, at = append(seq, setClasses(a.before)), 1
	}
	for i := range len(a.text) {
		seq = append(seq, 1<<classOf(a.text[i]))
	}
	if a.next != nil {
		seq = append(seq, setClasses(a.next))
	}
	for len(seq) < window {
		seq = append(seq, 1<<32-1)
	}
	return seq, at
}

// classCounts says how often the classes stand in a thousand bytes of prose and
// code, roughly.
var classCounts = [32]int64{
	60, 12, 30, 28, 90, 18, 15, 25, 58, 2, 6, 32, 22, 55, 58, 20, 2, 55, 52, 70, 24, 9, 11, 4, 13, 2,
	20, 8, 6, 25, 160, 8,
}

func (c classes) count() (n int64) {
	for i, k := range classCounts {
		if c>>i&1 != 0 {
			n += k
		}
	}
	return n
}

// rarest returns where the window of a sequence begins that occurs least.
func rarest(seq []classes) int {
	best, least := 0, int64(1)<<40
	for i := range len(seq) - window + 1 {
		n := seq[i].count() * seq[i+1].count() * seq[i+2].count()
		if n < least {
			best, least = i, n
		}
	}
	return best
}

// prefilter holds the anchors of all rules.
type prefilter struct {
	class [256]uint8
	admit [trigrams / 64]uint64
	list  [trigrams]uint16 // into lists; 0: no anchors
	lists []anchorList
}

// anchorList holds the anchors of a trigram: by the byte at the end of the
// window when there are many, for all bytes beyond ASCII are of one class.
type anchorList struct {
	all    []anchorRef
	byByte *[256][]anchorRef
}

// of returns the anchors that may have byte c at the end of the window.
func (l *anchorList) of(c byte) []anchorRef {
	if l.byByte == nil {
		return l.all
	}
	return l.byByte[c]
}

func newAnchorList(refs []anchorRef) anchorList {
	l := anchorList{all: refs}
	if len(refs) < 4 {
		return l
	}
	l.byByte = new([256][]anchorRef)
	for _, r := range refs {
		for c := range 256 {
			if k := r.offset; k < 0 || k >= len(r.text) || r.text[k] == byte(c) || r.fold && r.text[k] == lower(byte(c)) {
				l.byByte[c] = append(l.byByte[c], r)
			}
		}
	}
	return l
}

func newPrefilter(refs []anchorRef) *prefilter {
	p := &prefilter{lists: make([]anchorList, 1)}
	for c := range p.class {
		p.class[c] = classOf(byte(c))
	}
	at := map[int][]int{} // anchors by trigram
	for i := range refs {
		seq, first := refs[i].sequence()
		w := rarest(seq)
		// Beyond ASCII a first byte says only which script it is.
		if k := w + window - 1 - first; k >= 0 && k+1 < len(refs[i].text) && refs[i].text[k] >= 0xc0 && w+window < len(seq) {
			w++
		}
		refs[i].offset = w + window - 1 - first
		for _, k := range keys(seq[w : w+window]) {
			at[k] = append(at[k], i)
		}
	}
	known := map[string]uint16{}
	for _, k := range slices.Sorted(maps.Keys(at)) {
		var name strings.Builder
		for _, i := range at[k] {
			name.WriteString(string(rune(i)))
		}
		n, ok := known[name.String()]
		if !ok {
			n = uint16(len(p.lists))
			known[name.String()] = n
			list := make([]anchorRef, len(at[k]))
			for j, i := range at[k] {
				list[j] = refs[i]
			}
			p.lists = append(p.lists, newAnchorList(list))
		}
		p.list[k] = n
		p.admit[k/64] |= 1 << (k % 64)
	}
	return p
}

// keys returns the trigrams that a window of classes admits.
func keys(seq []classes) []int {
	out := []int{0}
	for _, m := range seq {
		var longer []int
		for _, k := range out {
			for c := range 32 {
				if m>>c&1 != 0 {
					longer = append(longer, k<<classBits|c)
				}
			}
		}
		out = longer
	}
	return out
}

// at reports whether the anchor begins at text[start].
func (a *anchorRef) at(text string, start int) bool {
	if start < 0 || len(text)-start < len(a.text) {
		return false
	}
	got := text[start : start+len(a.text)]
	if a.fold {
		return equalFold(got, a.text)
	}
	return got == a.text
}

// sweep calls found for every anchor in the text, by ascending place of the
// window.
func (p *prefilter) sweep(text string, found func(a *anchorRef, start int)) {
	key := uint(trigrams - 1)
	for i := range len(text) {
		key = (key<<classBits | uint(p.class[text[i]])) & (trigrams - 1)
		if p.admit[key/64]>>(key%64)&1 == 0 {
			continue
		}
		list := p.lists[p.list[key]].of(text[i])
		for k := range list {
			if a := &list[k]; a.at(text, i-a.offset) {
				found(a, i-a.offset)
			}
		}
	}
}
