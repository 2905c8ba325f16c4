// How the pipeline and its second half are called.

package analysis_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge/analysis"
)

var day = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// sessions returns one session a day, of one entry each.
func sessions(texts ...string) []analysis.Session {
	var list []analysis.Session
	for i, text := range texts {
		entry := analysis.Entry{ID: fmt.Sprintf("e%d", i+1), Content: text, Timestamp: day.AddDate(0, 0, i)}
		list = append(list, analysis.Session{ID: fmt.Sprintf("s%d", i+1), Entries: []analysis.Entry{entry}})
	}
	return list
}

func ExampleAnalyze() {
	talks := sessions(
		"The deploy port is set to 80.",
		"The deploy port is now 8443.",
		"The login page is slow again.",
		"Never restart the login page by hand!",
		"What's for lunch?",
	)
	for segment, err := range analysis.Analyze(context.Background(), talks, analysis.Config{Budget: 100}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.3f %s %v %s\n", segment.Importance, segment.EntryID, segment.Categories, segment.Text)
	}
	// Output:
	// 0.543 e4 [corrective] Never restart the login page by hand!
	// 0.357 e2 [stateful] The deploy port is now 8443.
	// 0.164 e3 [] The login page is slow again.
}

func ExampleClassify() {
	passages := []analysis.Passage{
		{Text: "The deploy port is set to 80.", Timestamp: day},
		{Text: "We went with Redis over Kafka because it is simpler.", Timestamp: day},
		{Text: "Do not restart the worker.", Terms: []string{"worker"}, Timestamp: day},
		{Text: "Our deploy port changed to 81, finally.", Timestamp: day.AddDate(0, 0, 1)},
	}
	for _, p := range analysis.Classify(passages, analysis.ClassifyConfig{}) {
		fmt.Println(p.Categories, p.Entity, p.Value, strings.Join(p.Pair[:], " "), p.Superseded)
	}
	// Output:
	// [stateful] deploy port 80   [stateful]
	// [decisive]   Redis Kafka []
	// [corrective]     []
	// [stateful] deploy port 81   []
}

func ExampleDefaultLists() {
	lists := analysis.DefaultLists()
	lists.Negations = append(lists.Negations, "nicht", "kein")
	passages := []analysis.Passage{{Text: "Der Server antwortet nicht.", Terms: []string{"server"}}}
	fmt.Println(analysis.Classify(passages, analysis.ClassifyConfig{Lists: lists})[0].Categories)
	// Output: [corrective]
}

func ExampleScore() {
	passages := []analysis.Classified{
		{Passage: analysis.Passage{Text: "The port is 80", Terms: []string{"port"}, Timestamp: day}},
		{Passage: analysis.Passage{Text: "No port!", Terms: []string{"port"}, Timestamp: day.AddDate(0, 0, 7)}, Categories: []analysis.Category{analysis.Corrective}},
	}
	terms := []analysis.Term{{Text: "port", SessionFrequency: 2, Recurrence: 0.5}}
	for _, s := range analysis.Score(passages, terms, day.AddDate(0, 0, 7), analysis.ScoreConfig{}) {
		fmt.Println(s.Importance, "=", s.Recurrence, "·", s.CategoryWeight, "·", s.Recency)
	}
	// Output:
	// 0.75 = 0.5 · 1.5 · 1
	// 0.125 = 0.5 · 0.5 · 0.5
}

func ExamplePack() {
	segments := []analysis.Segment{{Text: "a", Tokens: 60}, {Text: "b", Tokens: 50}, {Text: "c", Tokens: 30}}
	for _, s := range analysis.Pack(segments, 100) {
		fmt.Println(s.Text)
	}
	// Output:
	// a
	// c
}

func ExampleScaleBudget() {
	for _, compactions := range []int{1, 2, 5} {
		fmt.Println(analysis.ScaleBudget(2048, compactions, analysis.ScaleConfig{Cap: 4000}))
	}
	// Output:
	// 2048
	// 2560
	// 4000
}

func ExampleAdjustWeights() {
	cfg := analysis.AdjustWeights(analysis.ScoreConfig{}, 2)
	fmt.Println(cfg.Reinforcing, cfg.Corrective, cfg.Stateful, cfg.Decisive)
	// Output: 1.5 1.3 1.2 1
}

func ExampleImportance() {
	segments := []analysis.Segment{{EntryID: "a", Importance: 0.2}, {EntryID: "b", Importance: 0.8}, {EntryID: "a", Importance: 0.4}}
	importance := analysis.Importance(slices.Values(segments))
	fmt.Println(importance["a"], importance["b"])
	// Output: 0.5 1
}

func ExampleSummary() {
	segments := []analysis.Segment{
		{SessionID: "1", Terms: []string{"port"}, Categories: []analysis.Category{analysis.Stateful}, Timestamp: day},
		{SessionID: "2", Terms: []string{"job", "port"}, Timestamp: day.Add(time.Minute)},
	}
	report := analysis.Summary(slices.Values(segments), analysis.SummaryConfig{})
	for _, term := range report.Terms {
		fmt.Println(term.Text, term.Sessions)
	}
	fmt.Println(len(report.Timeline), "points of", report.Interval)
	// Output:
	// port 2
	// job 1
	// 2 points of 1m0s
}
