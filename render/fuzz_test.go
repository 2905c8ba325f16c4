// Fuzz targets: what holds for any text.

package render

import (
	"encoding/json"
	"strings"
	"testing"
)

func FuzzBlock(f *testing.F) {
	for _, e := range storedEntries(f) {
		f.Add(e.Text, e.ID, e.Category, uint8(len(e.Text)))
	}
	for i, h := range hostile() {
		f.Add(h.Content, h.ID, "x", uint8(i))
	}
	f.Fuzz(func(t *testing.T, first, second, field string, choice uint8) {
		o := Options{Style: Style(choice % 3), Invisible: Invisible(choice / 3 % 2), Links: Links(choice / 6 % 2)}
		hits := []Hit{{Content: first, ID: field, Scope: second}, {Content: second, Kind: field, Suspicious: []string{field, second}}}
		checkIdentity(t, hits, o)
		block := Block(hits, o)
		checkCharacters(t, block)
		switch o.Style {
		case Markdown:
			checkFence(t, block, hits, o)
			checkGoldmark(t, block)
		case JSON:
			if !json.Valid([]byte(block)) {
				t.Errorf("invalid JSON:\n%s", block)
			}
		}
		if got := StripRecalled("a" + block + "b"); got != "ab" {
			t.Errorf("%q is left of\n%s", got, block)
		}
	})
}

func FuzzStrip(f *testing.F) {
	for _, s := range styles {
		block := Block(sample(), Options{Style: s})
		f.Add("a\n", "b", block[:len(block)/2])
		f.Add(block, block, quoted(block, "> ", true))
		f.Add("> ", "> ", block)
	}
	f.Fuzz(func(t *testing.T, before, after, content string) {
		for _, text := range []string{before + after, content} {
			got := StripRecalled(text)
			if (got == text) == IsRecalled(text) {
				t.Errorf("%q: recognised %v", text, IsRecalled(text))
			}
			if !subsequence(got, text) {
				t.Errorf("%q isn't what was outside of the blocks in %q", got, text)
			}
		}
		for _, s := range styles {
			block := Block([]Hit{{Content: content}}, Options{Style: s})
			if strings.Contains(before, mark) { // may begin or be a block itself
				continue
			}
			if got := StripRecalled(before + block + after); got != before+StripRecalled(after) {
				t.Errorf("%v: %q is left of %q", s, got, before+block+after)
			}
		}
	})
}

// subsequence reports whether all bytes of part are in text in their order.
func subsequence(part, text string) bool {
	for i := range len(text) {
		if part != "" && part[0] == text[i] {
			part = part[1:]
		}
	}
	return part == ""
}

func FuzzParse(f *testing.F) {
	for _, s := range styles {
		f.Add(Block(sample(), Options{Style: s}))
	}
	f.Fuzz(func(t *testing.T, text string) {
		hits, err := Parse(text)
		if err != nil {
			return
		}
		for _, o := range allOptions() {
			if o.Invisible == Show {
				checkIdentity(t, hits, o)
			}
		}
	})
}
