package contextforge_test

// What cosines of any model count for.

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/fusion"
)

// narrow is a bag whose cosines crowd above: those of a vector that all texts have
// in common.
type narrow struct{ *bag }

func newNarrow(name string) narrow {
	b := newBag()
	n := narrow{b}
	n.name, n.dim = name, 1024 // few words share a number
	b.answer = func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i, text := range texts {
			v := b.vector(text)
			v[0] = 4
			out[i] = v
		}
		return out, nil
	}
	return n
}

func (n narrow) of(text string) []float32 {
	out, _ := n.answer(ctx, []string{text})
	return out[0]
}

// crowd saves n notes that have nothing to do with cars.
func crowd(t *testing.T, m *contextforge.Memory, scope string, n int) {
	t.Helper()
	items := make([]contextforge.Item, n)
	for i := range items {
		items[i].Content = fmt.Sprintf("note%d word%d thing%d", i, i%7, i%11)
		items[i].SaveOptions = contextforge.SaveOptions{ID: fmt.Sprint(scope, i), Scope: scope}
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
}

// uncalibrated is the default ranking with raw cosines.
func uncalibrated() *contextforge.Ranking {
	r := contextforge.RankingDefault()
	r.Calibrate = false
	return &r
}

// The cosines of known models are brought to one scale by constants, those of unknown
// ones by the cosines of the scope where it has enough, and those of the usual model
// count as they are; the explanation has the model's own always.
func TestCalibratedMeaning(t *testing.T) {
	const asked = "vehicle"
	for _, c := range []struct {
		name, model string
		others      int // in the scope
		ranking     *contextforge.Ranking
		want        func(cos float64, scope []float64) float64
	}{
		{"unknown model", "bag", 150, nil, ownScale},
		{"unknown model in a small scope", "bag", 98, nil, asGiven},
		{"the hundredth entry", "bag", 99, nil, ownScale},
		{"unknown model, switched off", "bag", 150, uncalibrated(), asGiven},
		{"usual model", "all-MiniLM-L6-v2", 150, nil, asGiven},
		{"known model", "intfloat/e5-small-v2", 5, nil, func(cos float64, _ []float64) float64 {
			return fusion.CalibrationOf("e5-small-v2").Cosine(cos)
		}},
		{"known model, switched off", "e5-small-v2", 5, uncalibrated(), asGiven},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newNarrow(c.model)
			m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
			crowd(t, m, "chat", c.others)
			crowd(t, m, "elsewhere", 40)
			save(t, m, "the car is red", contextforge.SaveOptions{ID: "car", Scope: "chat"})
			scope := make([]float64, 0, c.others+1)
			o := all()
			o.Scope, o.Ranking = "chat", c.ranking
			hits := query(t, m, asked, o)
			for _, h := range hits {
				scope = append(scope, cosine(e.of(asked), e.of(h.Content)))
			}
			if len(scope) != c.others+1 {
				t.Fatalf("%d hits of %d", len(scope), c.others+1)
			}
			for i, h := range hits {
				if math.Abs(h.Explain.Semantic.Score-scope[i]) > 1e-6 {
					t.Errorf("%s: cosine %v, want %v", h.ID, h.Explain.Semantic.Score, scope[i])
				}
				if want := c.want(scope[i], scope); math.Abs(h.Explain.Meaning-want) > 0.005 {
					t.Errorf("%s: counts %v, want %v of %v", h.ID, h.Explain.Meaning, want, scope[i])
				}
			}
		})
	}
}

func asGiven(cos float64, _ []float64) float64 { return cos }

// ownScale calibrates by the mean and the deviation of a scope.
func ownScale(cos float64, scope []float64) float64 {
	sum, squares, n := 0.0, 0.0, float64(len(scope))
	for _, x := range scope {
		sum, squares = sum+x, squares+x*x
	}
	mean := sum / n
	return fusion.Calibrate(cos, mean, math.Sqrt(squares/n-mean*mean))
}

