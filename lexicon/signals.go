// This file decides what scorers make of what is known of an entry beside its
// content: what an analysis or the application left in its metadata, its kind,
// what was learnt of it.

package lexicon

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"strconv"
)

// Metadata returns a scorer that gives the number at a key of the top level of an
// entry's metadata, times weight. It gives 0 if there is no such key, if what
// stands there isn't a number, or if the product isn't finite.
func Metadata(key string, weight float64) Scorer {
	return signal{"metadata", func(item Item) (string, float64) {
		return key, float64(number(item.Metadata, key) * weight)
	}}
}

// Kinds returns a scorer that gives every entry the amount for its kind; 0 if
// there is none, or if it isn't finite. The map is copied.
func Kinds(amounts map[string]float64) Scorer {
	amounts = maps.Clone(amounts)
	return signal{"kinds", func(item Item) (string, float64) { return item.Kind, amounts[item.Kind] }}
}

// Prior returns a scorer that gives every entry the amount for its ID; 0 if there
// is none, or if it isn't finite. The map is copied.
func Prior(amounts map[string]float64) Scorer {
	amounts = maps.Clone(amounts)
	return signal{"prior", func(item Item) (string, float64) { return item.ID, amounts[item.ID] }}
}

// signal is a scorer that doesn't look at the content. of returns what an item
// gets, and what for.
type signal struct {
	name string
	of   func(Item) (string, float64)
}

// Score implements Scorer.
func (s signal) Score(item Item, _ string) float64 {
	_, amount := s.of(item)
	return finite(amount)
}

// Explain implements Explainer.
func (s signal) Explain(item Item, _ string) []Match {
	at, amount := s.of(item)
	if amount = finite(amount); amount == 0 {
		return nil
	}
	return []Match{{Lexicon: s.name, Sort: Signal, Pattern: at, Amount: amount}}
}

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// number returns the number at a key of a JSON object, 0 if there is none.
func number(object json.RawMessage, key string) float64 {
	if len(bytes.TrimSpace(object)) == 0 {
		return 0
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil {
		return 0
	}
	// A string, an object, true and the like begin with signs that ParseFloat
	// refuses, and JSON has no NaN.
	x, err := strconv.ParseFloat(string(fields[key]), 64)
	if err != nil {
		return 0
	}
	return x
}
