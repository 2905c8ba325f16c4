// What a signal is, and the two verbs.

package injection

import (
	"cmp"
	"slices"
)

// Reason says what a signal is a sign of.
type Reason string

// The reasons.
const (
	OverridePhrase  Reason = "override-phrase"   // asks to set instructions aside, to change the role, to keep something from the user
	PromptLeak      Reason = "prompt-leak"       // asks for the prompt
	RoleMarker      Reason = "role-marker"       // speaks in a role of its own: "system:", a tag of a chat template
	ToolCall        Reason = "tool-call"         // has the syntax of a tool call
	DelimiterBreak  Reason = "delimiter-break"   // closes what it didn't open
	HiddenUnicode   Reason = "hidden-unicode"    // invisible characters in places where text has none
	Lookalikes      Reason = "lookalike-letters" // a word of Latin and Cyrillic letters
	TerminalControl Reason = "terminal-control"  // control characters
	EncodedPayload  Reason = "encoded-payload"   // base64, hexadecimal or ROT13 that holds one of the above
	Exfiltration    Reason = "exfiltration-link" // an image or a link that could carry data away
	ActiveMarkup    Reason = "active-markup"     // HTML that runs
	Comment         Reason = "html-comment"      // text that a renderer doesn't show
)

// Signal is one place that looks like an injection.
type Signal struct {
	Reason     Reason
	Start, End int    // byte span in the text
	Detail     string // what was found, in a few words; never a part of the text
}

// Detect returns the signals of a text by ascending position, nil when there is none. Of signals with one reason
// that begin at one place, the longest stands for all.
func Detect(text string) []Signal {
	s := scanner{text: text, lex: compiled()}
	s.run()
	return tidy(s.out)
}

// Suspicious reports whether [Detect] would return a signal. It stops at the first.
func Suspicious(text string) bool {
	s := scanner{text: text, lex: compiled(), first: true}
	s.run()
	return len(s.out) > 0
}

// tidy sorts signals and joins those that say the same.
func tidy(signals []Signal) []Signal {
	slices.SortFunc(signals, func(a, b Signal) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Reason, b.Reason), cmp.Compare(b.End, a.End), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.CompactFunc(signals, func(a, b Signal) bool { return a.Start == b.Start && a.Reason == b.Reason })
}
