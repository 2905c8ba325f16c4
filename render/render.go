// What a block is made of: hits, options, and the choice of the style.

package render

import "time"

// Hit is one retrieved memory.
type Hit struct {
	ID, Content, Kind, Scope, SessionID string
	Timestamp                           time.Time // zero: unknown
	Score                               float64   // for the caller's use; a block doesn't show it
	Suspicious                          []string  // names of what seems wrong with the content, for the reader's attention
}

// Style is the notation of a block.
type Style uint8

// The styles. A value that isn't among them counts as Markdown.
const (
	Markdown Style = iota // a fenced block
	JSON                  // an object with a list of entries
	XML                   // an element whose name holds a hash of its contents
)

// Invisible says what becomes of characters that nobody sees.
type Invisible uint8

const (
	// Show writes invisible characters as \u{200b}.
	Show Invisible = iota
	// Drop leaves them out, and writes a line feed for the separators of lines: CR LF, CR, VT,
	// FF, NEL, U+2028, U+2029. Bytes that aren't UTF-8 are shown all the same.
	Drop
)

// Links says what becomes of Markdown and HTML that leads elsewhere.
type Links uint8

const (
	// Neutralise breaks images and links with an address, and HTML elements that
	// load or run something, so that a copy of them in a model's answer is text
	// too. Addresses themselves stay readable, and bare ones are left.
	Neutralise Links = iota
	// Keep leaves them.
	Keep
)

// Fields is a set of the values that label an entry.
type Fields uint8

// The fields of an entry's label.
const (
	FieldTime Fields = 1 << iota
	FieldKind
	FieldScope
	FieldSession
	FieldID
	FieldSuspicious
)

// Options says how to render. The zero value is the safe default: Markdown,
// invisible characters shown, links neutralised, every field in the label.
type Options struct {
	Style     Style
	Invisible Invisible
	Links     Links
	Omit      Fields // fields that the label leaves out
}

// Block renders hits, in their order, as one block that ends with a line feed.
// It is empty when there are no hits. Times are shown in UTC by the second, as in RFC
// 3339; a field without a value isn't shown, nor is a time outside of years 1 to 9999.
func Block(hits []Hit, o Options) string {
	if len(hits) == 0 {
		return ""
	}
	pieces := make([]piece, len(hits))
	for i := range hits {
		pieces[i] = newPiece(&hits[i], o)
	}
	return styleOf(o).assemble(pieces)
}

// style writes entries and puts them into a frame.
type style interface {
	// entry writes one entry, without its number.
	entry(dst []byte, label []field, content string) []byte
	// assemble puts entries into the frame.
	assemble([]piece) string
	// size is the length of what assemble returns.
	size(total) int
	// varying counts the bytes of the frame that each change of an entry changes.
	varying() int
}

func styleOf(o Options) style {
	switch o.Style {
	case JSON:
		return jsonStyle{}
	case XML:
		return xmlStyle{}
	default:
		return markdownStyle{}
	}
}

// piece is one rendered entry.
type piece struct {
	text          string
	ticks, tildes int // longest runs
}

func newPiece(h *Hit, o Options) piece {
	label := labelOf(h, o)
	content := escapeContent(h.Content, o)
	text := string(styleOf(o).entry(nil, label, content))
	return piece{text: text, ticks: longestRun(text, '`'), tildes: longestRun(text, '~')}
}

// total sums up what the size of a block depends on.
type total struct{ entries, bytes, ticks, tildes int }

func (t total) plus(p piece) total {
	return total{t.entries + 1, t.bytes + len(p.text), max(t.ticks, p.ticks), max(t.tildes, p.tildes)}
}

func sum(pieces []piece) (t total) {
	for _, p := range pieces {
		t = t.plus(p)
	}
	return t
}

// longestRun returns the length of the longest run of c.
func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
