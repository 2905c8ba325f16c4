package evalbench

// This file decides which configurations can be compared by name.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bm25/analyzer"
	"github.com/contextforge-go/contextforge/lexicon"
)

// Pipeline is a configuration to be measured.
type Pipeline struct {
	Name, What string
	// Configure changes the default configuration, which has the run's embedder.
	Configure func(c *contextforge.Config)
	// Apart gives every scope a memory of its own, so that what others hold cannot
	// change a ranking.
	Apart bool
}

// DefaultPipeline is the name of the configuration that a zero Config has.
const DefaultPipeline = "default"

// Pipelines returns what can be compared. Every change of the ranking that wants a
// figure of its own is a row here.
func Pipelines() []Pipeline {
	plain := func(c *contextforge.Config) {
		withoutEmbedder(c)
		standardWords(c)
		textOnly(c)
		c.Ranking = bare(1)
	}
	undecayed := contextforge.RankingReference()
	undecayed.DecayFloor, undecayed.BoostMin, undecayed.BoostMax = 1, 0, 0
	return append([]Pipeline{
		{Name: DefaultPipeline, What: "the zero Config with the embedder", Configure: asIs},
		{Name: "text", What: "no embedder: words alone", Configure: withoutEmbedder},
		{Name: "row5ish", What: "no neighbours and so on", Configure: func(c *contextforge.Config) {
			r := contextforge.RankingDefault()
			r.Neighbours, r.AnswerTerms, r.NeighbourMeaning, r.Substance, r.QuestionLoss, r.TimeGain, r.SessionShare, r.SessionB = 0, 0, 0, 0, 0, 0, 0, 0
			r.DecayFloor = 1
			c.Ranking = r
		}},
		{Name: "no-lexicon", What: "the English lexicon lends nothing", Configure: withoutLexicon},
		{Name: "no-decay", What: "age does not count", Configure: ranking(func(r *contextforge.Ranking) { r.DecayFloor = 1 })},
		{Name: "no-overlap", What: "repetitions don't wait", Configure: ranking(func(r *contextforge.Ranking) { r.MaxOverlap = 0 })},
		{Name: "no-places", What: "no place is kept free for a kind", Configure: ranking(func(r *contextforge.Ranking) { r.KindFloors = nil })},
		{Name: "no-stem", What: "no stems", Configure: analyzed(analyzer.Options{NoStem: true})},
		{Name: "no-stop-words", What: "questions keep words such as what and did", Configure: analyzed(analyzer.Options{NoStopWords: true})},
		{Name: "standard-words", What: "terms as the reference makes them", Configure: standardWords},
		{Name: "rrf", What: "fusion of ranks as in the reference", Configure: ranking(func(r *contextforge.Ranking) {
			reference := contextforge.RankingReference()
			r.Fusion, r.RRFK, r.AbsentRank, r.CandidatePool = reference.Fusion, reference.RRFK, reference.AbsentRank, reference.CandidatePool
		})},
		boosted(0.02),
		boosted(0.03),
		boosted(0.05),
		boosted(0.1),
		{Name: "boost-cut-0.05", What: "boosts cut off at 0.05, as in context-forge 0.9.0", Configure: ranking(func(r *contextforge.Ranking) {
			r.BoostMin, r.BoostMax, r.BoostHalf = -0.05, 0.05, 0
		})},
		{Name: "uncalibrated", What: "cosines count as the model gives them", Configure: ranking(func(r *contextforge.Ranking) { r.Calibrate = false })},
		{Name: "sentences", What: "the longest sentence of a text counts half of its meaning", Configure: withSentences},
		{Name: "best", What: "sentences, and turns of the person whom the question names", Configure: func(c *contextforge.Config) {
			withSentences(c)
			c.Ranking.SpeakerGain, c.Ranking.ReplyGain = 0.05, 0.05
		}},
		{Name: "apart", What: "the default, a memory for each scope", Configure: asIs, Apart: true},
		{Name: "meaning", What: "meaning alone orders, age does not count", Configure: func(c *contextforge.Config) {
			textOnly(c)
			c.Ranking = bare(0)
		}},
		{Name: "stemmed", What: "BM25 over the default terms alone", Configure: func(c *contextforge.Config) {
			withoutEmbedder(c)
			textOnly(c)
			c.Ranking = bare(1)
		}},
		{Name: "plain", What: "BM25 over the reference's terms alone", Configure: plain},
		{Name: "plain-apart", What: "plain, a memory for each scope", Configure: plain, Apart: true},
		{Name: "reference", What: "context-forge 0.8.0: RankingReference with a lexicon, the reference's terms", Configure: reference(contextforge.RankingReference())},
		{Name: "reference09", What: "context-forge 0.9.0: RankingReference09 without a lexicon, the reference's terms", Configure: func(c *contextforge.Config) {
			withoutLexicon(c)
			reference(contextforge.RankingReference09())(c)
		}},
		{Name: "reference09-lexicon", What: "reference09 with a lexicon", Configure: reference(contextforge.RankingReference09())},
		{Name: "reference-no-decay", What: "fusion of the reference alone, its terms: neither age nor lexicon count", Configure: reference(undecayed)},
		{Name: "reference-no-decay-apart", What: "reference-no-decay, a memory for each scope", Configure: reference(undecayed), Apart: true},
	}, ablations()...)
}

