package main

// This file decides where a text can be cut without a change of tokens, and which
// input is no text in UTF-8.

import (
	"bytes"
	"unicode/utf8"
)

// breaks returns the first and the last place of a part of a text at which a word
// ends whatever is around it; 0, 0 if there is none. Such a place is before a blank
// or a tab, and before an ideograph, which is a word of its own. (Punctuation won't
// do: it can be within a special token.)
func breaks(part []byte) (first, last int) {
	for first < len(part) && !isBreak(part[first:]) {
		first++
	}
	if first == len(part) {
		return 0, 0
	}
	for last = len(part) - 1; last > first && !isBreak(part[last:]); last-- {
	}
	return first, last
}

func isBreak(at []byte) bool {
	if at[0] < utf8.RuneSelf {
		return at[0] == ' ' || at[0] == '\t'
	}
	const firstIdeograph, lastIdeograph = 0x4E00, 0x9FFF // CJK Unified Ideographs
	r, _ := utf8.DecodeRune(at)
	return r >= firstIdeograph && r <= lastIdeograph
}

// toldFrom is how many bytes of an input tell whether it is UTF-16.
const toldFrom = 256

var (
	errUTF16      = usagef("stdin is UTF-16: convert it to UTF-8, as iconv -f UTF-16 -t UTF-8 does")
	byteOrderMark = []byte("\xEF\xBB\xBF")
)

// isUTF16 reports whether an input that begins so is UTF-16: by its byte-order
// mark, or because every other byte of it is NUL, but for a few. That holds for
// languages in Latin letters; others have the mark.
func isUTF16(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xFF\xFE")) || bytes.HasPrefix(head, []byte("\xFE\xFF")) {
		return true
	}
	var nulls [2]int // at even and at odd places
	for i, b := range head {
		if b == 0 {
			nulls[i%2]++
		}
	}
	many, few := max(nulls[0], nulls[1]), min(nulls[0], nulls[1])
	return many >= 2 && 3*many >= len(head) && 8*few <= many
}
