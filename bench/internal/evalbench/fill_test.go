package evalbench

// These tests decide what a report writes into a text.

import (
	"strings"
	"testing"
)

// filled is a report of two pipelines on two sets.
func filled() *Report {
	one := func(name string, v float64) *PipelineReport {
		return &PipelineReport{
			Name: name, Overall: Figures{"mrr": v}, Main: Figures{"mrr": v / 2}, Categories: map[string]Figures{"5": {"mrr": v / 4}},
			Differences: map[string]Difference{"mrr": {v, v - 1, v + 1}}, Times: Times{Query50: 1, Query99: 2, Save: 0.5},
		}
	}
	figures := []Description{{"mrr", "MRR"}}
	return &Report{Pipelines: []Description{{Name: "a"}, {Name: "b"}}, Sets: []*SetReport{
		{Name: "x", figures: figures, Pipelines: []*PipelineReport{one("a", 0.5), one("b", 1)}},
		{Name: "y", figures: figures, Pipelines: []*PipelineReport{one("a", 0.25), one("b", 0.75)}},
	}}
}

func TestFill(t *testing.T) {
	for _, tt := range []struct{ name, head, old, want string }{
		{"all pipelines", "run | x/overall/mrr x/main/mrr x/5/mrr x/7/mrr", "gone\n", "| pipeline | MRR | MRR | 5 MRR | 7 MRR |\n|---|---|---|---|---|\n| a | 0.5000 | 0.2500 | 0.1250 | – |\n| b | 1.0000 | 0.5000 | 0.2500 | – |\n"},
		{"two sets, one pipeline", "run | x/overall/mrr y/overall/mrr | b", "", "| pipeline | x MRR | y MRR |\n|---|---|---|\n| b | 1.0000 | 0.7500 |\n"},
		{"differences and times", "run | x/main/mrr-diff x/main/query_p50_ms x/main/query_p99_ms x/main/save_ms x/main/mrr x/main/ndcg10-diff | b", "", "| pipeline | Δ MRR | ms, median | ms, 99 % | ms a save | MRR | Δ ndcg10 |\n|---|---|---|---|---|---|---|\n| b | +1.0000 [+0.0000 +2.0000] | 1.00 | 2.00 | 0.500 | 0.5000 | – |\n"},
		{"another run", "other | x/overall/mrr", "stays\n", "stays\n"},
		{"several runs", "first+run+last | y/overall/mrr | a", "| run | pipeline | MRR |\n|---|---|---|\n| first | a | 1 |\n| run | a | 2 |\n| last | a | 3 |\n", "| run | pipeline | MRR |\n|---|---|---|\n| first | a | 1 |\n| run | a | 0.2500 |\n| last | a | 3 |\n"},
	} {
		text := "before\n" + fillBegin + tt.head + " -->\n" + tt.old + fillEnd + "\nafter\n"
		want := strings.Replace(text, tt.old+fillEnd, tt.want+fillEnd, 1)
		for range 2 { // the second time changes nothing
			got, err := filled().Fill(text, "run")
			if err != nil || got != want {
				t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, got, want)
			}
			text = got
		}
	}
}

func TestFillRefuses(t *testing.T) {
	for _, tt := range []struct{ head, want string }{
		{"run", "columns"},
		{"run | mrr", "set/group/figure"},
		{"run | z/main/mrr", "no such set"},
		{"run | x/main/mrr | c", `"c"`},
	} {
		if _, err := filled().Fill(fillBegin+tt.head+" -->\n"+fillEnd, "run"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.head, err)
		}
	}
	for _, text := range []string{fillBegin + "run | x/main/mrr -->\n", fillBegin + "run", fillBegin + "run | x/main/mrr -->\n" + fillBegin + "run | x/main/mrr -->\n" + fillEnd} {
		if _, err := filled().Fill(text, "run"); err == nil {
			t.Errorf("%q has an end", text)
		}
	}
}
