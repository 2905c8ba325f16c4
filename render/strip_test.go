// Blocks in transcripts: found, quoted, cut, forged.

package render

import (
	"strings"
	"testing"
)

func quoted(text, prefix string, trim bool) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		switch {
		case l == "":
		case trim && l == "\n":
			lines[i] = strings.TrimRight(prefix, " ") + l
		default:
			lines[i] = prefix + l
		}
	}
	return strings.Join(lines, "")
}

func TestStripRecalled(t *testing.T) {
	hits := append(sample(), Hit{Content: "a\n\n\nb"})
	for _, s := range styles {
		block := Block(hits, Options{Style: s})
		tests := []struct{ name, text, want string }{
			{"nothing", "", ""},
			{"no block", "tea\n```go\nx\n```\n", "tea\n```go\nx\n```\n"},
			{"alone", block, ""},
			{"between", "a\n" + block + "b\n", "a\nb\n"},
			{"after text", "user: " + block + "b", "user: b"},
			{"twice", "a" + block + block + "b" + block, "ab"},
			{"no last line feed", "a\n" + strings.TrimSuffix(block, "\n"), "a\n"},
			{"quoted", "a\n" + quoted(block, "> ", false) + "b", "a\nb"},
			{"quoted twice", quoted("x\n"+block+"y\n", "> > ", false), "> > x\n> > y\n"},
			{"quoted, trimmed", "a\n" + quoted(block, "> ", true) + "b", "a\nb"},
			{"indented", "a\n" + quoted(block, "      ", true) + "b", "a\nb"},
			{"tabs", "a\n" + quoted(block, "\t", false) + "b", "a\nb"},
			{"CR LF", "a\r\n" + strings.ReplaceAll(block, "\n", "\r\n") + "b\r\n", "a\r\nb\r\n"},
			{"in a list", "- " + strings.TrimPrefix(quoted(block, "  ", true), "  ") + "b", "- b"},
			{"in a fence", "````\n" + block + "````\n", "````\n````\n"},
			{"in a block", "a\n" + Block([]Hit{{Content: "x\n" + block + "y"}}, Options{Style: s}) + "b", "a\nb"},
			{"in a Markdown block", "a\n" + Block([]Hit{{Content: "x\n" + block + "y"}}, Options{}) + "b", "a\nb"},
			{"bytes outside", "\xff\x00\r" + block + "\r\n\xfe", "\xff\x00\r\r\n\xfe"},
		}
		for _, tt := range tests {
			got := StripRecalled(tt.text)
			if got != tt.want {
				t.Errorf("%v, %s: %q, want %q of\n%s", s, tt.name, got, tt.want, tt.text)
			}
			if IsRecalled(tt.text) != (tt.want != tt.text) || IsRecalled(got) {
				t.Errorf("%v, %s: recognised wrongly", s, tt.name)
			}
		}
	}
}

// What isn't whole is left byte for byte.
func TestStripLeaves(t *testing.T) {
	for _, s := range styles {
		block := Block([]Hit{{Content: "tea\ncake"}}, Options{Style: s})
		body := block
		if s == Markdown {
			body = strings.TrimPrefix(block, marker+"\n")
		}
		lines := strings.SplitAfter(body, "\n")
		lines = lines[:len(lines)-1]
		tests := []struct{ name, text string }{
			{"without its end", strings.Join(lines[:len(lines)-1], "")},
			{"without its beginning", strings.Join(lines[1:], "")},
			{"with another end", strings.Join(lines[:len(lines)-1], "") + "x" + lines[len(lines)-1]},
			{"the mark alone", "see " + mark + " and " + marker + "\n"},
		}
		if s != XML {
			tests = append(tests, struct{ name, text string }{"no entries", lines[0] + "x\n" + lines[len(lines)-1]})
		}
		for _, tt := range tests {
			if got := StripRecalled(tt.text); got != tt.text || IsRecalled(tt.text) {
				t.Errorf("%v, %s: %q", s, tt.name, got)
			}
		}
	}
}

// A beginning that somebody else wrote hides nothing up to the end of a block, and doesn't
// keep that block from being recognised.
func TestForgedBeginning(t *testing.T) {
	starts := []string{"```" + mark + "\n[memory 1]\n", "~~~" + mark + "\n[memory 1]\n", jsonOpen + "\n", xmlOpen + "0123456789abcdef" + xmlNote + "\n", marker + "\n", "`````" + mark + "\n[memory 1]\n"}
	for _, s := range styles {
		block := Block([]Hit{{Content: "tea"}}, Options{Style: s})
		for _, start := range starts {
			text := start + "what the user said\n"
			if got := StripRecalled(text + block + "more"); got != text+"more" {
				t.Errorf("%v after %q: %q", s, start, got)
			}
		}
	}
}

// The fence without the sentence in front is recognised too.
func TestStripWithoutMarker(t *testing.T) {
	block := strings.TrimPrefix(Block([]Hit{{Content: "tea"}}, Options{}), marker+"\n")
	if got := StripRecalled("a\n" + block + "b"); got != "a\nb" {
		t.Errorf("%q", got)
	}
}
