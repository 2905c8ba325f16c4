// From text to ids: longest match first, and the forms in which callers want it.

package wordpiece

import "iter"

// Word says where a word stands in a text and in the ids made of it. A word is what
// white space and punctuation leave: a run of letters, a single sign or
// ideograph, or a literal.
type Word struct {
	Start, End int // text[Start:End], in bytes, from its first kept character to its last
	First      int // index of its first id; it has at least one
}

// Encode returns the ids of a text as a model reads them: Begin, the text's first
// pieces, End; max ids at most, or all if max is negative. With max 0 or 1 there is
// no room, and no id. Reading ends with the word that fills max.
func (t *Tokenizer) Encode(text string, max int) []int32 {
	return t.AppendEncoded(nil, text, max)
}

// AppendEncoded appends what Encode returns to dst.
func (t *Tokenizer) AppendEncoded(dst []int32, text string, max int) []int32 {
	if max == 0 || max == 1 {
		return dst
	}
	limit := -1
	if max > 0 {
		limit = max - 2
	}
	s := scanner{text: text}
	dst = t.appendIDs(append(dst, t.special.Begin), &s, limit)
	return append(dst, t.special.End)
}

// AppendIDs appends the ids of all pieces of a text to dst, without Begin and End.
// It allocates nothing but dst's growth.
func (t *Tokenizer) AppendIDs(dst []int32, text string) []int32 {
	s := scanner{text: text}
	return t.appendIDs(dst, &s, -1)
}

// appendIDs appends limit ids at most, or all if limit is negative.
func (t *Tokenizer) appendIDs(dst []int32, s *scanner, limit int) []int32 {
	first := len(dst)
	for len(dst)-first != limit && t.next(s) {
		dst = t.appendWord(dst, s)
		if limit >= 0 && len(dst)-first > limit {
			dst = dst[:first+limit]
		}
	}
	return dst
}

// AppendWords appends the ids of all pieces of a text to ids, as AppendIDs does, and
// their words to words. Word w has the ids from words[w].First to words[w+1].First,
// the last one to the end; a window of a text is a run of both.
func (t *Tokenizer) AppendWords(ids []int32, words []Word, text string) ([]int32, []Word) {
	s := scanner{text: text}
	for t.next(&s) {
		words = append(words, Word{s.start, s.end, len(ids)})
		ids = t.appendWord(ids, &s)
	}
	return ids, words
}

// Words yields the words of a text with the number of their ids, holding only one
// of them at a time. First is 0.
func (t *Tokenizer) Words(text string) iter.Seq2[Word, int] {
	return func(yield func(Word, int) bool) {
		s := scanner{text: text}
		var ids []int32
		for t.next(&s) {
			ids = t.appendWord(ids[:0], &s)
			if !yield(Word{Start: s.start, End: s.end}, len(ids)) {
				return
			}
		}
	}
}

// appendWord appends the ids of the word last read.
func (t *Tokenizer) appendWord(dst []int32, s *scanner) []int32 {
	if s.literal != None {
		return append(dst, s.literal)
	}
	if s.tooLong {
		return append(dst, t.special.Unknown)
	}
	word, hash := s.buf[:s.n], atStart.seed()
	for _, b := range word {
		hash = step(hash, b)
	}
	if id, ok := find(t.table, hash, atStart, word); ok {
		return append(dst, id)
	}
	return t.appendPieces(dst, s)
}

// appendPieces cuts a word into the longest entry that it begins with, then the
// longest that the rest begins with, and so on; if one isn't found, the word is
// unknown.
func (t *Tokenizer) appendPieces(dst []int32, s *scanner) []int32 {
	first := len(dst)
	for k, rest := atStart, s.buf[:s.n]; len(rest) > 0; k = inside {
		id, n, read := longest(t.table, k, rest)
		s.work += read
		if n == 0 {
			return append(dst[:first], t.special.Unknown)
		}
		dst = append(dst, id)
		rest = rest[n:]
	}
	return dst
}
