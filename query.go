package contextforge

// This file decides what can be asked and what an answer says.

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/contextforge-go/contextforge/injection"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/lexicon"
)

// MatchAll is the query that matches every entry: newest first, score 1,
// limited by Limit and TokenBudget alone. It ends early when thousands of
// entries in a row don't fit what is left of the budget.
const MatchAll = "*"

// Filter restricts a query, a listing, a count or what Forget removes. The
// zero value takes everything that has not expired; set fields must all agree.
type Filter struct {
	Scope      string         // only this scope; "" means every scope
	GlobalOnly bool           // only the global scope, for which Scope is ""
	Kinds      []string       // one of these kinds
	SessionID  string         // this session
	Since      time.Time      // timestamp at or after it
	Until      time.Time      // timestamp before it
	Metadata   map[string]any // top-level metadata fields equal to these JSON values; nil also matches a missing field
}

// isEmpty reports whether f restricts nothing.
func (f *Filter) isEmpty() bool {
	return f.Scope == "" && !f.GlobalOnly && len(f.Kinds) == 0 && f.SessionID == "" &&
		f.Since.IsZero() && f.Until.IsZero() && len(f.Metadata) == 0
}

// compile brings the filter to the store's form, for the state as of a time.
func (f *Filter) compile(asOf time.Time) (store.Filter, error) {
	if f.Scope != "" && f.GlobalOnly {
		return store.Filter{}, fmt.Errorf("contextforge: %w: Scope and GlobalOnly exclude each other", ErrInvalidFilter)
	}
	meta, err := store.NewMetadata(f.Metadata)
	if err != nil {
		return store.Filter{}, fmt.Errorf("contextforge: %w: %w", ErrInvalidFilter, err)
	}
	return store.Filter{
		Scope: f.Scope, GlobalOnly: f.GlobalOnly, Kinds: f.Kinds, SessionID: f.SessionID,
		Since: instant(f.Since), Until: instant(f.Until), Metadata: meta, AsOf: store.TimeOf(asOf),
	}, nil
}

// compile brings the filter of a query to the store's form.
func (o *QueryOptions) compile(asOf time.Time) (store.Filter, error) {
	f, err := o.Filter.compile(asOf)
	if !o.IncludeSuperseded && !slices.Contains(o.Kinds, KindSuperseded) {
		f.NotKinds = []string{KindSuperseded}
	}
	return f, err
}

func instant(t time.Time) *store.Time {
	if t.IsZero() {
		return nil
	}
	at := store.TimeOf(t)
	return &at
}

// QueryOptions says what a query may return. The zero value searches all
// scopes under the default budget.
type QueryOptions struct {
	Filter
	// TokenBudget bounds the sum of the hits' tokens: 0 means
	// Config.TokenBudget, a negative number no bound.
	TokenBudget int
	// Limit bounds the number of hits; 0 or less means no bound.
	Limit int
	// MinScore leaves out hits whose final score is lower. Scores of the default
	// ranking are relative to the best candidate of the same query, which has
	// about 1 whether it answers the question or not.
	MinScore float64
	// MinSimilarity leaves out entries that share no word with the query and
	// whose cosine to it, calibrated if Ranking.Calibrate says so, is lower; 0 means
	// Ranking.MinSimilarity, a negative number takes all.
	MinSimilarity float64
	// IncludeSuperseded searches entries of KindSuperseded too, as naming the kind in
	// Kinds does.
	IncludeSuperseded bool
	// Suspicious says what becomes of entries that read like an attack on a model;
	// by default they are kept, and say so.
	Suspicious Suspicion
	// AsOf is the "now" that ages and expiries refer to, default Config.Clock.
	AsOf time.Time
	// Ranking replaces Config.Ranking for this query.
	Ranking *Ranking
}

// Hit is one entry of an answer with the reasons for its place.
type Hit struct {
	Entry
	Score   float64
	Explain Explanation
	// Suspicious is what injection.Detect finds in the content, nil for nothing.
	Suspicious []injection.Reason
}

// Explanation says how a score came about:
// Score = Fused · Decay · Multiplier · Suspicion.
type Explanation struct {
	Lexical    Leg     `json:"lexical"`    // BM25 over the words
	Semantic   Leg     `json:"semantic"`   // cosine of the meanings, as the model gives it
	Words      float64 `json:"words"`      // BM25 with what the turns around lend, when Ranking looks at them
	Meaning    float64 `json:"meaning"`    // mean of the cosine and those of the turns around
	Prior      float64 `json:"prior"`      // factor for the form of a turn
	Fused      float64 `json:"fused"`      // both fused, by Prior, with the share of the best of the session, 1 at most
	AgeSeconds float64 `json:"age_s"`      // age at AsOf, 0 for the future
	Decay      float64 `json:"decay"`      // weight of that age
	Boost      float64 `json:"boost"`      // importance by the lexicon
	Multiplier float64 `json:"multiplier"` // what Ranking makes of the boost
	Suspicion  float64 `json:"suspicion"`  // 1, or less for what SuspiciousDownRank ranks down
	Tokens     int     `json:"tokens"`     // what the hit took of the budget
	Reserved   bool    `json:"reserved"`   // holds a place by Ranking.KindFloors

	// Matches are the words and patterns of the lexicon that made the boost.
	Matches []lexicon.Match `json:"matches,omitempty"`
}

// String explains the score in a line.
func (e Explanation) String() string {
	meaning := ""
	if e.Semantic != (Leg{}) {
		meaning = fmt.Sprintf("; cosine %.3f, rank %d", e.Semantic.Score, e.Semantic.Rank)
	}
	if e.Prior != 0 && (e.Prior != 1 || e.Words != e.Lexical.Score) {
		meaning += fmt.Sprintf("; with the turns around BM25 %.2f, form × %.3f", e.Words, e.Prior)
	}
	s := fmt.Sprintf("fused %.3f (BM25 %.2f, rank %d%s) × decay %.3f × importance %.3f, %d tokens",
		e.Fused, e.Lexical.Score, e.Lexical.Rank, meaning, e.Decay, e.Multiplier, e.Tokens)
	if e.Reserved {
		s += ", in a place reserved for its kind"
	}
	return s
}

// Leg is one search's word on a hit; the zero value means that it has none. A
// score without a rank was looked up: the search's own list did not reach it.
type Leg struct {
	Rank  int     `json:"rank"`  // place in the list, 1 for the best
	Score float64 `json:"score"` // the list's own score
}

// MarshalJSON implements json.Marshaler: the entry's fields, score and explain
// side by side.
func (h Hit) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		wireEntry
		Score      float64            `json:"score"`
		Explain    Explanation        `json:"explain"`
		Suspicious []injection.Reason `json:"suspicious,omitempty"`
	}{h.wire(), h.Score, h.Explain, h.Suspicious})
}

// UnmarshalJSON implements json.Unmarshaler.
func (h *Hit) UnmarshalJSON(text []byte) error {
	var rest struct {
		Score      float64            `json:"score"`
		Explain    Explanation        `json:"explain"`
		Suspicious []injection.Reason `json:"suspicious,omitempty"`
	}
	if err := json.Unmarshal(text, &rest); err != nil {
		return err
	}
	h.Score, h.Explain, h.Suspicious = rest.Score, rest.Explain, rest.Suspicious
	return h.Entry.UnmarshalJSON(text)
}
