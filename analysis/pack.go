// This file decides which segments a budget holds.

package analysis

import "slices"

// Pack returns the segments that fit into a budget of tokens, in the order given:
// each one that still fits is taken, each one that doesn't is skipped. A budget
// of 0 holds nothing, a negative one everything. The result is a new slice.
func Pack(segments []Segment, budget int) []Segment {
	if budget < 0 {
		return slices.Clone(segments)
	}
	var packed []Segment
	left := budget
	for i := range segments {
		if n := segments[i].Tokens; budget > 0 && n <= left {
			packed = append(packed, segments[i])
			left -= max(n, 0)
		}
	}
	return packed
}
