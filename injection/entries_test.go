// The stored injections, each with the signals it has to give.

package injection

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type stored struct{ ID, Category, Text string }

func storedEntries(tb testing.TB) (out []stored) {
	tb.Helper()
	file, err := os.Open(filepath.Join("testdata", "entries.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s stored
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			tb.Fatal(err)
		}
		out = append(out, s)
	}
	if len(out) != 48 {
		tb.Fatalf("%d entries, want 48", len(out))
	}
	return out
}

// byCategory names a reason that each entry of a category must have. A fence alone is ordinary text.
var byCategory = map[string]Reason{
	"fence-backtick": RoleMarker, "fence-tilde": OverridePhrase, "fence-mixed": OverridePhrase, "fence-indented": DelimiterBreak, "fence-crlf": RoleMarker,
	"fence-cr-only": RoleMarker, "fence-formfeed": RoleMarker, "fence-only": "", "fence-quote-prefix": DelimiterBreak, "fence-html": DelimiterBreak, "closing-tag": DelimiterBreak,
	"closing-tag-case": DelimiterBreak, "closing-tag-space": DelimiterBreak, "closing-tag-entity": DelimiterBreak, "closing-tag-fullwidth": DelimiterBreak, "comment": Comment,
	"chat-template": RoleMarker, "chat-role": RoleMarker, "fake-header": RoleMarker, "fake-tool": ToolCall, "ansi": TerminalControl, "ansi-c1": TerminalControl, "control": TerminalControl,
	"bidi": HiddenUnicode, "zero-width-fence": HiddenUnicode, "tag-chars": HiddenUnicode, "homoglyph": Lookalikes, "soft-hyphen": OverridePhrase, "md-image-ref": Exfiltration, "md-link": Exfiltration,
	"md-heading": OverridePhrase, "md-table": RoleMarker, "plain": OverridePhrase, "plain-long": PromptLeak, "encoded": EncodedPayload, "nested-quote": RoleMarker,
}

// W25: of what is stored to instruct a model, all that has a form is signalled.
func TestW25StoredInjections(t *testing.T) {
	for _, e := range storedEntries(t) {
		want, known := byCategory[e.Category]
		signals := checkDetect(t, e.Text)
		switch {
		case !known:
			t.Errorf("%s: unknown category %s", e.ID, e.Category)
		case want == "" && len(signals) > 0:
			t.Errorf("%s: %v", e.ID, signals)
		case want != "" && !slices.ContainsFunc(signals, func(s Signal) bool { return s.Reason == want }):
			t.Errorf("%s, %s: %v, want %s", e.ID, e.Category, signals, want)
		}
	}
}

// checkDetect checks what holds for any signals.
func checkDetect(t *testing.T, text string) []Signal {
	t.Helper()
	signals := Detect(text)
	if Suspicious(text) != (len(signals) > 0) {
		t.Errorf("%q: suspicious %v, signals %v", text, Suspicious(text), signals)
	}
	if again := Detect(text); !slices.Equal(again, signals) {
		t.Errorf("%q: %v, then %v", text, signals, again)
	}
	for i, s := range signals {
		if s.Start < 0 || s.Start >= s.End || s.End > len(text) || s.Reason == "" || s.Detail == "" {
			t.Errorf("%q: bad signal %v", text, s)
		}
		if i > 0 && (s.Start < signals[i-1].Start || s.Start == signals[i-1].Start && s.Reason <= signals[i-1].Reason) {
			t.Errorf("%q: out of order: %v", text, signals)
		}
	}
	return signals
}

// Every entry within other text keeps its signals, unless its place at the beginning of a line was the sign.
func TestEntriesInsideOfProse(t *testing.T) {
	const prose = "We went to the market and bought bread.\n\n"
	for _, e := range storedEntries(t) {
		if byCategory[e.Category] == "" {
			continue
		}
		if len(checkDetect(t, prose+e.Text+"\n"+strings.Repeat(prose, 3))) == 0 {
			t.Errorf("%s: nothing found within prose", e.ID)
		}
	}
}
