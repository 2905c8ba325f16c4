package main

// This file decides how the command says why a text counts as important.

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/budget"
	"github.com/contextforge-go/contextforge/lexicon"
)

func (a *app) lexiconExplainCommand() *cobra.Command {
	var files []string
	var noEnglish, asJSON bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "explain [TEXT|-]",
		Short: "Say which words of a text make it important, and how much",
		Long: `Say which terms and patterns are in a text, where, and what each adds; their sum;
and the factor that the default ranking multiplies the entry's score by, which the
same sum moves less in a text of more than 30 tokens. The built-in
English lexicon counts beside the files unless --no-english is given, as it does in a
store. Of files with the same term, the last one counts.`,
		Args: operands("TEXT", 0, -1),
	}, &asJSON)
	cmd.Flags().StringArrayVar(&files, "lexicon", nil, "a lexicon `file`; give it again for several")
	cmd.Flags().BoolVar(&noEnglish, "no-english", false, "leave the built-in English lexicon out")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if noEnglish && len(files) == 0 {
			return usagef("--no-english without --lexicon leaves nothing to explain")
		}
		return runs(func(ctx context.Context, args []string) error {
			scorer, err := loadLexicons(files, noEnglish)
			if err != nil {
				return err
			}
			text, err := a.text(ctx, args)
			if err != nil {
				return err
			}
			e := explainText(scorer, text)
			if asJSON {
				return a.printJSON(e)
			}
			return a.printExplanation(text, e)
		})(cmd, args)
	}
	return cmd
}

// loadLexicons returns the sum of files and of the English lexicon.
func loadLexicons(files []string, noEnglish bool) (lexicon.Explainer, error) {
	loaded, err := lexicon.Load(files...)
	if err != nil {
		return nil, lexiconError(err)
	}
	if noEnglish {
		return loaded, nil
	}
	return lexicon.Composite(lexicon.English(), loaded).(lexicon.Explainer), nil
}

// lexiconExplanation is why a text is important.
type lexiconExplanation struct {
	Matches []lexicon.Match `json:"matches"`
	Sum     float64         `json:"sum"`
	Factor  float64         `json:"factor"` // of the default ranking
}

func explainText(scorer lexicon.Explainer, text string) lexiconExplanation {
	item := lexicon.Item{Content: text}
	e := lexiconExplanation{Matches: scorer.Explain(item, ""), Sum: scorer.Score(item, "")}
	if e.Matches == nil {
		e.Matches = []lexicon.Match{}
	}
	ranking := contextforge.RankingDefault()
	e.Factor = ranking.Multiplier(e.Sum, budget.Estimate{}.Count(text))
	return e
}

func (a *app) printExplanation(text string, e lexiconExplanation) error {
	t := table{right: []bool{true, false, false, false, false}}
	for _, m := range e.Matches {
		t.rows = append(t.rows, []string{
			signed(m.Amount), string(m.Sort), visible(m.Pattern), visible(m.Lexicon),
			fmt.Sprintf("bytes %d to %d: %s", m.Start, m.End, visible(strings.TrimSpace(text[m.Start:m.End]))),
		})
	}
	t.title = count(len(e.Matches), "match", "matches")
	factor := strconv.FormatFloat(e.Factor, 'f', 4, 64)
	if err := a.printf("sum     %s\nfactor  %s in the default ranking\n", signed(e.Sum), factor); err != nil {
		return err
	}
	return a.printTable(t)
}

// signed returns an amount with its sign, without the digits that only binary
// fractions have.
func signed(x float64) string {
	text := strconv.FormatFloat(x, 'f', 4, 64)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if x > 0 {
		return "+" + text
	}
	return text
}
