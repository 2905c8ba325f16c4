package tomledit_test

// This file shows edits.

import (
	"fmt"

	"github.com/contextforge-go/contextforge/internal/tomledit"
)

const text = `# Written by hand.
[terms]
pager = 0.5   # wakes people

[negations]
patterns = [
  "no way", # firm
  'nope',
]
`

func open(text string) *tomledit.Document {
	d, err := tomledit.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return d
}

func ExampleParse() {
	_, err := tomledit.Parse([]byte("[terms]\npager = \n"))
	fmt.Println(err)
	// Output: line 2, column 9: expected value but found '\n' instead
}

func ExampleDocument_Line() {
	d := open(text)
	fmt.Println(d.Line("terms", "pager"), d.ElementLine("negations", "patterns", 1), d.Line("terms", "rota"))
	// Output: 3 8 0
}

func ExampleDocument_Set() {
	d := open("[terms]\npager = 0.5   # wakes people\n")
	fmt.Println(d.Set("terms", "pager", 0.9, ""))
	fmt.Println(d.Set("terms", "on call", 0.25, "said often"))
	fmt.Print(string(d.Bytes()))
	// Output:
	// true <nil>
	// true <nil>
	// [terms]
	// pager = 0.9   # wakes people
	// "on call" = 0.25 # said often
}

func ExampleDocument_Append() {
	d := open("patterns = {}\n[negations]\npatterns = ['nope'] # ours\n")
	fmt.Println(d.Append("negations", "patterns", "no way", "firm"))
	fmt.Print(string(d.Bytes()))
	// Output:
	// <nil>
	// patterns = {}
	// [negations]
	// patterns = [
	//     'nope',
	//     "no way", # firm
	// ] # ours
}

func ExampleDocument_Remove() {
	d := open(text)
	fmt.Println(d.Remove("terms", "pager"))
	fmt.Println(d.RemoveElements("negations", "patterns", func(s string) bool { return s == "no way" }))
	fmt.Print(string(d.Bytes()))
	// Output:
	// true <nil>
	// 1 <nil>
	// # Written by hand.
	// [terms]
	//
	// [negations]
	// patterns = [
	//   'nope',
	// ]
}
