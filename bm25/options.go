// This file decides the vocabulary of the package: what a document is, how an
// index is configured, and which errors callers can match.

package bm25

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/contextforge-go/contextforge/kv"
)

// Sentinel errors; match them with errors.Is. Stored bytes that can't be what
// was written give kv.ErrCorrupt.
var (
	// ErrNotIndexed is returned by Tx.Delete for a document that the index
	// doesn't hold (any more).
	ErrNotIndexed = errors.New("bm25: document is not indexed")
	// ErrNotLoaded is returned by searches on a view of an index whose tail
	// and tombstones were not read yet; see Index.Load.
	ErrNotLoaded = errors.New("bm25: index is not loaded")
	// ErrOrder is returned by Tx.Apply when a document's Num is not greater
	// than that of every document added before.
	ErrOrder = errors.New("bm25: document numbers must ascend")
	// ErrParams is returned by Open for parameters outside their range.
	ErrParams = errors.New("bm25: parameters out of range")
)

// Term is one distinct term of a document and how often it occurs (≥ 1).
type Term struct {
	Text string
	TF   uint32
}

// TermVector is an analysed document: its distinct terms in any order, and its
// length in tokens, which scores and token counts go by. Usually that is the sum
// of the frequencies, but the index doesn't ask for it: terms that mark a feature
// of the document instead of standing in its text may be left out of Length. They
// have frequencies, document frequencies and scores like all others.
type TermVector struct {
	Terms  []Term
	Length uint32
}

// Doc is a document as the index sees it. The index keeps the strings and the
// vector's slice of a document that was added; they must not be changed.
type Doc struct {
	// Num is greater than that of every document added before, never reused.
	Num uint64
	// ID breaks ties and is part of results; any bytes.
	ID string
	// Scope "" is the global scope.
	Scope, Session, Kind string
	// Sec and Nsec are the timestamp: seconds since 1970 (may be negative)
	// and nanoseconds below 1,000,000,000.
	Sec  int64
	Nsec uint32
	// With Expires set, searches whose AsOf is at or after ExpSec/ExpNsec
	// don't see the document.
	ExpSec  int64
	ExpNsec uint32
	Expires bool
	// Cost is carried for the caller (estimated model tokens).
	Cost   uint32
	Vector TermVector
}

// Time is a point in time; ordering is that of (Sec, Nsec).
type Time struct {
	Sec  int64
	Nsec uint32
}

// Before reports whether t is earlier than u.
func (t Time) Before(u Time) bool {
	return t.Sec < u.Sec || t.Sec == u.Sec && t.Nsec < u.Nsec
}

// Params are the constants of BM25 (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework: BM25 and Beyond", 2009, §3.2). The zero value means
// K1 = 1.2, B = 0.75. K1 must lie in [0, 1e6], B in [0, 1].
type Params struct{ K1, B float64 }

// Defaults of Options.
const (
	DefaultK1          = 1.2 // the usual choice, e.g. Manning et al. 2008, §11.4.3
	DefaultB           = 0.75
	DefaultTailDocs    = 1024
	DefaultTailTokens  = 1 << 20
	DefaultSegmentDocs = 32768
	DefaultMergeFactor = 8
	DefaultCacheBytes  = 8 << 20
)

// Options configure an index. Zero fields mean the defaults.
type Options struct {
	// Prefix starts every key of the index; it must not be empty.
	Prefix []byte
	// Params may differ from one opening to the next: nothing stored depends
	// on them.
	Params Params
	// TailDocs documents or TailTokens tokens in the tail make it due for
	// sealing; a transaction that adds half as many documents, or as many tokens,
	// is sealed at once.
	TailDocs, TailTokens int
	// SegmentDocs is the biggest segment built by a bulk add.
	SegmentDocs int
	// MergeFactor neighbours of one size class are merged (at least 2).
	MergeFactor int
	// CacheBytes bounds the cache of term blocks and posting chunks.
	CacheBytes int64
	// ResidentIDs keeps the ids in RAM once used; without it they pass
	// through the cache.
	ResidentIDs bool
	// Tail yields the documents with Num ≥ from that r holds, in ascending
	// order, for Load. Nil means that there are none.
	Tail func(r kv.Reader, from uint64) iter.Seq2[Doc, error]
}

// withDefaults fills in defaults and refuses what can't work.
func (o Options) withDefaults() (Options, error) {
	if len(o.Prefix) == 0 {
		return o, fmt.Errorf("bm25: empty key prefix: %w", ErrParams)
	}
	o.Prefix = append([]byte(nil), o.Prefix...)
	o.Params = o.Params.withDefaults()
	if err := o.Params.check(); err != nil {
		return o, err
	}
	o.TailDocs = positive(o.TailDocs, DefaultTailDocs)
	o.TailTokens = positive(o.TailTokens, DefaultTailTokens)
	o.SegmentDocs = positive(o.SegmentDocs, DefaultSegmentDocs)
	o.MergeFactor = max(2, positive(o.MergeFactor, DefaultMergeFactor))
	if o.CacheBytes <= 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	return o, nil
}

func positive(v, def int) int {
	if v <= 0 {
		return def
	}
	return v
}

func (p Params) withDefaults() Params {
	if p == (Params{}) {
		return Params{DefaultK1, DefaultB}
	}
	return p
}

func (p Params) check() error {
	if math.IsNaN(p.K1) || p.K1 < 0 || p.K1 > 1e6 {
		return fmt.Errorf("bm25: k1 = %v, want 0 to 1e6: %w", p.K1, ErrParams)
	}
	if math.IsNaN(p.B) || p.B < 0 || p.B > 1 {
		return fmt.Errorf("bm25: b = %v, want 0 to 1: %w", p.B, ErrParams)
	}
	return nil
}
