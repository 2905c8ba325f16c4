// The two ways to write a vocabulary, and what an entry of either means.

package wordpiece

import "strings"

// kind says where an entry can match. It is also a part of a table reference,
// where 0 means an empty slot.
type kind uint32

const (
	atStart   kind = 1 + iota // begins a word
	inside                    // continues a word
	asLiteral                 // stands in the raw text

	kindBits = 2
)

// continued begins an entry that continues a word, in BERT's own notation.
const continued = "##"

// phantomSpace begins an entry that begins a word, in GGUF's notation.
const phantomSpace = "\u2581"

// notation decodes the entry of an id: where it matches and its text.
type notation func(id int, entry string) (kind, string)

// plainNotation is that of vocab.txt: "foo" begins a word, "##foo" continues one.
func plainNotation(_ int, entry string) (kind, string) {
	if rest, ok := strings.CutPrefix(entry, continued); ok {
		return inside, rest
	}
	return atStart, entry
}

// phantomNotation is that of GGUF files: "▁foo" begins a word, "foo" continues
// one, and control entries are in plain notation.
func phantomNotation(types []int32) notation {
	return func(id int, entry string) (kind, string) {
		if types[id] == TypeControl {
			return plainNotation(id, entry)
		}
		if rest, ok := strings.CutPrefix(entry, phantomSpace); ok {
			return atStart, rest
		}
		return inside, entry
	}
}
