// This file decides the vocabulary of the package: what a document is, how an
// index is configured, what a search is asked and answers, and which errors
// callers can match.

package vecindex

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/contextforge-go/contextforge/internal/simd"
)

// Sentinel errors; match them with errors.Is. Stored bytes that can't be what
// was written give kv.ErrCorrupt.
var (
	// ErrDimension is returned for a vector that is not as long as those of
	// the index, or that no index can hold (empty, or over MaxDim).
	ErrDimension = errors.New("vecindex: wrong dimension")
	// ErrNotFinite is returned for a vector with a NaN or an infinity.
	ErrNotFinite = errors.New("vecindex: vector is not finite")
	// ErrZero is returned for a vector of length 0, which has no direction.
	ErrZero = errors.New("vecindex: vector is zero")
	// ErrWindows is returned by Tx.Add for window numbers outside 0…65535, or
	// that don't follow those added to the same document before in the
	// transaction.
	ErrWindows = errors.New("vecindex: wrong window numbers")
	// ErrOptions is returned by Open for options that can't work.
	ErrOptions = errors.New("vecindex: wrong options")
)

// Limits and defaults.
const (
	// MaxDim is the largest dimension.
	MaxDim = 16384
	// MaxWindows is how many windows a document may have.
	MaxWindows = 1 << 16

	DefaultMaxResident = 256 << 20 // bytes of codes in memory
	DefaultCacheBytes  = 4 << 20   // bytes of masters in memory
)

// Doc is a document as the index sees it.
type Doc struct {
	// Num identifies the document.
	Num uint64
	// Scope "" is the global scope.
	Scope string
	// First is the number of the first of Vectors among the document's
	// windows: 0 for a new document, the number of windows it has so far for
	// windows added later.
	First int
	// Vectors are those of the windows, of any length but 0; they are
	// normalised here and not kept.
	Vectors [][]float32
}

// Hit is a document found.
type Hit struct {
	Num    uint64
	Score  float32 // simd.Dot of the two unit vectors
	Window int     // its best window, the first of them if several are
}

// Filter restricts a search. The zero value restricts nothing.
type Filter struct {
	// Scope, if not nil, is the only one searched.
	Scope *string
	// Accept says whether a document may be found. It is asked once in a
	// search, and only about documents that could still be among the hits.
	// Calls don't overlap, but may come from other goroutines.
	Accept func(num uint64) (bool, error)
	// Before says which of two documents of equal score comes first; it must be
	// an order. Nil means the greater number.
	Before func(a, b uint64) (bool, error)
	// MinScore, if not nil, is the lowest score of a hit.
	MinScore *float32
}

// Options configure an index. Zero fields mean the defaults.
type Options struct {
	// Prefix starts every key of the index; it must not be empty.
	Prefix []byte
	// Kernels are the inner loops; nil means simd.Select("").
	Kernels *simd.Kernels
	// MaxResident bounds the bytes of codes held in memory; less than 0 means
	// no bound. It may differ from one opening to the next.
	MaxResident int64
	// CacheBytes bounds the masters held in memory.
	CacheBytes int64
	// Parallelism is how many goroutines a search may use where they pay; 0
	// means GOMAXPROCS.
	Parallelism int

	tuning tuning
}

// tuning holds sizes that tests make small.
type tuning struct {
	chunkRows    int // rows of a chunk
	pieceRows    int // rows that are scanned before the threshold is renewed
	firstRows    int // rows of a chunk to begin with; later chunks begin bigger
	slackRows    int // dead or excess rows that don't matter
	parallelRows int // rows that keep a goroutine busy
	backlogRows  int // rows of the latest changes that are kept
	streamRows   int // rows of a block that is read from the snapshot
	bulkRows     int // masters that are worth reading in order
}

var usualTuning = tuning{chunkRows: 8192, pieceRows: 1024, firstRows: 16, slackRows: 1024, parallelRows: 16384, backlogRows: 256, streamRows: 256, bulkRows: 1024}

// withDefaults fills in defaults and refuses what can't work.
func (o Options) withDefaults() (Options, error) {
	if len(o.Prefix) == 0 {
		return o, fmt.Errorf("%w: empty key prefix", ErrOptions)
	}
	o.Prefix = append([]byte(nil), o.Prefix...)
	if o.Kernels == nil {
		k, err := simd.Select("")
		if err != nil {
			return o, fmt.Errorf("vecindex: %w", err)
		}
		o.Kernels = k
	}
	if o.MaxResident == 0 {
		o.MaxResident = DefaultMaxResident
	}
	if o.CacheBytes <= 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	if o.Parallelism <= 0 {
		o.Parallelism = runtime.GOMAXPROCS(0)
	}
	if o.tuning == (tuning{}) {
		o.tuning = usualTuning
	}
	return o, nil
}
