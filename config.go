package contextforge

// This file decides what can be configured and what the defaults are.

import (
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/bm25/analyzer"
	"github.com/contextforge-go/contextforge/budget"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/lexicon"
	"github.com/contextforge-go/contextforge/scrub"
	"github.com/contextforge-go/contextforge/vecindex"
)

// Defaults of Config.
const (
	DefaultMaxEntries   = 10_000
	DefaultTokenBudget  = 8192
	DefaultHistoryLimit = 10
)

// MemoryPath is a Path that keeps everything in RAM, as the empty one does.
const MemoryPath = ":memory:"

// Unlimited switches a limit or a budget off.
const Unlimited = -1

// Config says what to open and how. The zero value is an ephemeral memory with
// the default limits. In every number 0 means the default and a negative one
// means unlimited. The fields with a JSON name can be kept in a file; missing
// ones keep their default.
type Config struct {
	// Path is the folder of the store, created when missing. "" and ":memory:"
	// keep everything in RAM until Close.
	Path string `json:"path,omitempty"`
	// SmallDevice trades write speed for RAM: some 10 MB less, for boards with
	// 1 GB or less.
	SmallDevice bool `json:"small_device,omitempty"`
	// MaxEntries is the capacity of the whole store, default 10,000. Over it the
	// entries with the oldest timestamps leave, among equals the earliest saved,
	// also when a store that holds more is opened. Unlimited keeps everything.
	MaxEntries int `json:"max_entries,omitempty"`
	// MaxEntriesPerScope is the capacity of each scope, the global one included;
	// unlimited by default.
	MaxEntriesPerScope int `json:"max_entries_per_scope,omitempty"`
	// HistoryLimit is the number of earlier versions kept of an updated entry,
	// default 10; negative keeps all.
	HistoryLimit int `json:"history_limit,omitempty"`
	// TokenBudget is the budget of a query that names none, default 8,192.
	TokenBudget int `json:"token_budget,omitempty"`
	// Ranking holds every constant of the order of hits. The zero value means
	// RankingDefault, with SentenceVectors but for one constant.
	Ranking Ranking `json:"ranking,omitzero"`
	// BM25 holds k1 and b, default 1.2 and 0.75.
	BM25 bm25.Params `json:"bm25,omitzero"`
	// TextOnly indexes the text of entries alone. Otherwise turns of sessions are found
	// by their date, too, and by the dates that "yesterday" and the like mean in them,
	// and the steps of Ranking know questions, times and speakers. A change reindexes
	// the store when it is opened.
	TextOnly bool `json:"text_only,omitempty"`
	// Scrub says which secrets are redacted before a text is stored, embedded,
	// distilled, logged or quoted in an error; by default all that package scrub
	// knows.
	Scrub ScrubConfig `json:"scrub,omitzero"`

	// EmbedMode says whether a Save embeds its text, the default, or a goroutine
	// afterwards.
	EmbedMode EmbedMode `json:"embed_mode,omitempty"`
	// SentenceVectors embeds the longest sentence of texts with several by itself, too,
	// with the name before the text if it begins with one, "Ann: I moved to Rome.": long
	// turns are found by what they say in passing. Queries by text weigh it with
	// Ranking.SentenceShare, which is 0.5 instead of 0 when Ranking isn't set. It takes
	// up to twice the time to save, and a second vector of such entries;
	// BackfillEmbeddings makes those of what is stored already, and removes them when it
	// is off again.
	SentenceVectors bool `json:"sentence_vectors,omitempty"`
	// VectorMemory bounds the memory for compressed vectors, in bytes: default
	// 256 MB, 32 MB with SmallDevice, some 650,000 and 80,000 vectors of 384
	// numbers. What exceeds it is read from the store by every query, with the
	// same result. Negative is unlimited.
	VectorMemory int64 `json:"vector_memory,omitempty"`
	// Warm reads the compressed vectors when the memory is opened instead of by
	// the first query.
	Warm bool `json:"warm,omitempty"`

	// Embedder turns texts into vectors, so that queries find meanings besides
	// words; none by default.
	Embedder Embedder `json:"-"`
	// Analyzer turns text into index terms, default analyzer.Text. A store that
	// was written with another one is reindexed by Open.
	Analyzer analyzer.Analyzer `json:"-"`
	// Counter counts the tokens of a text, default budget.Estimate.
	Counter budget.Counter `json:"-"`
	// Lexicon lends entries importance beside lexicon.English, which always counts
	// too unless a part of Lexicon is lexicon.None: nil is English alone, a persona
	// adds to English, lexicon.Only(persona) does without. Ranking says how much
	// it matters.
	Lexicon lexicon.Scorer `json:"-"`
	// Clock gives the time of a save and the "now" of a query, default time.Now.
	Clock func() time.Time `json:"-"`
	// Rand feeds the random part of new ids and the key of AuditSecrets, default
	// crypto/rand.
	Rand io.Reader `json:"-"`
	// Logger receives warnings; silent by default.
	Logger *slog.Logger `json:"-"`
	// Hooks are called on events worth knowing of.
	Hooks Hooks `json:"-"`

	// KV, when set, is used instead of Path; the Memory closes it.
	KV kv.Store `json:"-"`
	// Storage and Searcher, when set, replace the built-in ones. See Storage for
	// what works then.
	Storage  Storage  `json:"-"`
	Searcher Searcher `json:"-"`
}

