// The prefilter: one pass that finds where a rule's anchor stands, by the
// rarest byte of each anchor.

package scrub

import "strings"

// anchorRef says: when the byte at i is the one looked for, the anchor may
// begin at i - offset.
type anchorRef struct {
	rule   int
	text   string // lower case when fold is set
	fold   bool
	offset int
	first  byte // first byte of text, and its upper case when fold is set
	upper  byte
}

// prefilter holds the anchors under the byte that announces them.
type prefilter struct {
	hot  [256]bool
	refs [256][]anchorRef
}

func newPrefilter(rules []rule) *prefilter {
	p := new(prefilter)
	for i, r := range rules {
		for _, a := range r.anchors {
			ref := anchorRef{rule: i, text: a, fold: r.fold, offset: rarestByte(a), first: a[0], upper: a[0]}
			if r.fold {
				ref.upper = upperASCII(a[0])
			}
			p.add(ref)
		}
	}
	return p
}

func (p *prefilter) add(ref anchorRef) {
	c := ref.text[ref.offset]
	p.hot[c] = true
	p.refs[c] = append(p.refs[c], ref)
	if upper := upperASCII(c); ref.fold && upper != c {
		p.hot[upper] = true
		p.refs[upper] = append(p.refs[upper], ref)
	}
}

func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// commonBytes orders bytes by how often they stand in prose and code, most
// frequent first. Others are rarer still.
const commonBytes = " etaoinsrhldcumfpgwybvk,.\n0-1\"'2:/=()_AISTECRPxzjqDLBFHOGUWVY"

// rarestByte returns the place of the byte of s that occurs least.
func rarestByte(s string) int {
	best, bestRank := 0, -1
	for i := range len(s) {
		rank := strings.IndexByte(commonBytes, s[i])
		if rank < 0 {
			rank = len(commonBytes)
		}
		if rank > bestRank {
			best, bestRank = i, rank
		}
	}
	return best
}

// mayBegin reports whether text[start] can begin the anchor.
func (a *anchorRef) mayBegin(text string, start int) bool {
	return start >= 0 && (text[start] == a.first || text[start] == a.upper)
}

// at reports whether the anchor begins at text[start], start >= 0.
func (a *anchorRef) at(text string, start int) bool {
	if len(text)-start < len(a.text) {
		return false
	}
	got := text[start : start+len(a.text)]
	if !a.fold {
		return got == a.text
	}
	for i := range len(got) {
		c := got[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != a.text[i] {
			return false
		}
	}
	return true
}
