package contextforge_test

// What the fields of Ranking that look around may be, and how they are written.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
)

// shares are the fields of Ranking that are parts.
var shares = []string{
	"NeighbourTerms", "AnswerTerms", "NeighbourMeaning", "Substance", "QuestionLoss", "TimeGain", "PeriodGain", "EventGain", "CurrentGain", "CurrentWithin",
	"SpeakerGain", "ReplyGain", "SessionShare", "SessionB",
}

func TestRankingChecksWhatLooksAround(t *testing.T) {
	m := pottery(t, contextforge.Config{})
	try := func(change func(reflect.Value)) error {
		r := contextforge.RankingDefault()
		change(reflect.ValueOf(&r).Elem())
		_, err := m.Query(ctx, "pottery", contextforge.QueryOptions{Ranking: &r})
		return err
	}
	for _, name := range shares {
		for value, ok := range map[float64]bool{0: true, 1: true, 0.5: true, -0.01: false, 1.01: false, math.Inf(1): false, math.Inf(-1): false} {
			if err := try(func(r reflect.Value) { r.FieldByName(name).SetFloat(value) }); (err == nil) != ok || err != nil && (!errors.Is(err, contextforge.ErrInvalidConfig) || !strings.Contains(err.Error(), name)) {
				t.Errorf("%s of %v: %v", name, value, err)
			}
		}
		if err := try(func(r reflect.Value) { r.FieldByName(name).SetFloat(math.NaN()) }); !errors.Is(err, contextforge.ErrInvalidConfig) {
			t.Errorf("%s of NaN: %v", name, err)
		}
	}
	for n, ok := range map[int64]bool{-1: false, 0: true, 16: true, 17: false} {
		if err := try(func(r reflect.Value) { r.FieldByName("Neighbours").SetInt(n) }); (err == nil) != ok {
			t.Errorf("%d neighbours: %v", n, err)
		}
	}
}

// Any part of the look around can be used alone, and all at their ends.
func TestEachPartOfTheLookAround(t *testing.T) {
	m := gathering(t, newBag())
	for i := range 1 << 7 {
		r := contextforge.RankingDefault()
		v := reflect.ValueOf(&r).Elem()
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		for _, name := range shares {
			v.FieldByName(name).SetFloat([]float64{0, 0, 1, 0.3}[rng.IntN(4)])
		}
		r.Neighbours = []int{0, 0, 1, 16}[rng.IntN(4)]
		for _, question := range []string{"lamp stone", "what is the latest lamp now?"} {
			for j, h := range query(t, m, question, contextforge.QueryOptions{Ranking: &r}) {
				if !(h.Score >= 0 && h.Score < 3) || j == 0 && h.Score == 0 && r.QuestionLoss < 1 {
					t.Fatalf("%+v: %v", r, h.Score)
				}
			}
		}
	}
}

func TestRankingAndExplanationAsJSON(t *testing.T) {
	var r contextforge.Ranking
	var x contextforge.Explanation
	for _, v := range []reflect.Value{reflect.ValueOf(&r).Elem(), reflect.ValueOf(&x).Elem()} {
		for i := range v.NumField() { // all different, none a default
			switch f := v.Field(i); f.Kind() {
			case reflect.Float64:
				f.SetFloat(0.125 + float64(i)/64)
			case reflect.Int, reflect.Int64:
				f.SetInt(int64(i + 7))
			case reflect.String:
				f.SetString(contextforge.FusionConvex)
			}
		}
	}
	text, err := json.Marshal([]any{r, x})
	fine(t, err)
	var parts []json.RawMessage
	fine(t, json.Unmarshal(text, &parts))
	var backR contextforge.Ranking
	var backX contextforge.Explanation
	fine(t, json.Unmarshal(parts[0], &backR))
	fine(t, json.Unmarshal(parts[1], &backX))
	if r.KindHalfLife, r.KindFloors = backR.KindHalfLife, backR.KindFloors; fmt.Sprint(backR) != fmt.Sprint(r) || fmt.Sprint(backX) != fmt.Sprint(x) {
		t.Errorf("%+v came back as %+v\n%+v as %+v", r, backR, x, backX)
	}
	for _, name := range []string{"neighbours", "neighbour_terms", "answer_terms", "neighbour_meaning", "substance", "question_loss", "time_gain", "speaker_gain", "reply_gain", "session_share", "session_b"} {
		if !strings.Contains(string(parts[0]), `"`+name+`":`) {
			t.Errorf("%s is missing in %s", name, parts[0])
		}
	}
	for _, name := range []string{"words", "meaning", "prior"} {
		if !strings.Contains(string(parts[1]), `"`+name+`":`) {
			t.Errorf("%s is missing in %s", name, parts[1])
		}
	}
}