// ScrubConfig controls the redaction of secrets, see package scrub. The zero value
// redacts by all built-in rules. Open checks all of it, Disabled or not.
type ScrubConfig struct {
	// Disabled stores, embeds and shows every text verbatim.
	Disabled bool `json:"disabled,omitempty"`
	// KeepMetadata stores metadata verbatim. Otherwise secrets in its strings are
	// redacted, names of members included, and all else in it stays as it is.
	KeepMetadata bool `json:"keep_metadata,omitempty"`
	// Custom rules apply beside the built-in ones, in their order.
	Custom []scrub.Rule `json:"-"`
	// RulesFiles are TOML files with further custom rules, in the form of
	// scrub.LoadRules; Open reads them.
	RulesFiles []string `json:"rules_files,omitempty"`
	// Allow lists values that are never redacted, exactly as they stand in a text.
	Allow []string `json:"allow,omitempty"`
	// Off lists rules that don't apply, by name or by label.
	Off []string `json:"off,omitempty"`
}

// resolved returns the config with every default filled in.
func (c Config) resolved() (Config, error) {
	if err := c.check(); err != nil {
		return c, fmt.Errorf("contextforge: %w", err)
	}
	defaultTo(&c.MaxEntries, DefaultMaxEntries)
	defaultTo(&c.HistoryLimit, DefaultHistoryLimit)
	defaultTo(&c.TokenBudget, DefaultTokenBudget)
	if c.Ranking.IsZero() {
		c.Ranking = RankingDefault()
		if c.SentenceVectors {
			c.Ranking.SentenceShare = sentenceShare
		}
	}
	if c.Analyzer == nil {
		c.Analyzer = analyzer.NewText(analyzer.Options{})
	}
	if c.Counter == nil {
		c.Counter = budget.Estimate{}
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

func defaultTo(n *int, value int) {
	if *n == 0 {
		*n = value
	}
}

func (c *Config) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"BM25.K1", c.BM25.K1}, {"BM25.B", c.BM25.B}} {
		if math.IsNaN(f.value) || math.IsInf(f.value, 0) || f.value < 0 {
			return fmt.Errorf("%w: %s is %v, want a finite number that is not negative", ErrInvalidConfig, f.name, f.value)
		}
	}
	if c.BM25.B > 1 {
		return fmt.Errorf("%w: BM25.B is %v, want 0 to 1", ErrInvalidConfig, c.BM25.B)
	}
	if c.Storage != nil && c.Searcher == nil {
		if _, ok := c.Storage.(Searcher); !ok {
			return fmt.Errorf("%w: Storage is set, Searcher is not", ErrInvalidConfig)
		}
	}
	if c.EmbedMode != EmbedInCall && c.EmbedMode != EmbedInBackground {
		return fmt.Errorf("%w: EmbedMode is %d", ErrInvalidConfig, c.EmbedMode)
	}
	if c.Embedder != nil {
		if c.Storage != nil || c.Searcher != nil {
			return fmt.Errorf("%w: with a Storage or Searcher of your own an Embedder has no place for its vectors", ErrInvalidConfig)
		}
		if model := modelOf(c.Embedder); model.ID == "" || model.Dim < 1 || model.Dim > vecindex.MaxDim {
			return fmt.Errorf("%w: the Embedder's name has %d bytes and its dimension is %d; want a name and 1 to %d", ErrInvalidConfig, len(model.ID), model.Dim, vecindex.MaxDim)
		}
	}
	return c.Ranking.check()
}
