package minilm

// This file decides how a text beyond the model's window is cut into windows.

import (
	"context"
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
// overlapping windows, which begin and end at words and cover the text. A
// window's vector is what Embed returns for text[Start:End]. How similar a text
// is to another is the similarity of its best window.
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

// words returns the words of text[from:to]. One with more pieces than room is
// divided in the middle, again and again.
func (m *Model) words(dst []word, text string, from, to, room int) []word {
	ids, found := m.tokenizer.AppendWords(nil, nil, text[from:to])
	for i, f := range found {
		next := len(ids)
		if i+1 < len(found) {
			next = found[i+1].First
		}
		w := word{start: from + f.Start, end: from + f.End, pieces: next - f.First}
		if w.pieces <= room {
			dst = append(dst, w)
			continue
		}
		middle := middleOf(text, w.start, w.end)
		dst = m.words(dst, text, w.start, middle, room)
		rest := len(dst)
		if dst = m.words(dst, text, middle, w.end, room); rest < len(dst) {
			dst[rest].apart = true
		}
	}
	return dst
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
// an empty text.
func (m *Model) Windows(text string) []Window {
	room := m.maxTokens - m.document.tokens()
	if len(text) <= room { // a token has at least one byte
		return []Window{{Start: 0, End: len(text)}}
	}
	words := m.words(nil, text, 0, len(text), room)
	var windows []Window
	for first := 0; ; {
		last := fill(words, first, room)
		if last == len(words) {
			return append(windows, lastWindow(words, text, room, len(windows) == 0))
		}
		windows = append(windows, Window{Start: cut(words, first), End: cut(words, last)})
		first = goOn(words, first, last, room)
	}
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

// cut returns where word i begins; the first begins at 0, whatever stands
// before it.
func cut(words []word, i int) int {
	if i == 0 {
		return 0
	}
	return words[i].start
}

// lastWindow is filled up with what stands before it.
func lastWindow(words []word, text string, room int, only bool) Window {
	if only {
		return Window{Start: 0, End: len(text)}
	}
	first := len(words)
	for first > 0 && words[first-1].pieces <= room && (first == len(words) || !words[first].apart) {
		first--
		room -= words[first].pieces
	}
	return Window{Start: cut(words, first), End: len(text)}
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
