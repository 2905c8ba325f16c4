// This file decides what the built-in English lexicon is: english.toml.

package lexicon

import (
	_ "embed"
	"sync"
)

//go:embed english.toml
var englishText string

// english compiles the lexicon once. The text is part of the program, so an error
// is one of ours; a test sees to it that there is none.
var english = sync.OnceValue(func() *ConfigScorer {
	s, _ := Parse("english", englishText)
	return s
})

// English returns the built-in English lexicon: general phrases that mark a
// statement as important, confirmed, decided or retracted. It has no terms. It is
// compiled on first use and shared.
func English() *ConfigScorer { return english() }
