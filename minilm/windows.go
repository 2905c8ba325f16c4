package minilm

// This file decides how a text beyond the model's window is cut into windows.

import (
	"context"
	"slices"
	"unicode/utf8"
)

// overlapShare is the part of a window that the next one has again, so that what
// stands on a border is whole in one of them.
const overlapShare = 4

// Window is a part of a text and its vector.
type Window struct {
	Start, End int // bytes of the text
	Vector     []float32
}

// EmbedWindows returns the vectors of a text of any length, as something that is
// searched in: one of the whole if it fits the model, otherwise those of
// overlapping windows, which begin and end at words and cover the text. A window
// has the last quarter of the one before again; only a word with more tokens than
// a window is cut inside, without overlap. A window's vector is what Embed returns
// for text[Start:End]. How similar a text is to another is the similarity of its
// best window.
//
// The windows and vectors of the whole text are in memory together: some 10 times
// the text. Windows and Embed do the same in parts.
func (m *Model) EmbedWindows(ctx context.Context, text string) ([]Window, error) {
	windows := m.Windows(text)
	vectors, err := m.Embed(ctx, texts(text, windows))
	if err != nil {
		return nil, err
	}
	for i := range windows {
		windows[i].Vector = vectors[i]
	}
	return windows, nil
}

// word is a part of a text that is not divided between windows.
type word struct {
	start, end int  // bytes
	pieces     int  // tokens
	apart      bool // the rest of a divided word: with what stands before it, it would have other tokens
}

// words yields the words of text[from:to]. One with more pieces than room is
// divided in the middle, again and again. It reports whether to go on.
func (m *Model) words(text string, from, to, room int, yield func(word) bool) bool {
	for f, pieces := range m.tokenizer.Words(text[from:to]) {
		w := word{start: from + f.Start, end: from + f.End, pieces: pieces}
		if pieces <= room {
			if !yield(w) {
				return false
			}
			continue
		}
		middle := middleOf(text, w.start, w.end)
		rest := false
		apart := func(w word) bool {
			w.apart = w.apart || rest
			rest = false
			return yield(w)
		}
		if !m.words(text, w.start, middle, room, yield) {
			return false
		}
		if rest = true; !m.words(text, middle, w.end, room, apart) {
			return false
		}
	}
	return true
}

// middleOf returns the start of a character in the middle of a word, behind its
// first one. There is another, since no character has more pieces than room.
func middleOf(text string, start, end int) int {
	middle := start + (end-start)/2
	for middle > start && !utf8.RuneStart(text[middle]) {
		middle--
	}
	if middle > start {
		return middle
	}
	for middle++; middle < end && !utf8.RuneStart(text[middle]); middle++ {
	}
	return middle
}

// Windows returns the windows of a text without vectors: at least one, also for
// an empty text. Beside them it needs no memory that grows with the text.
func (m *Model) Windows(text string) []Window {
	room := m.maxTokens - m.document.tokens()
	if len(text) <= room { // a token has at least one byte
		return []Window{{Start: 0, End: len(text)}}
	}
	var windows []Window
	var words []word // from the beginning of the next window on
	first := 0       // the first of the next window
	m.words(text, 0, len(text), room, func(w word) bool {
		words = append(words, w)
		for {
			last := fill(words, first, room)
			if last == len(words) {
				return true
			}
			start := words[first].start
			if len(windows) == 0 {
				start = 0 // whatever stands before the first word
			}
			windows = append(windows, Window{Start: start, End: words[last].start})
			next := goOn(words, first, last, room)
			words = slices.Delete(words, 0, first) // those of this window may be needed for the last one
			first = next - first
		}
	})
	if len(windows) == 0 {
		return []Window{{Start: 0, End: len(text)}}
	}
	return append(windows, lastWindow(words, text, room))
}

// fill returns where a window ends that begins with word first.
func fill(words []word, first, room int) int {
	pieces := 0
	for last := first; last < len(words); last++ {
		pieces += words[last].pieces
		if pieces > room || words[last].apart && last > first {
			return last
		}
	}
	return len(words)
}

// goOn returns where the window behind words[first:last] begins. It overlaps no
// further than leaves room for word last, so that every window has something
// new.
func goOn(words []word, first, last, room int) int {
	room = min(room/overlapShare, room-words[last].pieces)
	for last > first+1 && !words[last].apart && words[last-1].pieces <= room {
		last--
		room -= words[last].pieces
	}
	return last
}

// lastWindow is filled up with what stands before it. It begins behind the one
// before, as what is new in it takes room.
func lastWindow(words []word, text string, room int) Window {
	first := len(words)
	for first > 0 && words[first-1].pieces <= room && (first == len(words) || !words[first].apart) {
		first--
		room -= words[first].pieces
	}
	return Window{Start: words[first].start, End: len(text)}
}

// Split returns the texts of the windows of a text: the whole of one that fits
// the model, see Windows.
func (m *Model) Split(text string) []string { return texts(text, m.Windows(text)) }

func texts(text string, windows []Window) []string {
	parts := make([]string, len(windows))
	for i, w := range windows {
		parts[i] = text[w.Start:w.End]
	}
	return parts
}
