package contextforge

// This file decides the constants of a ranking and their presets.

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/contextforge-go/contextforge/decay"
	"github.com/contextforge-go/contextforge/fusion"
)

// The ways to fuse candidate lists.
const (
	FusionConvex = "convex" // weighted mean of normalised scores
	FusionRRF    = "rrf"    // reciprocal ranks
)

// Ranking holds every constant of the order of hits: the score of an entry is
//
//	fused · (floor + (1 − floor)·0.5^(age/half-life)) · (1 + limited boost)
//
// where the limited boost is clamp(boost, BoostMin, BoostMax) when BoostHalf is
// 0, and otherwise
//
//	BoostMax · boost / (boost + BoostHalf)     for a boost above 0
//	BoostMin · |boost| / (|boost| + BoostHalf) for one below
//
// boost being BoostSize/tokens of what the lexicon says where an entry has more tokens
// than BoostSize. It comes near the limits without reaching them: more always counts more.
// Equal scores are ordered by timestamp, newest first, then by id. Start from a
// preset and change what you need.
type Ranking struct {
	// Fusion is FusionConvex or FusionRRF.
	Fusion string `json:"fusion"`
	// LexicalShare is the weight of BM25 in FusionConvex, 0 to 1.
	LexicalShare float64 `json:"lexical_share"`
	// RRFK is the constant k of FusionRRF.
	RRFK float64 `json:"rrf_k"`
	// AbsentRank stands in for the rank of an entry that a list lacks in
	// FusionRRF; 0 adds nothing for such a list.
	AbsentRank int `json:"absent_rank"`
	// CandidatePool is the number of candidates taken from each list; 0 takes as
	// many as the token budget can hold.
	CandidatePool int `json:"candidate_pool"`
	// MinSimilarity is the least cosine to the query of a candidate that shares no
	// word with it, -1 to 1, on the scale of all-MiniLM-L6-v2 where Calibrate is on;
	// -1 takes all.
	MinSimilarity float64 `json:"min_similarity"`
	// Calibrate brings the cosines of other models than all-MiniLM-L6-v2 to the scale of
	// that one's before they count, those of known models by their constants, those of
	// others by the mean and the deviation of the cosines between the query and the
	// entries of its scope, if there are 100 or more. See fusion.Calibrate.
	Calibrate bool `json:"calibrate"`
	// MaxOverlap makes a hit that shares at least this part of its words and pairs
	// of words with a better one wait until nothing else fits the budget, so that
	// repetitions don't fill it; 0 makes none wait.
	MaxOverlap float64 `json:"max_overlap"`
	// HalfLife is the time in which the part of the weight above the floor
	// halves; 72 h when it isn't positive.
	HalfLife time.Duration `json:"half_life_ns"`
	// KindHalfLife has the half-life of kinds that age differently.
	KindHalfLife map[string]time.Duration `json:"kind_half_life_ns"`
	// DecayFloor is the weight that age cannot go below, 0 to 1.
	DecayFloor float64 `json:"decay_floor"`
	// BoostMin and BoostMax limit the boost of the lexicon; BoostHalf is the boost
	// that gets half of its limit, 0 to cut off at the limits instead.
	BoostMin  float64 `json:"boost_min"`
	BoostMax  float64 `json:"boost_max"`
	BoostHalf float64 `json:"boost_half"`
	// BoostSize is the number of tokens from which on a text has matches by its length
	// alone: the boost of a longer one counts BoostSize/tokens of it; 0 counts all.
	BoostSize int `json:"boost_size"`
	// KindFloors reserves places behind the best hit: at least so many of the best
	// matching entries of a kind are in the result if they fit and score at least
	// a quarter of the best, however many others score higher. Curated notes are
	// not crowded out by chatter.
	KindFloors map[string]int `json:"kind_floors"`

	// What follows looks at what stands around an entry in its session, needs
	// FusionConvex, and leaves the scores of entries without a session as they are,
	// but for SentenceShare and for the gains of questions about a time: PeriodGain,
	// EventGain and CurrentGain. Where the best fused score is above 1 for it, all are
	// divided by that. Each is off at 0. docs/retrieval.md has what each of them gains.

	// Neighbours is the number of turns before and behind each of the best candidates
	// that become candidates with it, and that lend each other their words.
	Neighbours int `json:"neighbours"`
	// NeighbourTerms is the part of what a word counts for in a turn that it counts
	// for in the next one before and behind, and of that again in the one after, 0 to 1.
	NeighbourTerms float64 `json:"neighbour_terms"`
	// AnswerTerms is the part that the words of a question count for in the turn
	// behind it, 0 to 1.
	AnswerTerms float64 `json:"answer_terms"`
	// NeighbourMeaning is what the cosines of the turns before and behind weigh beside
	// a turn's own, 0 to 1.
	NeighbourMeaning float64 `json:"neighbour_meaning"`
	// SentenceShare is what the cosine of an entry's longest sentence counts for in its
	// own, 0 to 1, where there is one: Config.SentenceVectors makes them.
	SentenceShare float64 `json:"sentence_share"`
	// Substance is the exponent of a turn's size in (min(tokens, 60)/60)^Substance,
	// 0 to 1.
	Substance float64 `json:"substance"`
	// QuestionLoss is the part of its score that a turn loses which ends with a
	// question mark, 0 to 1.
	QuestionLoss float64 `json:"question_loss"`
	// TimeGain is the part that a turn with a time expression wins when the question
	// asks for a time, 0 to 1.
	TimeGain float64 `json:"time_gain"`
	// PeriodGain is the part that an entry wins whose time is in the period that the
	// question restricts itself to, "in May", "three weeks ago", 0 to 1. The words of
	// that period then are words of the question.
	PeriodGain float64 `json:"period_gain"`
	// EventGain is the same for a time that the question tells by an event before or so
	// long after which it lies, "before the move": the time of the event is that of the
	// entry that its words find first. It costs another search, of such questions alone.
	EventGain float64 `json:"event_gain"`
	// CurrentGain is the part that the newest entry wins when the question asks for the
	// present state, of those whose score is within CurrentWithin of the best, 0 to 1;
	// the others of these win the less the older they are.
	CurrentGain   float64 `json:"current_gain"`
	CurrentWithin float64 `json:"current_within"`
	// SpeakerGain is the part that the turns of a person win who is the only one named
	// in the question, and ReplyGain that which other people's answers to questions of
	// that person win, 0 to 1. Who speaks is told by the metadata fields speaker,
	// author, from and name, or by a text that begins with "Name: ".
	SpeakerGain float64 `json:"speaker_gain"`
	ReplyGain   float64 `json:"reply_gain"`
	// SessionShare is the part of the best score of a session that all turns of it
	// win, 0 to 1.
	SessionShare float64 `json:"session_share"`
	// SessionB is BM25's b for turns of sessions; 0 means Config.BM25.B. It orders
	// candidates; which there are is decided by Config.BM25.
	SessionB float64 `json:"session_b"`
}

