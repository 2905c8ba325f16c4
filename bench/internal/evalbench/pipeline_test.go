package evalbench

// These tests decide that the named configurations differ in what they are named for.

import (
	"reflect"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/lexicon"
)

func TestPipelines(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Pipelines() {
		if seen[p.Name] || p.Name == "" || p.What == "" || strings.ContainsAny(p.Name, ", ") {
			t.Errorf("%+v", p)
		}
		seen[p.Name] = true
		c := contextforge.Config{Embedder: &bag{}}
		p.Configure(&c)
		m, err := contextforge.Open(t.Context(), c)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// configured returns the configuration of a pipeline.
func configured(t *testing.T, name string) contextforge.Config {
	t.Helper()
	list, err := Named(name)
	if err != nil || len(list) != 1 {
		t.Fatal(err)
	}
	c := contextforge.Config{Embedder: &bag{}}
	list[0].Configure(&c)
	return c
}

func TestPipelinesDiffer(t *testing.T) {
	if c := configured(t, "default"); !c.Ranking.IsZero() || c.Analyzer != nil || c.Embedder == nil {
		t.Errorf("default: %+v", c)
	}
	if c := configured(t, "text"); c.Embedder != nil || !c.Ranking.IsZero() {
		t.Errorf("text: %+v", c)
	}
	if c := configured(t, "no-decay"); c.Ranking.DecayFloor != 1 || c.Ranking.LexicalShare != contextforge.RankingDefault().LexicalShare {
		t.Errorf("no-decay: %+v", c.Ranking)
	}
	if c := configured(t, "reference"); c.Ranking.Fusion != contextforge.FusionRRF || c.Ranking.BoostMax != 2 || c.Ranking.DecayFloor != 0 || c.Analyzer == nil {
		t.Errorf("reference: %+v", c)
	}
	if c := configured(t, "reference09"); c.Ranking.BoostMax != 0.05 || c.Lexicon == nil {
		t.Errorf("reference09: %+v", c.Ranking)
	}
	if c := configured(t, "reference09-lexicon"); c.Ranking.BoostMax != 0.05 || c.Lexicon != nil {
		t.Errorf("reference09-lexicon: %+v", c)
	}
	if c := configured(t, "no-lexicon"); lexicon.UsesDefaults(c.Lexicon) || !c.Ranking.IsZero() {
		t.Errorf("no-lexicon: %+v", c)
	}
	if c := configured(t, "boost-0.1"); c.Ranking.BoostMin != -0.1 || c.Ranking.BoostMax != 0.1 || c.Ranking.BoostHalf != contextforge.RankingDefault().BoostHalf {
		t.Errorf("boost-0.1: %+v", c.Ranking)
	}
	if c := configured(t, "reference-no-decay"); c.Ranking.BoostMax != 0 || c.Ranking.DecayFloor != 1 || c.Ranking.AbsentRank != 51 {
		t.Errorf("reference-no-decay: %+v", c.Ranking)
	}
	if c := configured(t, "uncalibrated"); c.Ranking.Calibrate || c.Ranking.Neighbours == 0 {
		t.Errorf("uncalibrated: %+v", c.Ranking)
	}
	if c := configured(t, "sentences"); !c.SentenceVectors || c.Ranking.SentenceShare != 0.5 || c.Ranking.SpeakerGain != 0 {
		t.Errorf("sentences: %+v", c)
	}
	if c := configured(t, "best"); !c.SentenceVectors || c.Ranking.SentenceShare != 0.5 || c.Ranking.SpeakerGain != 0.05 || c.Ranking.ReplyGain != 0.05 {
		t.Errorf("best: %+v", c)
	}
	if c := configured(t, "plain"); c.Embedder != nil || c.Ranking.MaxOverlap != 0 || c.Analyzer == nil {
		t.Errorf("plain: %+v", c)
	}
}

// An ablation differs from the default in what it takes away, and in nothing else.
func TestAblations(t *testing.T) {
	var all contextforge.Config
	ranking(func(*contextforge.Ranking) {})(&all)
	for _, p := range ablations() {
		var c contextforge.Config
		p.Configure(&c)
		if p.Name != "text-only" && reflect.DeepEqual(c.Ranking, all.Ranking) {
			t.Errorf("%s is the default", p.Name)
		}
		if onlyText := p.Name == "text-only" || p.Name == "plain-hybrid"; c.TextOnly != onlyText {
			t.Errorf("%s: TextOnly is %t", p.Name, c.TextOnly)
		}
		c.Ranking, c.TextOnly = contextforge.Ranking{}, false
		if !reflect.DeepEqual(c, contextforge.Config{}) {
			t.Errorf("%s: %+v", p.Name, c)
		}
	}
	if c := configured(t, "no-answers"); c.Ranking.AnswerTerms != 0 || c.Ranking.Neighbours == 0 {
		t.Errorf("%+v", c.Ranking)
	}
	for _, name := range []string{"plain", "reference", "reference09", "meaning", "stemmed", "reference-no-decay"} {
		if c := configured(t, name); !c.TextOnly || c.Ranking.Neighbours != 0 || c.Ranking.SessionShare != 0 {
			t.Errorf("%s: %+v", name, c.Ranking)
		}
	}
}

func TestNamed(t *testing.T) {
	list, err := Named("text, default")
	if err != nil || len(list) != 2 || list[0].Name != "text" || list[1].Name != "default" {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := Named("all"); err != nil || len(list) != len(Pipelines()) {
		t.Errorf("%v, %v", list, err)
	}
	for _, bad := range []string{"", "text,", "unheardof"} {
		if _, err := Named(bad); err == nil || !strings.Contains(err.Error(), "reference09") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCustom(t *testing.T) {
	p, err := Custom("mine", `{"lexical_share": 0.5,
		"max_overlap": 0}`)
	if err != nil || p.Name != "mine" || p.What != `ranking {"lexical_share": 0.5, "max_overlap": 0}` {
		t.Fatalf("%+v, %v", p, err)
	}
	var c contextforge.Config
	p.Configure(&c)
	if c.Ranking.LexicalShare != 0.5 || c.Ranking.MaxOverlap != 0 || c.Ranking.DecayFloor != contextforge.RankingDefault().DecayFloor {
		t.Errorf("%+v", c.Ranking)
	}
	for _, bad := range []string{"", "[]", `{"lexical_share": "much"}`, `{"lexical_shares": 1}`} {
		if _, err := Custom("mine", bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