func asIs(*contextforge.Config) {}

func withoutEmbedder(c *contextforge.Config) { c.Embedder = nil }

func withSentences(c *contextforge.Config) {
	c.SentenceVectors = true
	ranking(func(r *contextforge.Ranking) { r.SentenceShare = 0.5 })(c)
}

func withoutLexicon(c *contextforge.Config) { c.Lexicon = lexicon.None }

// boosted lets the lexicon change a score by this part at most.
func boosted(most float64) Pipeline {
	return Pipeline{
		Name: fmt.Sprint("boost-", most), What: fmt.Sprint("the lexicon changes a score by less than ", most),
		Configure: ranking(func(r *contextforge.Ranking) { r.BoostMin, r.BoostMax = -most, most }),
	}
}

func standardWords(c *contextforge.Config) { c.Analyzer = analyzer.NewStandard() }

// bare is a ranking by what the searches say and nothing else, whatever the default
// becomes: published figures are checked with it.
func bare(lexicalShare float64) contextforge.Ranking {
	return contextforge.Ranking{Fusion: contextforge.FusionConvex, LexicalShare: lexicalShare, MinSimilarity: -1, DecayFloor: 1}
}

func reference(r contextforge.Ranking) func(*contextforge.Config) {
	return func(c *contextforge.Config) {
		c.Ranking, c.TextOnly = r, true
		standardWords(c)
	}
}

func analyzed(o analyzer.Options) func(*contextforge.Config) {
	return func(c *contextforge.Config) { c.Analyzer = analyzer.NewText(o) }
}

// ranking changes the default ranking.
func ranking(change func(*contextforge.Ranking)) func(*contextforge.Config) {
	return func(c *contextforge.Config) {
		r := contextforge.RankingDefault()
		change(&r)
		c.Ranking = r
	}
}

// Named returns the pipelines of a list of names, separated by commas, in its order;
// "all" is every one.
func Named(list string) ([]Pipeline, error) {
	all := Pipelines()
	if list == "all" {
		return all, nil
	}
	var out []Pipeline
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		at := slices.IndexFunc(all, func(p Pipeline) bool { return p.Name == name })
		if at < 0 {
			names := make([]string, len(all))
			for i, p := range all {
				names[i] = p.Name
			}
			return nil, fmt.Errorf("%q is no pipeline; there are %s", name, strings.Join(names, ", "))
		}
		out = append(out, all[at])
	}
	return out, nil
}

// Custom returns a pipeline with a ranking given as JSON; what it doesn't name is that
// of RankingDefault. A name that no ranking has is an error.
func Custom(name, text string) (Pipeline, error) {
	var given map[string]json.RawMessage
	var r contextforge.Ranking
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return Pipeline{}, fmt.Errorf("ranking %s: %w", name, err)
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return Pipeline{}, fmt.Errorf("ranking %s: %w", name, err)
	}
	known, err := json.Marshal(r)
	if err != nil {
		return Pipeline{}, fmt.Errorf("ranking %s: %w", name, err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(known, &all); err != nil {
		return Pipeline{}, fmt.Errorf("ranking %s: %w", name, err)
	}
	for field := range given {
		if _, ok := all[field]; !ok {
			return Pipeline{}, fmt.Errorf("ranking %s: a ranking has no field %q", name, field)
		}
	}
	return Pipeline{
		Name: name, What: "ranking " + strings.Join(strings.Fields(text), " "),
		Configure: func(c *contextforge.Config) { c.Ranking = r },
	}, nil
}