// RankingDefault returns the ranking of the zero Config: convex fusion, no entry
// that is neither alike in words nor in meaning, none that repeats another, a
// decay that costs at most a twentieth, a boost of at most a twentieth, one place each
// for a manual note and a fact, and turns of sessions judged by those around them.
func RankingDefault() Ranking {
	return Ranking{
		Fusion: FusionConvex, LexicalShare: 0.28, MinSimilarity: 0.1, Calibrate: true, MaxOverlap: 0.9,
		HalfLife: decay.DefaultHalfLife, DecayFloor: 0.95,
		BoostMin: -0.05, BoostMax: 0.05, BoostHalf: 1, BoostSize: 30,
		KindFloors: map[string]int{KindManual: 1, KindFact: 1},
		Neighbours: 3, NeighbourTerms: 0.5, AnswerTerms: 0.8, NeighbourMeaning: 0.1,
		Substance: 0.05, QuestionLoss: 0.05, TimeGain: 0.1, SessionShare: 0.2, SessionB: 0.5,
		PeriodGain: 0.2, EventGain: 0.2, CurrentGain: 0.5, CurrentWithin: 0.4,
	}
}

// RankingReference returns the documented ranking of context-forge 0.8.0:
// reciprocal rank fusion with k = 60 over lists of 50 with rank 51 for what is
// absent, a half-life of 72 h without floor, boosts from −1 to 2. Equal scores
// have a total order instead of a random one, and MatchAll lists everything.
func RankingReference() Ranking {
	return Ranking{
		Fusion: FusionRRF, RRFK: fusion.DefaultK, AbsentRank: 51, CandidatePool: 50, MinSimilarity: -1,
		HalfLife: decay.DefaultHalfLife, BoostMin: -1, BoostMax: 2,
	}
}

// RankingReference09 returns the ranking of context-forge 0.9.0, which limits
// boosts to ±0.05.
func RankingReference09() Ranking {
	r := RankingReference()
	r.BoostMin, r.BoostMax = -0.05, 0.05
	return r
}

// UnmarshalJSON implements json.Unmarshaler: what is missing is that of
// RankingDefault.
func (r *Ranking) UnmarshalJSON(text []byte) error {
	type plain Ranking // without this method
	p := plain(RankingDefault())
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	*r = Ranking(p)
	return nil
}

// IsZero reports whether r is the zero value, which stands for RankingDefault.
func (r Ranking) IsZero() bool { return reflect.ValueOf(r).IsZero() }

