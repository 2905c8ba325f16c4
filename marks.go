package contextforge

// This file decides what an entry is found by beside its text: the dates that it
// speaks of, and what kind of turn of a conversation it is.

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/speaker"
	"github.com/contextforge-go/contextforge/timex"
)

// marksVersion names the rules below; a change of them reindexes stores.
const marksVersion = "turns/1"

// The marks of a turn: index terms that no text has, as they begin with a control
// character.
const (
	markQuestion = "\x01?"  // its text ends with a question mark
	markAsks     = "\x01q"  // its text has a question mark
	markTimes    = "\x01t"  // its text has a time expression
	markSpeaker  = "\x01s:" // the name of who says it follows
)

// extraOf says what else a turn of a session is found by: its own date, the dates
// that "yesterday" and the like mean in it, and its marks. An entry without a session
// is found by its text alone.
func extraOf(rec *store.Record) store.Extra {
	if rec.SessionID == "" {
		return store.Extra{}
	}
	at := rec.Timestamp.UTC() // a record keeps the instant, not the zone
	dates := timex.Resolve([]string{timex.Own(at)}, rec.Content, at)
	extra := store.Extra{Text: strings.Join(dates, " ")}
	if strings.ContainsAny(rec.Content, questionMarks) {
		extra.Marks = append(extra.Marks, markAsks)
		if endsInQuestion(rec.Content) {
			extra.Marks = append(extra.Marks, markQuestion)
		}
	}
	if timex.Mentions(rec.Content) {
		extra.Marks = append(extra.Marks, markTimes)
	}
	for _, name := range namesOf(speakerOf(rec)) {
		extra.Marks = append(extra.Marks, markSpeaker+name)
	}
	return extra
}

// questionMarks are those of the scripts: Latin, full width, Arabic, Armenian,
// Ethiopic. The Greek one looks like a semicolon.
const questionMarks = "?？؟՞፧"

// endsInQuestion reports whether a text ends with a question mark, closing quotes
// and brackets aside.
func endsInQuestion(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Zs) || r == '"' || r == '\'' || r == '*' || r == '!'
	})
	r, _ := utf8.DecodeLastRuneInString(text)
	return r != utf8.RuneError && strings.ContainsRune(questionMarks, r)
}

// speakerFields are the metadata fields that say whose words an entry holds, the
// first that is there.
var speakerFields = [...]string{"speaker", "author", "from", "name"}

// speakerOf returns the name of who says a turn: by its metadata, or as its text
// begins with it; "" if neither tells.
func speakerOf(rec *store.Record) string {
	if len(rec.Metadata) > 0 {
		var fields map[string]any
		if json.Unmarshal(rec.Metadata, &fields) == nil {
			for _, field := range speakerFields {
				if name, ok := fields[field].(string); ok && name != "" {
					return name
				}
			}
		}
	}
	name, _, _ := speaker.Of(rec.Content)
	return name
}

// mostNames bounds the words of a name.
const mostNames = 4

// namesOf returns the words of a name, folded as those of a question are.
func namesOf(name string) []string {
	words := strings.FieldsFunc(norm.NFC.String(strings.ToLower(name)), notInName)
	return words[:min(len(words), mostNames)]
}

// mostNamesAsked bounds the words of a question that may be names.
const mostNamesAsked = 64

// namesIn returns the words of a question that may be names, once each.
func namesIn(text string) []string {
	var names []string
	for word := range strings.FieldsFuncSeq(norm.NFC.String(strings.ToLower(text)), notInName) {
		if len(names) < mostNamesAsked && !slices.Contains(names, word) {
			names = append(names, word)
		}
	}
	return names
}

func notInName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
