// This file shows the editing of a lexicon file, and the way to a first one.

package lexicon_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/contextforge-go/contextforge/lexicon"
)

// temporary returns the path of a lexicon file in a new folder, with a text if
// there is one, and a function that removes the folder.
func temporary(text string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "lexicon-")
	if err != nil {
		panic(err)
	}
	path = filepath.Join(dir, "lexicon.toml")
	if text != "" {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	return path, func() { os.RemoveAll(dir) }
}

func show(path string) {
	text, err := os.ReadFile(path)
	fmt.Print(string(text))
	if err != nil {
		fmt.Println(err)
	}
}

func ExampleNewAppender() {
	path, remove := temporary("[[terms]]\npager = 0.9\n")
	defer remove()
	_, err := lexicon.NewAppender(path).AppendTerm(context.Background(), "rota", 0.5, "")
	fmt.Println(errors.Is(err, lexicon.ErrForm))
	show(path)
	// Output:
	// true
	// [[terms]]
	// pager = 0.9
}

func ExampleAppender_Append() {
	path, remove := temporary("# The night shift's own words.\n[terms]\npager = 0.9\n")
	defer remove()
	changed, err := lexicon.NewAppender(path).Append(context.Background(),
		lexicon.Proposal{Sort: lexicon.Term, Pattern: "rollback", Weight: 0.7, Rationale: "releases taken back", SourceIDs: []string{"e12", "e40"}},
		lexicon.Proposal{Sort: lexicon.Affirmation, Pattern: "ship it"},
	)
	fmt.Println(changed, err)
	show(path)
	// Output:
	// true <nil>
	// # The night shift's own words.
	// [terms]
	// pager = 0.9
	// rollback = 0.7 # releases taken back (from e12, e40)
	//
	// [affirmations]
	// patterns = [
	//     "ship it",
	// ]
}

func ExampleAppender_AppendTerm() {
	path, remove := temporary("[terms]\npager = 0.9 # wakes people\n")
	defer remove()
	a := lexicon.NewAppender(path)
	fmt.Println(a.AppendTerm(context.Background(), "Pager", 0.6, ""))
	_, err := a.AppendTerm(context.Background(), "rota", 3, "")
	fmt.Println(err)
	show(path)
	// Output:
	// true <nil>
	// lexicon: invalid proposal: the weight of term "rota" is 3; it must lie in (0, 1.5]
	// [terms]
	// pager = 0.6 # wakes people
}

func ExampleAppender_AppendAffirmation() {
	path, remove := temporary("")
	defer remove()
	a := lexicon.NewAppender(path)
	fmt.Println(a.AppendAffirmation(context.Background(), "That's the plan"))
	fmt.Println(a.AppendAffirmation(context.Background(), "that’s the plan"))
	show(path)
	// Output:
	// true <nil>
	// false <nil>
	// [affirmations]
	// patterns = [
	//     "That's the plan",
	// ]
}

func ExampleAppender_AppendNegation() {
	path, remove := temporary("[negations]\npatterns = [\"nope\"]\n")
	defer remove()
	fmt.Println(lexicon.NewAppender(path).AppendNegation(context.Background(), "no dice"))
	show(path)
	// Output:
	// true <nil>
	// [negations]
	// patterns = ["nope", "no dice"]
}

func ExampleAppender_RemoveTerm() {
	path, remove := temporary("[terms] # ours\nPager = 0.9 # wakes people\nrota = 0.5\n")
	defer remove()
	fmt.Println(lexicon.NewAppender(path).RemoveTerm(context.Background(), "pager"))
	show(path)
	// Output:
	// true <nil>
	// [terms] # ours
	// rota = 0.5
}

func ExampleAppender_RemoveAffirmation() {
	path, remove := temporary("[affirmations]\npatterns = ['ship it', 'agreed']\n")
	defer remove()
	fmt.Println(lexicon.NewAppender(path).RemoveAffirmation(context.Background(), "SHIP IT"))
	show(path)
	// Output:
	// true <nil>
	// [affirmations]
	// patterns = ['agreed']
}

func ExampleAppender_RemoveNegation() {
	path, remove := temporary("")
	defer remove()
	fmt.Println(lexicon.NewAppender(path).RemoveNegation(context.Background(), "nope"))
	_, err := os.Stat(path)
	fmt.Println(errors.Is(err, os.ErrNotExist))
	// Output:
	// false <nil>
	// true
}

func ExampleProposal_Validate() {
	fmt.Println(lexicon.Proposal{Sort: lexicon.Term, Pattern: "pager", Weight: 0.9}.Validate())
	fmt.Println(lexicon.Proposal{Sort: lexicon.Negation, Pattern: "…"}.Validate())
	// Output:
	// <nil>
	// lexicon: invalid proposal: negation "…" has no letter, digit or symbol
}

func ExampleBootstrapPrompt() {
	prompt := lexicon.BootstrapPrompt("Plans the night shifts of a hospital.")
	for line := range strings.SplitSeq(prompt, "\n") {
		if strings.Contains(line, "hospital") || strings.Contains(line, "(0.0,") {
			fmt.Println(line)
		}
	}
	// Output:
	// Plans the night shifts of a hospital.
	// A weight must lie in the interval (0.0, 1.5]. A file with any other is rejected as a
	// #   Plans the night shifts of a hospital.
}

func ExampleParseBootstrap() {
	answer := "Sure!\n```toml\n[terms]\n\"night shift\" = 0.8 # what it is all about\n```\nAnything else?"
	text, scorer, err := lexicon.ParseBootstrap(answer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text)
	fmt.Println(scorer.Score(lexicon.Item{Content: "Who takes the night shift?"}, ""))
	// Output:
	// [terms]
	// "night shift" = 0.8 # what it is all about
	// 0.8
}