func (r Ranking) check() error {
	if r.IsZero() {
		return nil
	}
	if r.Fusion != FusionConvex && r.Fusion != FusionRRF {
		return fmt.Errorf("%w: Ranking.Fusion is %q, want %q or %q", ErrInvalidConfig, r.Fusion, FusionConvex, FusionRRF)
	}
	for _, f := range []struct {
		name            string
		value, min, max float64
	}{
		{"LexicalShare", r.LexicalShare, 0, 1},
		{"RRFK", r.RRFK, 0, 1e9},
		{"MinSimilarity", r.MinSimilarity, -1, 1},
		{"MaxOverlap", r.MaxOverlap, 0, 1},
		{"DecayFloor", r.DecayFloor, 0, 1},
		{"BoostMin", r.BoostMin, -1e6, 1e6},
		{"BoostMax", r.BoostMax, r.BoostMin, 1e6},
		{"BoostHalf", r.BoostHalf, 0, 1e6},
		{"BoostSize", float64(r.BoostSize), 0, 1e9},
		{"AbsentRank", float64(r.AbsentRank), 0, 1e9},
		{"CandidatePool", float64(r.CandidatePool), 0, 1e9},
		{"Neighbours", float64(r.Neighbours), 0, mostNeighbours},
		{"NeighbourTerms", r.NeighbourTerms, 0, 1},
		{"AnswerTerms", r.AnswerTerms, 0, 1},
		{"NeighbourMeaning", r.NeighbourMeaning, 0, 1},
		{"SentenceShare", r.SentenceShare, 0, 1},
		{"Substance", r.Substance, 0, 1},
		{"QuestionLoss", r.QuestionLoss, 0, 1},
		{"TimeGain", r.TimeGain, 0, 1},
		{"PeriodGain", r.PeriodGain, 0, 1},
		{"EventGain", r.EventGain, 0, 1},
		{"CurrentGain", r.CurrentGain, 0, 1},
		{"CurrentWithin", r.CurrentWithin, 0, 1},
		{"SpeakerGain", r.SpeakerGain, 0, 1},
		{"ReplyGain", r.ReplyGain, 0, 1},
		{"SessionShare", r.SessionShare, 0, 1},
		{"SessionB", r.SessionB, 0, 1},
	} {
		if !(f.value >= f.min && f.value <= f.max) { // catches NaN
			return fmt.Errorf("%w: Ranking.%s is %v, want %v to %v", ErrInvalidConfig, f.name, f.value, f.min, f.max)
		}
	}
	return nil
}

// mostNeighbours bounds Ranking.Neighbours.
const mostNeighbours = 16

// looksAround reports whether the ranking looks at what stands around an entry.
func (r *Ranking) looksAround() bool {
	return r.Fusion == FusionConvex && (r.Neighbours > 0 || r.AnswerTerms > 0 || r.NeighbourMeaning > 0 || r.SentenceShare > 0 || r.Substance > 0 ||
		r.QuestionLoss > 0 || r.TimeGain > 0 || r.PeriodGain > 0 || r.EventGain > 0 || r.CurrentGain > 0 || r.SpeakerGain > 0 || r.ReplyGain > 0 || r.SessionShare > 0 || r.SessionB > 0)
}

// rule returns the fusion of a lexical and a semantic list.
func (r *Ranking) rule() fusion.Rule {
	if r.Fusion == FusionRRF {
		return fusion.RRF{K: r.RRFK, AbsentRank: r.AbsentRank}
	}
	return fusion.Hybrid(r.LexicalShare)
}

func (r *Ranking) curves() decay.Curves {
	c := decay.Curves{Default: decay.Curve{HalfLife: r.HalfLife, Floor: r.DecayFloor}}
	if len(r.KindHalfLife) > 0 {
		c.Kinds = make(map[string]decay.Curve, len(r.KindHalfLife))
		for kind, halfLife := range r.KindHalfLife {
			c.Kinds[kind] = decay.Curve{HalfLife: halfLife, Floor: r.DecayFloor}
		}
	}
	return c
}

// Multiplier turns the boost of an entry of so many tokens into the factor of its
// score: Explanation.Multiplier. It is Factor of the part of the boost that BoostSize
// leaves.
func (r *Ranking) Multiplier(boost float64, tokens int) float64 {
	if r.BoostSize > 0 && tokens > r.BoostSize {
		boost = float64(boost*float64(r.BoostSize)) / float64(tokens)
	}
	return r.Factor(boost)
}

// Factor turns a boost, all of which counts, into the factor of a score; a boost that
// isn't a number is none.
func (r *Ranking) Factor(boost float64) float64 {
	if math.IsNaN(boost) {
		return 1
	}
	if r.BoostHalf == 0 {
		return 1 + min(max(boost, r.BoostMin), r.BoostMax)
	}
	limit := r.BoostMax
	if boost < 0 {
		limit, boost = r.BoostMin, -boost
	}
	if math.IsInf(boost, 1) {
		return 1 + limit
	}
	return 1 + float64(limit*float64(boost/float64(boost+r.BoostHalf)))
}