// The least cosine of what shares no word with the question is one of the usual scale,
// with and without a look around, by text and by vector.
func TestCalibratedMinimum(t *testing.T) {
	e := newNarrow("bag")
	m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
	crowd(t, m, "", 150)
	save(t, m, "the car is red", contextforge.SaveOptions{ID: "car"})
	plain := *searchesAlone()
	raw := *searchesAlone()
	raw.Calibrate = false
	for _, c := range []struct {
		name    string
		ranking contextforge.Ranking
		want    int
	}{
		{"default", contextforge.RankingDefault(), 1}, {"searches alone", plain, 1},
		{"default, switched off", *uncalibrated(), 151}, {"searches alone, switched off", raw, 151},
	} {
		o := contextforge.QueryOptions{TokenBudget: contextforge.Unlimited, MinSimilarity: 0.6, Ranking: &c.ranking}
		byText := query(t, m, "vehicle", o)
		byVector, err := m.QueryByVector(ctx, e.of("vehicle"), o)
		if err != nil {
			t.Fatal(err)
		}
		for how, hits := range map[string][]contextforge.Hit{"text": byText, "vector": byVector} {
			if len(hits) != c.want || hits[0].ID != "car" || hits[0].Explain.Semantic.Score < 0.8 {
				t.Errorf("%s by %s: %d hits, want %d, the best %+v", c.name, how, len(hits), c.want, hits[:min(len(hits), 1)])
			}
		}
	}
}

// What is like an entry has scores of the usual scale, too, relative to the best.
func TestCalibratedMoreLike(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newNarrow("bag"), Clock: newClock().Now})
	crowd(t, m, "", 150)
	for _, text := range []string{"the car is red", "the vehicle is red", "the car is blue"} {
		save(t, m, text, contextforge.SaveOptions{ID: text})
	}
	like := func(r *contextforge.Ranking) []contextforge.Hit {
		t.Helper()
		o := all()
		o.Ranking = r
		hits, err := m.MoreLike(ctx, "the car is red", o)
		if err != nil || len(hits) != 152 || hits[0].ID != "the vehicle is red" || hits[1].ID != "the car is blue" {
			t.Fatal(len(hits), err)
		}
		return hits
	}
	calibrated, raw := like(nil), like(uncalibrated())
	if a, b := calibrated[10].Explain.Fused, raw[10].Explain.Fused; a > 0.75 || b < 0.8 {
		t.Errorf("an entry that is not alike has %v, raw %v", a, b)
	}
	if a, b := calibrated[1].Explain.Semantic, raw[1].Explain.Semantic; a != b {
		t.Errorf("explained as %v, raw %v", a, b)
	}
}

// The reference knows no calibration, and neither does the usual model: all bits are
// the same.
func TestCalibrationLeavesTheUsualModel(t *testing.T) {
	e := newNarrow("all-MiniLM-L6-v2")
	m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
	crowd(t, m, "", 150)
	save(t, m, "the car is red", contextforge.SaveOptions{ID: "car", SessionID: "s"})
	save(t, m, "a word5 in the chat", contextforge.SaveOptions{ID: "word", SessionID: "s"})
	for _, text := range []string{"vehicle", "which thing5 is word5"} {
		o := all()
		with := query(t, m, text, o)
		o.Ranking = uncalibrated()
		without := query(t, m, text, o)
		if len(with) != len(without) {
			t.Fatalf("%d hits, %d without", len(with), len(without))
		}
		for i := range with {
			if with[i].ID != without[i].ID || with[i].Score != without[i].Score || !reflect.DeepEqual(with[i].Explain, without[i].Explain) {
				t.Errorf("%q, hit %d: %+v, want %+v", text, i, with[i], without[i])
			}
		}
	}
	for name, r := range map[string]contextforge.Ranking{"0.8": contextforge.RankingReference(), "0.9": contextforge.RankingReference09()} {
		if r.Calibrate {
			t.Errorf("reference %s calibrates", name)
		}
	}
	if !contextforge.RankingDefault().Calibrate {
		t.Error("the default doesn't calibrate")
	}
}
