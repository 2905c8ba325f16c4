// Grapheme clusters: what a reader takes for one character.

package distill

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// nextCluster returns the length in bytes and chars of the first grapheme
// cluster (UAX #29, extended) of a text that isn't empty. The text must begin
// at a cluster border.
func nextCluster(text string) (bytes, chars int) {
	r, size := utf8.DecodeRuneInString(text)
	if size == len(text) {
		return size, 1
	}
	if plain(r) {
		if next, _ := utf8.DecodeRuneInString(text[size:]); plain(next) {
			return size, 1
		}
	}
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
	return len(cluster), utf8.RuneCountInString(cluster)
}

// plain reports whether a char is one of the frequent ones between any two of
// which there is a cluster border.
func plain(r rune) bool {
	switch {
	case r < 0x80:
		return r >= ' ' && r < 0x7f || r == '\n' || r == '\t'
	case r < 0x3041:
		return r >= 0xc0 && r < 0x300 || r >= 0x391 && r < 0x483 // Latin, Greek, Cyrillic
	default:
		return r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa || r >= 0x4e00 && r <= 0x9fff // kana, Han
	}
}

// cut returns the longest prefix of text with at most limit chars that ends at
// a cluster border.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	pos, count := 0, 0
	for pos < len(text) {
		bytes, chars := nextCluster(text[pos:])
		if count+chars > limit {
			return text[:pos]
		}
		pos, count = pos+bytes, count+chars
	}
	return text
}
