// Splitting a transcript into chunks that fit a model, where it hurts least.

package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// border says what begins at a place, from the least to the greatest.
type border int

const (
	wordBorder border = iota
	sentenceBorder
	lineBorder
	blankBorder // the first line behind a blank one
	turnBorder
	borders // their number
)

// SplitOnBudget cuts a transcript into chunks of at most maxChars chars, and a
// grapheme cluster is never cut: one that is longer is a chunk by itself. The
// chunks joined are the transcript, byte for byte, also where it isn't UTF-8. An
// empty transcript has no chunks; with a maxChars of 0 or less all of it is one.
//
// A chunk is filled as far as possible and ends at the last place within
// maxChars where a speaker's turn begins ("Name: ", "[user]", a line that is a
// JSON object, …); if it holds no such place, at the last paragraph that begins
// there, else line, else sentence, else word, else at the last grapheme cluster.
// Hence a turn (paragraph, line, …) that fits into a chunk is cut only if it
// stands inside a longer turn (paragraph, line, …) that doesn't.
//
// The time is linear in the length of the transcript. Pure.
func SplitOnBudget(transcript string, maxChars int) []string {
	if transcript == "" {
		return nil
	}
	if len(transcript) <= maxChars || maxChars <= 0 {
		return []string{transcript}
	}
	s := splitter{text: transcript, limit: maxChars, lineStart: true}
	s.run()
	return append(s.chunks, transcript[s.start.byte:])
}

// place is a position in a text, in bytes and in chars.
type place struct{ byte, char int }

// splitter goes over a text cluster by cluster. It remembers the last border of
// each sort within the chunk, so nothing is read twice.
type splitter struct {
	text      string
	limit     int
	chunks    []string
	start, at place
	last      [borders]place // valid where behind start

	lineStart  bool // a line begins at at
	blank      bool // nothing but blanks since the line began
	afterBlank bool // the line before was blank
	space      bool // the cluster before at is white space
	ended      bool // a sentence ended before at, but for closing marks and blanks
	wide       bool // it ended with a mark that no blank follows
	comma      bool // the cluster before at is a comma that no blank follows
	looked     int  // bytes looked at ahead of at, in search of turns
}

func (s *splitter) run() {
	for s.at.byte < len(s.text) {
		s.note()
		s.step()
	}
}

// note records the border at the current place.
func (s *splitter) note() {
	if s.at.byte == 0 {
		return
	}
	next, _ := utf8.DecodeRuneInString(s.text[s.at.byte:])
	switch {
	case s.lineStart && s.beginsTurn():
		s.last[turnBorder] = s.at
	case s.lineStart && s.afterBlank:
		s.last[blankBorder] = s.at
	case s.lineStart:
		s.last[lineBorder] = s.at
	case s.blank:
		// Within the blanks that a line begins with, nothing is worth a border.
	case s.ended && (s.space || s.wide) && beginsSentence(next):
		s.last[sentenceBorder] = s.at
	case (s.space || s.comma) && !unicode.IsSpace(next):
		s.last[wordBorder] = s.at
	}
}

// step takes the next cluster into the chunk, having ended the chunk before if
// it doesn't fit.
func (s *splitter) step() {
	bytes, chars := nextCluster(s.text[s.at.byte:])
	for s.at.char+chars-s.start.char > s.limit && s.at.byte > s.start.byte {
		s.end()
	}
	cluster := s.text[s.at.byte : s.at.byte+bytes]
	s.at = place{s.at.byte + bytes, s.at.char + chars}
	s.follow(cluster)
}

// end ends the chunk at its best border.
func (s *splitter) end() {
	stop := s.at
	for b := borders - 1; b >= 0; b-- {
		if s.last[b].byte > s.start.byte {
			stop = s.last[b]
			break
		}
	}
	s.chunks = append(s.chunks, s.text[s.start.byte:stop.byte])
	s.start = stop
}

// follow keeps account of lines and sentences behind a cluster.
func (s *splitter) follow(cluster string) {
	first, size := utf8.DecodeRuneInString(cluster)
	if first == '\n' || first == '\r' {
		s.afterBlank = s.blank || s.lineStart
		s.lineStart, s.blank, s.space, s.ended, s.wide, s.comma = true, true, true, false, false, false
		return
	}
	// A cluster that begins with a blank and goes on isn't one.
	s.space = unicode.IsSpace(first) && size == len(cluster)
	s.blank = s.space && (s.lineStart || s.blank)
	s.lineStart = false
	s.comma = strings.ContainsRune("、，；：", first)
	switch {
	case s.space || s.ended && closing(first):
	case strings.ContainsRune("。！？｡", first):
		s.ended, s.wide = true, true
	default:
		s.ended, s.wide = strings.ContainsRune(".!?…", first), false
	}
}

// closing reports whether a mark belongs to the sentence that ended before it.
func closing(r rune) bool {
	return strings.ContainsRune(`"'”’»)]}）」』】.!?…。！？｡`, r)
}

// beginsSentence reports whether a char may be the first of a sentence; after
// "e.g. " a lower-case one isn't.
func beginsSentence(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsLower(r) && !closing(r)
}

// beginsTurn reports whether a turn begins with the line at the current place.
func (s *splitter) beginsTurn() bool {
	text := s.text[s.at.byte:]
	if !strings.HasPrefix(text, "{") {
		text = text[:min(len(text), maxLabel)]
	}
	line := text[:lineEnd(text)]
	s.looked += len(line)
	return objectLine(line) || labelOf(line).role != nobody
}

// objectLine reports whether a line looks like one JSON object.
func objectLine(line string) bool {
	inner, open := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "{")
	return open && strings.HasPrefix(strings.TrimLeft(inner, " \t"), `"`) && strings.HasSuffix(inner, "}")
}

// lineEnd returns the offset of the line break in text, or its length.
func lineEnd(text string) int {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return i
	}
	return len(text)
}
