// The notation of token formats, and its translation.
//
//	<ghp_,gho_>%a{36,255}
//
// reads: one of the anchors between < and >, which the prefilter looks for, then
// 36 to 255 letters and digits. A % and a letter is a set (see alphabet); {n},
// {n,} and {n,m} say how many characters of it, one without; all else is
// literal. What stands before the anchors is matched backwards from them.

package scrub

import (
	"fmt"
	"strconv"
	"strings"
)

// element is a literal, or a run of characters of a set. A run takes as many
// characters as there are, up to max, so the element after an open run must not
// begin with a character of its set (a test checks this).
type element struct {
	literal string
	set     *set
	min     int
	max     int // 0: no limit
}

// format is a translated pattern.
type format struct {
	before  []element // in the order of matching: from the anchors to the left
	anchors []string
	rest    []element
}

// alphabet returns the sets by their letters.
func alphabet() map[byte]*set {
	sets := map[byte]*set{
		'd': {ascii: chars("0-9")},
		'x': {ascii: chars("0-9a-f")},
		'X': {ascii: chars("0-9a-fA-F")},
		'a': {ascii: chars("A-Za-z0-9")},
		'l': {ascii: chars("a-z0-9")},
		'k': {ascii: chars("a-z0-9_")},
		's': {ascii: chars("a-z")},
		'u': {ascii: chars("A-Z0-9")},
		'b': {ascii: chars("A-Za-z0-9_-")},
		'B': {ascii: chars("A-Za-z0-9+/")},
		'e': {ascii: chars("A-Za-z0-9_=-")},
		'E': {ascii: chars("A-Za-z0-9+/=_-")},
		'h': {ascii: chars("A-Za-z0-9-")},
		'q': {ascii: chars("A-Za-z0-9_.-")},
		'v': {ascii: chars("A-Za-z0-9._~%+/=-")},
		'w': {ascii: chars("A-Za-z0-9_")},
		'z': {ascii: chars("A-Za-z0-9_.~-")},
		'Z': {ascii: chars("A-Za-z0-9._~+/-")},
		'=': {ascii: chars("=")},
		'N': {ascii: chars("A-Za-z0-9"), other: isDigit},
		'W': {ascii: chars("A-Za-z0-9_-"), other: joins},
		'U': {ascii: chars("A-Za-z0-9._~%+/=@&?;,-")},
		'_': {ascii: chars(" \t\n\v\f\r"), other: isBlank},
	}
	for c, s := range sets {
		s.number = int(c) // any distinct numbers will do
	}
	return sets
}

const setNumbers = 128

// parseFormat translates a pattern.
func parseFormat(pattern string, sets map[byte]*set) (f format, err error) {
	open, end := strings.IndexByte(pattern, '<'), strings.IndexByte(pattern, '>')
	if open < 0 || end < open+2 {
		return f, fmt.Errorf("scrub: pattern %q has no anchors", pattern)
	}
	f.anchors = strings.Split(pattern[open+1:end], ",")
	if f.before, err = parseElements(pattern[:open], sets); err != nil {
		return f, err
	}
	for i, j := 0, len(f.before)-1; i < j; i, j = i+1, j-1 {
		f.before[i], f.before[j] = f.before[j], f.before[i]
	}
	f.rest, err = parseElements(pattern[end+1:], sets)
	return f, err
}

func parseElements(text string, sets map[byte]*set) (out []element, err error) {
	for text != "" {
		if text[0] != '%' {
			n := strings.IndexByte(text, '%')
			if n < 0 {
				n = len(text)
			}
			out = append(out, element{literal: text[:n]})
			text = text[n:]
			continue
		}
		if len(text) < 2 || sets[text[1]] == nil {
			return nil, fmt.Errorf("scrub: no set is called %q", text)
		}
		e := element{set: sets[text[1]], min: 1, max: 1}
		text = text[2:]
		if strings.HasPrefix(text, "{") {
			n := strings.IndexByte(text, '}')
			if n < 0 {
				return nil, fmt.Errorf("scrub: %q isn't closed", text)
			}
			if e.min, e.max, err = parseCount(text[1:n]); err != nil {
				return nil, err
			}
			text = text[n+1:]
		}
		out = append(out, e)
	}
	return out, nil
}

// parseCount reads "n", "n," or "n,m".
func parseCount(text string) (least, most int, err error) {
	first, second, ranged := strings.Cut(text, ",")
	if least, err = strconv.Atoi(first); err != nil {
		return 0, 0, fmt.Errorf("scrub: count %q: %w", text, err)
	}
	if !ranged {
		return least, least, nil
	}
	if second == "" {
		return least, 0, nil
	}
	if most, err = strconv.Atoi(second); err != nil || most < least {
		return 0, 0, fmt.Errorf("scrub: count %q is no range", text)
	}
	return least, most, nil
}
