// What newer passages replace: rows 177, 178 and 180, weakness W44.

package analysis

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// classifyAll classifies texts of which each is an hour younger than the one
// before.
func classifyAll(texts ...string) []Classified {
	var passages []Passage
	for i, text := range texts {
		passages = append(passages, Passage{Text: text, Timestamp: at(float64(i))})
	}
	return Classify(passages, ClassifyConfig{})
}

func superseded(list []Classified) (out []string) {
	for _, c := range list {
		out = append(out, fmt.Sprint(c.Superseded))
	}
	return out
}

func TestSuperseded(t *testing.T) {
	tests := []struct {
		name  string
		texts []string
		want  []string
	}{
		{"row 177: newer statement", []string{"The port is set to 80", "Our port changed to 81"}, []string{"[stateful]", "[]"}},
		{"row 177: other entity", []string{"The port is set to 80", "The host is set to a"}, []string{"[]", "[]"}},
		{"three", []string{"port = 1", "the PORT = 2", "Port is now 3"}, []string{"[stateful]", "[stateful]", "[]"}},
		{
			"row 180: swapped pair",
			[]string{"we prefer Redis over Kafka because", "we prefer kafka to KAFKA and Kafka over REDIS because"},
			[]string{"[decisive]", "[]"},
		},
		{"other pair", []string{"we prefer Redis over Kafka because", "we prefer Redis over NATS because"}, []string{"[]", "[]"}},
		{"no pair", []string{"this is better because", "that is better because"}, []string{"[]", "[]"}},
		{
			"W44: each category by itself",
			[]string{"the port is now 80; we prefer Redis over Kafka because", "the port is now 81", "we prefer Kafka over Redis because"},
			[]string{"[stateful decisive]", "[]", "[]"},
		},
		{
			"W44: the order of the categories",
			[]string{"the port is now 80; we prefer Redis over Kafka because", "we prefer Kafka over Redis because", "the port is now 81"},
			[]string{"[stateful decisive]", "[]", "[]"},
		},
		{
			"W44: one category stands",
			[]string{"the port is now 80; we prefer Redis over Kafka because", "the port is now 81"},
			[]string{"[stateful]", "[]"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := superseded(classifyAll(tt.texts...)); !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestSupersededTies(t *testing.T) {
	t.Run("row 178: equal timestamps", func(t *testing.T) {
		got := Classify([]Passage{{Text: "port = 1"}, {Text: "port = 2"}, {Text: "port = 3"}}, ClassifyConfig{})
		if want := []string{"[stateful]", "[stateful]", "[]"}; !slices.Equal(superseded(got), want) {
			t.Errorf("%v", superseded(got))
		}
	})
	t.Run("newest first", func(t *testing.T) {
		got := Classify([]Passage{{Text: "port = 1", Timestamp: at(2)}, {Text: "port = 2", Timestamp: at(1)}}, ClassifyConfig{})
		if want := []string{"[]", "[stateful]"}; !slices.Equal(superseded(got), want) {
			t.Errorf("%v", superseded(got))
		}
	})
}

// Random statements against the definition: nothing newer, nor as new and later
// in order, about the same.
func TestSupersededModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 44))
	for range 200 {
		list := make([]Classified, rng.IntN(20))
		for i := range list {
			c := &list[i]
			c.Timestamp = at(float64(rng.IntN(4)))
			if rng.IntN(3) > 0 {
				c.Categories, c.Entity = append(c.Categories, Stateful), []string{"a", "A ", "b"}[rng.IntN(3)]
			}
			if rng.IntN(3) > 0 {
				c.Categories, c.Pair = append(c.Categories, Decisive), [][2]string{{"x", "y"}, {"Y", "x"}, {"x", "z"}, {}}[rng.IntN(4)]
			}
		}
		want := make([][]Category, len(list))
		for i := range list {
			for _, category := range list[i].Categories {
				if replacedBySomething(list, i, category) {
					want[i] = append(want[i], category)
				}
			}
		}
		supersede(list)
		for i := range list {
			if !reflect.DeepEqual(list[i].Superseded, want[i]) {
				t.Fatalf("%d of %+v: want %v", i, list, want[i])
			}
		}
	}
}

func replacedBySomething(list []Classified, i int, category Category) bool {
	about := func(c *Classified) string {
		if !slices.Contains(c.Categories, category) {
			return ""
		}
		if category == Stateful {
			return strings.ToLower(strings.TrimSpace(c.Entity))
		}
		names := []string{strings.ToLower(c.Pair[0]), strings.ToLower(c.Pair[1])}
		slices.Sort(names)
		return strings.Trim(strings.Join(names, "|"), "|")
	}
	for j := range list {
		newer := list[j].Timestamp.Compare(list[i].Timestamp)
		if about(&list[i]) != "" && about(&list[j]) == about(&list[i]) && (newer > 0 || newer == 0 && j > i) {
			return true
		}
	}
	return false
}
