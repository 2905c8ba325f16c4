// This file decides what a scorer is and what it tells about a score.

package lexicon

import (
	"encoding/json"
	"time"
)

// Item is what a scorer sees of an entry.
type Item struct {
	ID, Content, Kind, Scope, SessionID string
	Timestamp                           time.Time
	Metadata                            json.RawMessage // a JSON object, or nil
}

// Scorer says how important an entry is, apart from what it has to do with a
// question. Score returns an additive boost: 0 is neutral, positive amounts speak
// for the entry. It isn't limited; what the ranking makes of the sum is the
// ranking's business. The scorers of this package don't look at query; it is
// there for those of an application. Score must be safe for concurrent use and
// return the same for the same arguments.
type Scorer interface {
	Score(item Item, query string) float64
}

// Explainer is a scorer that can say where a score comes from. Explain returns
// matches whose amounts, added up in their order, are the score.
type Explainer interface {
	Scorer
	Explain(item Item, query string) []Match
}

// Sort says what kind of statement an amount comes from.
type Sort string

// The sorts of a match.
const (
	Term        Sort = "term"        // a term of a lexicon, adds its weight
	Affirmation Sort = "affirmation" // a pattern that confirms, adds AffirmationAmount
	Negation    Sort = "negation"    // a pattern that rejects, adds NegationAmount
	Signal      Sort = "signal"      // something else than the content: metadata, kind, a prior
)

// What an entry gets for a pattern of each sort. The amount of a term is its
// weight.
const (
	AffirmationAmount = 0.5
	NegationAmount    = -0.3
)

// Match is one part of a score.
type Match struct {
	Lexicon string  `json:"lexicon"` // where the pattern comes from: ConfigScorer.Name of its file, or the kind of signal
	Sort    Sort    `json:"sort"`
	Pattern string  `json:"pattern"` // as the lexicon spells it; of a signal the key, kind or id that it stands at
	Amount  float64 `json:"amount"`
	// Start and End are the bytes of the content, [Start, End), that the first
	// occurrence that counts takes up; 0 and 0 for a signal.
	Start int `json:"start"`
	End   int `json:"end"`
}
