// Examples of the package in use.

package wordpiece_test

import (
	"fmt"

	"github.com/contextforge-go/contextforge/minilm/wordpiece"
)

// vocab is a vocabulary in miniature.
var vocab = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cafe", "open", "##s", "##ed", "!", "\u5317"}

var special = wordpiece.Special{Pad: 0, Unknown: 1, Begin: 2, End: 3, Mask: 4}

func ExampleNew() {
	tok, err := wordpiece.New(vocab, special, wordpiece.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tok.Encode("The Caf\u00E9 opened!", 256))
	fmt.Println(tok.Encode("The Caf\u00E9 opened!", 4))
	fmt.Println(tok.Encode("[MASK] closed", 256))
	// Output:
	// [2 5 6 7 9 10 3]
	// [2 5 6 3]
	// [2 4 1 3]
}

func ExampleNewPhantom() {
	tokens := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "\u2581open", "ed"}
	types := []int32{3, 3, 3, 3, 1, 1}
	special := wordpiece.Special{Pad: 0, Unknown: 1, Begin: 2, End: 3, Mask: wordpiece.None}
	tok, err := wordpiece.NewPhantom(tokens, types, special, wordpiece.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tok.Encode("opened", 256))
	// Output:
	// [2 4 5 3]
}

// The words say which part of the text the ids came from.
func ExampleTokenizer_AppendWords() {
	tok, err := wordpiece.New(vocab, special, wordpiece.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "Opens the caf\u00E9\u5317!"
	ids, words := tok.AppendWords(nil, nil, text)
	for i, w := range words {
		end := len(ids)
		if i+1 < len(words) {
			end = words[i+1].First
		}
		fmt.Println(text[w.Start:w.End], ids[w.First:end])
	}
	// Output:
	// Opens [7 8]
	// the [5]
	// café [6]
	// 北 [11]
	// ! [10]
}
