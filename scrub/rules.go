// The rules: which formats count as secrets, in the order they apply.

package scrub

// rule describes one secret format. A match begins with one of the anchors, at
// a word border, goes on with the elements and ends at a word border.
type rule struct {
	name    string   // identifies the rule
	label   string   // written into the text
	anchors []string // every match begins with one of these
	fold    bool     // anchors match in any ASCII case
	rest    []element
	openEnd bool   // the match may end inside a word
	block   *block // a block instead: no borders, no elements
}

// element is a literal, or a run of characters of a set. A run takes as many
// characters as there are, up to max, so the element after an open-ended run
// must not begin with a character of its set (a test checks this).
type element struct {
	literal string
	set     *set
	min     int
	max     int // 0: no limit
}

// block is a match between two marker lines, of the form
// <anchor> <capitals and blanks> <close>, any text, <end> <capitals and
// blanks> <close>.
//
// A block cut before its end marker counts when it begins with least characters
// of body or with one of the headers.
type block struct {
	end     string
	close   string
	body    *set
	least   int
	headers []string
}

func lit(s string) element             { return element{literal: s} }
func exactly(n int, s *set) element    { return element{set: s, min: n, max: n} }
func atLeast(n int, s *set) element    { return element{set: s, min: n} }
func between(n, m int, s *set) element { return element{set: s, min: n, max: m} }
func anchorsOf(prefix, choice, suffix string) []string {
	var out []string
	for _, c := range choice {
		out = append(out, prefix+string(c)+suffix)
	}
	return out
}

// Sets of characters. Digits and word characters of the Discord format, blanks
// and word borders are those of Unicode.
var (
	capsDigits  = &set{ascii: chars("A-Z0-9")}
	alnum       = &set{ascii: chars("A-Za-z0-9")}
	alnumHyphen = &set{ascii: chars("A-Za-z0-9-")}
	base64URL   = &set{ascii: chars("A-Za-z0-9_-")}
	lettersAnd  = &set{ascii: chars("A-Za-z0-9"), other: isDigit}
	wordHyphen  = &set{ascii: chars("A-Za-z0-9_-"), other: isWord}
	base64Chars = &set{ascii: chars("A-Za-z0-9+/=")}
	bearerChars = &set{ascii: chars("A-Za-z0-9._~+/-")}
	blanks      = &set{ascii: chars(" \t\n\v\f\r"), other: isBlank}
	equalSigns  = &set{ascii: chars("=")}
)

// builtin returns the rules in their order.
func builtin() []rule {
	return []rule{
		{name: "aws-access-key-id", label: "aws-key",
			anchors: []string{"AKIA"}, rest: []element{exactly(16, capsDigits)}},
		{name: "github-token", label: "github-token",
			anchors: anchorsOf("gh", "pousr", "_"), rest: []element{between(36, 255, alnum)}},
		{name: "anthropic-api-key", label: "anthropic-key",
			anchors: []string{"sk-ant-"}, rest: []element{atLeast(20, base64URL)}},
		{name: "openai-legacy-key", label: "openai-key",
			anchors: []string{"sk-"}, rest: []element{exactly(20, alnum), lit("T3BlbkFJ"), exactly(20, alnum)}},
		{name: "openai-project-key", label: "openai-key",
			anchors: []string{"sk-proj-"}, rest: []element{atLeast(20, base64URL)}},
		{name: "slack-token", label: "slack-token",
			anchors: anchorsOf("xox", "baprs", "-"), rest: []element{atLeast(10, alnumHyphen)}},
		{name: "discord-bot-token", label: "discord-token",
			anchors: []string{"M", "N"},
			rest:    []element{atLeast(23, lettersAnd), lit("."), exactly(6, wordHyphen), lit("."), atLeast(27, wordHyphen)}},
		{name: "private-key", label: "private-key",
			anchors: []string{"-----BEGIN "},
			block: &block{end: "-----END ", close: "PRIVATE KEY-----",
				body: base64Chars, least: 16, headers: []string{"Proc-Type:", "DEK-Info:"}}},
		{name: "json-web-token", label: "jwt",
			anchors: []string{"eyJ"},
			rest:    []element{atLeast(10, base64URL), lit("."), atLeast(10, base64URL), lit("."), atLeast(10, base64URL)}},
		{name: "bearer-token", label: "generic-bearer",
			anchors: []string{"bearer", "authorization:"}, fold: true, openEnd: true,
			rest: []element{atLeast(1, blanks), atLeast(20, bearerChars), atLeast(0, equalSigns)}},
	}
}
