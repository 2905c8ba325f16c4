// The stages before classification, one by one.

package analysis_test

import (
	"fmt"
	"strings"

	"github.com/contextforge-go/contextforge/analysis"
)

func ExamplePrefilter() {
	text := "Human: the deploy script is scripts/deploy.sh now\n```sh\nset -e\n```\n$ ls\nAnd it asks first."
	fmt.Println(analysis.Prefilter(text, analysis.PrefilterConfig{}))
	// Output:
	// the deploy script is now
	//
	// And it asks first.
}

func ExampleTokenizer_Tokens() {
	t := analysis.NewTokenizer(analysis.TokenConfig{ExtraStopWords: []string{"prod"}})
	fmt.Printf("%q\n", t.Tokens("We’ll fix-it in the café’s prod API: 会議室"))
	// Output:
	// ["fixit" "cafés" "api" "会議" "議室"]
}

func ExampleTokenizer_IsStopWord() {
	t := analysis.NewTokenizer(analysis.TokenConfig{})
	fmt.Println(t.IsStopWord("Don't"), t.IsStopWord("she'll"), t.IsStopWord("shell"))
	// Output:
	// true true false
}

func ExampleNewTokenizer() {
	t := analysis.NewTokenizer(analysis.TokenConfig{CustomOnly: true, ExtraStopWords: []string{"der", "die", "das"}})
	fmt.Println(t.Tokens("Der Server und die Datenbank"))
	// Output:
	// [server und datenbank]
}

func ExampleNGrams() {
	fmt.Printf("%q\n", analysis.NGrams([]string{"blue", "green", "deploy"}, 2))
	fmt.Printf("%q\n", analysis.NGrams([]string{"会議", "議室", "予約"}, 2))
	// Output:
	// ["blue green" "green deploy"]
	// ["会議室" "議室 予約"]
}

func ExampleCounts() {
	fmt.Println(analysis.Counts([]string{"port", "api", "port"}))
	// Output:
	// map[api:1 port:2]
}

func ExampleCountsWithNGrams() {
	fmt.Println(analysis.CountsWithNGrams([]string{"api", "port", "api"}))
	// Output:
	// map[api:2 api port:1 api port api:1 port:1 port api:1]
}

func ExampleSessionCounts() {
	s := analysis.Session{Entries: []analysis.Entry{{Content: "User: the API port"}, {Content: "$ ls\nis 81"}}}
	fmt.Println(analysis.SessionCounts(s, nil, analysis.PrefilterConfig{}))
	// Output:
	// map[81:1 api:1 api port:1 api port 81:1 port:1 port 81:1]
}

func ExampleRecurring() {
	var counts []map[string]int
	for _, text := range []string{"the API port is 80", "which API port?", "a holiday", "API keys", "another holiday"} {
		s := analysis.Session{Entries: []analysis.Entry{{Content: text}}}
		counts = append(counts, analysis.SessionCounts(s, nil, analysis.PrefilterConfig{}))
	}
	for _, term := range analysis.Recurring(counts, analysis.RecurrenceConfig{}) {
		fmt.Println(term.SessionFrequency, term.Recurrence, term.Text)
	}
	// Output:
	// 2 0.4 api port
	// 2 0.4 holiday
}

func ExampleDefaultPathPrefixes() {
	own := append(analysis.DefaultPathPrefixes(), "internal/")
	fmt.Println(analysis.Prefilter("see internal/x.go and src/y.go for it", analysis.PrefilterConfig{PathPrefixes: own}))
	// Output:
	// see and for it
}

func ExampleSentences() {
	fmt.Println(strings.Join(analysis.Sentences("Fix the config. Use v1.2, e.g. Go's. 更新した。次は？"), "\n"))
	// Output:
	// Fix the config.
	// Use v1.2, e.g. Go's.
	// 更新した。
	// 次は？
}

func ExampleExtract() {
	sources := []analysis.Source{
		{EntryID: "1", Content: "Hello. We deploy to the cluster on Mondays. Fine. Bye then. See you."},
		{EntryID: "2", Content: "Redeployments take long."},
	}
	for _, p := range analysis.Extract(sources, []string{"deploy cluster", "deploy"}, analysis.ExtractConfig{}) {
		fmt.Printf("%s %q %q\n", p.EntryID, p.Terms, p.Text)
	}
	// Output:
	// 1 ["deploy" "deploy cluster"] "Hello.\nWe deploy to the cluster on Mondays.\nFine."
	// 2 ["deploy"] "Redeployments take long."
}
