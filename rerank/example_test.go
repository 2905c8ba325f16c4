package rerank_test

// Examples of the steps.

import (
	"fmt"

	"github.com/contextforge-go/contextforge/rerank"
)

// turns are three of a conversation, in their order, and a note.
//
//	Where did you go on holiday?
//	To Lisbon, in May.
//	Lovely!
func turns() []rerank.Entry {
	return []rerank.Entry{
		{Session: 0, Place: 1, Length: 6, Tokens: 7, Cosine: 0.6, Alike: true, Marks: rerank.Question | rerank.Asks},
		{Session: 0, Place: 2, Length: 4, Tokens: 6, Cosine: 0.4, Alike: true, Marks: rerank.Times},
		{Session: 0, Place: 3, Length: 1, Tokens: 2, Cosine: 0.1, Alike: true},
		{Session: -1, Length: 9, Tokens: 12, Cosine: 0.2, Alike: true},
	}
}

func ExampleNewList() {
	l := rerank.NewList(turns())
	fmt.Println(l.Len())
	// Output: 4
}

func ExampleList_Len() {
	fmt.Println(rerank.NewList(turns()[1:]).Len())
	// Output: 3
}

// The answer inherits the holiday of the question; the turn behind it gets the rest.
func ExampleList_Lexical() {
	holiday := rerank.Terms{
		Weights:    []float64{2},
		Saturation: func(tf, _ uint32, _ bool) float64 { return float64(tf) / float64(tf+1) },
		TF:         []uint32{1, 0, 0, 1},
	}
	fmt.Println(rerank.NewList(turns()).Lexical(holiday, rerank.Lending{Reach: 3, Falling: 0.5, Answer: 0.8}))
	// Output: [1 0.8 0.25 1]
}

func ExampleList_Meaning() {
	means, _ := rerank.NewList(turns()).Meaning(0.5)
	fmt.Printf("%.3f\n", means)
	// Output: [0.550 0.375 0.175 0.200]
}

// When is asked for: the answer tells a time, the question doesn't, nor says it
// anything.
func ExampleList_Prior() {
	f := rerank.Form{Questions: 0.05, Times: 0.1, AsksTime: true}
	fmt.Printf("%.2f\n", rerank.NewList(turns()).Prior(f))
	// Output: [0.95 1.10 1.00 1.00]
}

func ExampleList_Session() {
	fmt.Printf("%.2f\n", rerank.NewList(turns()).Session([]float64{0.8, 0.6, 0.2, 0.5}, 0.25))
	// Output: [0.80 0.64 0.32 0.50]
}

// Three answer about as well, and tell the state at different times: the newest of
// them becomes the best. What answers worse isn't better for being new.
func ExampleList_Newest() {
	var entries []rerank.Entry
	for _, sec := range []int64{10, 30, 20, 40, 50, 60} {
		entries = append(entries, rerank.Entry{Session: -1, Sec: sec})
	}
	l := rerank.NewList(entries)
	fmt.Printf("%.2f\n", l.Newest([]float64{1, 0.9, 0.9, 0.3, 0.3, 0.3}, 0.2, 0.2))
	// Output: [0.96 1.00 0.93 0.29 0.29 0.29]
}
