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
	texts := make([]string, len(windows))
	for i, w := range windows {
		texts[i] = text[w.Start:w.End]
	}
	vectors, err := m.Embed(ctx, texts)
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
	start, end int // bytes
	pieces     int // tokens
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
		middle := w.start + (w.end-w.start)/2
		for !utf8.RuneStart(text[middle]) {
			middle--
		}
		dst = m.words(dst, text, w.start, middle, room)
		dst = m.words(dst, text, middle, w.end, room)
	}
	return dst
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
		last, pieces := first, 0
		for last < len(words) && pieces+words[last].pieces <= room {
			pieces += words[last].pieces
			last++
		}
		if last == len(words) {
			return append(windows, lastWindow(words, text, room, len(windows) == 0))
		}
		windows = append(windows, Window{Start: cut(words, first, text), End: cut(words, last, text)})
		next := last
		for back := 0; next > first+1 && back+words[next-1].pieces <= room/overlapShare; next-- {
			back += words[next-1].pieces
		}
		first = next
	}
}

// cut returns where word i begins; the first begins at 0, whatever stands
// before it.
func cut(words []word, i int, text string) int {
	switch {
	case i == 0:
		return 0
	case i == len(words):
		return len(text)
	}
	return words[i].start
}

// lastWindow is filled up with what stands before it.
func lastWindow(words []word, text string, room int, only bool) Window {
	if only {
		return Window{Start: 0, End: len(text)}
	}
	first, pieces := len(words), 0
	for first > 0 && pieces+words[first-1].pieces <= room {
		pieces += words[first-1].pieces
		first--
	}
	return Window{Start: cut(words, first, text), End: len(text)}
}
