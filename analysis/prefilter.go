// This file decides which lines of a transcript are people talking and which are
// tool output, code, data and prompts of a shell.

package analysis

import (
	"strings"
)

// DefaultRawJSONMinChars is the length in bytes above which a line that looks
// like JSON is dropped.
const DefaultRawJSONMinChars = 100

// PrefilterConfig says what Prefilter leaves in the text. The zero value takes
// out everything it knows.
type PrefilterConfig struct {
	// KeepToolBlocks keeps what stands from a line that begins with "[tool_use" to
	// a line "[tool_result]".
	KeepToolBlocks bool
	// KeepCodeFences keeps what stands between lines of three backticks.
	KeepCodeFences bool
	// KeepRawJSON keeps long lines that look like a JSON object or array.
	KeepRawJSON bool
	// KeepMarkers keeps the names of speakers: lines like "[user]", and "Human:",
	// "Assistant:", "User:", "AI:" and "System:" where a line begins with them.
	KeepMarkers bool
	// KeepShellCommands keeps lines that begin with the prompt of a shell.
	KeepShellCommands bool
	// KeepPaths keeps file names with folders.
	KeepPaths bool
	// RawJSONMinChars is the length in bytes, without blanks at both ends, above
	// which a line that looks like JSON is dropped; 0 means
	// DefaultRawJSONMinChars, a negative number that length doesn't matter.
	RawJSONMinChars int
	// PathPrefixes are the beginnings of relative paths. Nil means those of
	// DefaultPathPrefixes; an empty slice means none. It is only read.
	PathPrefixes []string
}

// DefaultPathPrefixes returns the beginnings of relative paths that are known
// by default, those of the reference implementation.
func DefaultPathPrefixes() []string {
	return []string{
		"crates/", "src/", "docs/", "scripts/", "target/", "extension/", "node_modules/", "build/", "dist/", "lib/", "test/", "tests/",
	}
}

// Prefilter takes out of text what isn't talk. It goes line by line:
//
//   - Tool blocks and code fences go as a whole, to the end of the text when they
//     aren't closed. A line that opens and closes a fence goes alone.
//   - The name of a speaker goes; what the speaker says on the same line stays and
//     is judged like a line of its own.
//   - Long lines of JSON and shell commands go.
//   - Paths go out of the lines that stay: a word that begins, after quotes and
//     brackets, with /, ~/, ./, ../, a drive letter, or one of the prefixes. The
//     words around are joined by single spaces.
//
// A line that went leaves an empty line, and of several empty lines in a row one
// stays. All other lines stay byte for byte. Line ends become LF; the last one
// is dropped. Time is linear in len(text); valid UTF-8 stays valid.
func Prefilter(text string, cfg PrefilterConfig) string {
	f := prefilter{cfg: cfg, prefixes: cfg.PathPrefixes, minJSON: cfg.RawJSONMinChars}
	if f.prefixes == nil {
		f.prefixes = DefaultPathPrefixes()
	}
	switch {
	case f.minJSON == 0:
		f.minJSON = DefaultRawJSONMinChars
	case f.minJSON < 0:
		f.minJSON = 0
	}
	f.out.Grow(len(text))
	text, _ = strings.CutSuffix(text, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		f.put(f.line(strings.TrimRight(line, "\r")))
	}
	return f.out.String()
}

// prefilter is a text on its way through the filter.
type prefilter struct {
	cfg      PrefilterConfig
	prefixes []string
	minJSON  int
	inTool   bool
	inFence  bool

	out   strings.Builder
	lines int  // written so far
	blank bool // the last of them was blank
}

// put writes a line unless it is one more blank one.
func (f *prefilter) put(line string) {
	blank := strings.TrimSpace(line) == ""
	if blank && f.blank {
		return
	}
	if f.lines > 0 {
		f.out.WriteByte('\n')
	}
	if !blank {
		f.out.WriteString(line)
	}
	f.lines++
	f.blank = blank
}

// line returns what is left of a line, nothing when it goes.
func (f *prefilter) line(line string) string {
	if !f.cfg.KeepMarkers && !f.inTool && !f.inFence {
		line = withoutSpeaker(line)
	}
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		return ""
	case f.inBlock(trimmed):
		return ""
	case !f.cfg.KeepRawJSON && len(trimmed) > f.minJSON && looksLikeJSON(trimmed):
		return ""
	case !f.cfg.KeepMarkers && isMarker(trimmed):
		return ""
	case !f.cfg.KeepShellCommands && isShellCommand(trimmed):
		return ""
	case !f.cfg.KeepPaths:
		return f.withoutPaths(line)
	}
	return line
}

// inBlock reports whether a line belongs to a tool block or a code fence, and
// notes where these begin and end.
func (f *prefilter) inBlock(trimmed string) bool {
	if f.inTool {
		f.inTool = trimmed != "[tool_result]"
		return true
	}
	if !f.cfg.KeepToolBlocks && strings.HasPrefix(trimmed, "[tool_use") {
		f.inTool, f.inFence = true, false
		return true
	}
	if f.cfg.KeepCodeFences {
		return false
	}
	info, isFence := strings.CutPrefix(trimmed, "```")
	switch {
	case f.inFence:
		f.inFence = !isFence
		return true
	case isFence:
		f.inFence = !strings.Contains(strings.TrimLeft(info, "`"), "```")
		return true
	}
	return false
}
