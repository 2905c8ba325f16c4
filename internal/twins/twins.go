// Package twins tells texts that say the same in almost the same words from
// those that don't, without a model.
//
// A [Set] holds texts of which no two are nearly identical; [Set.Add] says
// whether another one is. Two texts are as alike as the share of their words
// and pairs of neighbouring words that both have ([Overlap], the Jaccard index of
// shingles: A. Broder, "On the resemblance and containment of documents",
// Compression and Complexity of Sequences, 1997). Case, punctuation and the
// number of repetitions don't matter; numbers do. [Restates] is stricter: of two
// statements that it takes for one, either can stand for both.
//
// # Guarantees
//
// The same answers on every platform; a Set belongs to one goroutine. What is
// refused has a twin for certain. Of two texts whose words are shared to nine
// tenths, the second is recognised in more than 99 of 100 cases: candidates are
// the latest 256 texts of the set that share most of eight minima of the hashes
// of their words, and every candidate is compared exactly.
package twins

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	// minima is the number of minimal hashes of a text, of which enough have to
	// be the same in a candidate.
	minima = 8
	enough = 5

	// remembered is the number of texts that a new one is compared with.
	remembered = 256

	// mostWords bounds the words of a text; a longer one is judged by its
	// beginning.
	mostWords = 4096
)

// The FNV-1a hash of 64 bits (G. Fowler, L. Noll, K. Vo).
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

// permutations are odd multipliers, each of which orders the hashes anew: the
// fractions of √2, √3, √5, √6, √7, √10, √11 and √13.
var permutations = [minima]uint64{
	0x6a09e667f3bcc909, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0x7311c2812425cfa1,
	0xa54ff53a5f1d36f1, 0x298a5f87a2fa4c71, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
}

// words calls visit with the hash of every word.
func words(text string, visit func(hash uint64)) {
	hash, inside, count := uint64(offset), false, 0
	for i := 0; i < len(text) && count < mostWords; {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		if r = fold(r); r >= 0 {
			hash, inside = (hash^uint64(r))*prime, true
		} else if inside {
			visit(mix(hash))
			hash, inside = offset, false
			count++
		}
	}
	if inside {
		visit(mix(hash))
	}
}

// fold returns a character of a word in lower case, −1 for others.
func fold(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return r
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return -1
	case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		return unicode.ToLower(r)
	}
	return -1
}

// mix spreads a hash over all its bits (the finalizer of MurmurHash3, A.
// Appleby).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// shingles returns the hashes of the words and the pairs of a text, sorted, each
// once.
func shingles(text string) []uint64 {
	var all []uint64
	last := uint64(0)
	words(text, func(hash uint64) {
		all = append(all, hash)
		if last != 0 {
			all = append(all, mix(last^hash*prime))
		}
		last = hash
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// Overlap returns the share of the words and pairs of words in a and b that both
// have, 0 to 1; 0 if there are none.
func Overlap(a, b string) float64 { return overlap(shingles(a), shingles(b)) }

func overlap(a, b []uint64) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			common++
			i++
			j++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// sketch is what is kept of a text.
type sketch struct {
	text     string
	least    [minima]uint64
	shingles []uint64 // once they were needed
}

func sketchOf(text string) sketch {
	s := sketch{text: text}
	for m := range s.least {
		s.least[m] = ^uint64(0)
	}
	words(text, func(hash uint64) {
		for m, p := range permutations {
			s.least[m] = min(s.least[m], hash*p)
		}
	})
	return s
}

func (s *sketch) resolved() []uint64 {
	if s.shingles == nil {
		s.shingles = shingles(s.text)
	}
	return s.shingles
}

// Set is texts of which no two are twins. The zero value is empty.
type Set struct {
	latest []sketch // the next one to be overwritten is at next once it is full
	next   int
}

// Has reports whether a text of the set shares at least the given part of its
// words and pairs with another one.
func (t *Set) Has(text string, part float64) bool {
	s := sketchOf(text)
	return t.has(&s, part)
}

func (t *Set) has(s *sketch, part float64) bool {
	for i := range t.latest {
		other := &t.latest[i]
		same := 0
		for m, least := range s.least {
			if least == other.least[m] {
				same++
			}
		}
		if same >= enough && overlap(other.resolved(), s.resolved()) >= part {
			return true
		}
	}
	return false
}

// Add adds a text, unless the set has one that shares at least the given part of
// its words and pairs, and reports whether it was added.
func (t *Set) Add(text string, part float64) bool {
	s := sketchOf(text)
	if t.has(&s, part) {
		return false
	}
	if len(t.latest) < remembered {
		t.latest = append(t.latest, s)
		return true
	}
	t.latest[t.next] = s
	t.next = (t.next + 1) % remembered
	return true
}
