// Text on ASCII against a slow, direct reading of the rules in the package
// comment, for documents.

package analyzer

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	asciiWords = regexp.MustCompile(`[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*`)
	suffixes   = regexp.MustCompile(`(?i)^(.+)'(?:s|re|ve|ll|d|m)$`)
	negation   = regexp.MustCompile(`(?i)^(.+)n't$`)
	halves     = regexp.MustCompile(`^(?:([A-Za-z]+)([0-9]+)|([0-9]+)([A-Za-z]+))$`)
	irregulars = irregularForms()
	hump       = regexp.MustCompile(`[a-z][A-Z]|[A-Z][A-Z](?:[a-rt-z])`)
)

// asciiOracle returns the document terms of an ASCII text.
func asciiOracle(text string) []string {
	var terms []string
	for at := 0; at < len(text); {
		loc := asciiWords.FindStringIndex(text[at:])
		if loc == nil {
			break
		}
		word := text[at+loc[0] : at+loc[1]]
		at += loc[1]
		terms = append(terms, asciiWordOracle(word, signOracle(text[at:]))...)
	}
	return terms
}

func signOracle(rest string) string {
	for _, sign := range []string{"++", "#"} {
		if strings.HasPrefix(rest, sign) {
			if after := rest[len(sign):]; after == "" || !strings.ContainsAny(after[:1], "+#") && !asciiWord(after[0]) {
				return sign
			}
			return ""
		}
	}
	return ""
}

func asciiWordOracle(word, sign string) []string {
	var terms []string
	not := false
	if m := suffixes.FindStringSubmatch(word); m != nil {
		word = m[1]
	} else if m := negation.FindStringSubmatch(word); m != nil {
		word, not = m[1], true
		if full, ok := map[string]string{"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}[strings.ToLower(word)]; ok {
			word = full
		}
	}
	last := ""
	for part := range strings.SplitSeq(word, "'") {
		if last = part; part == "" {
			continue
		}
		terms = append(terms, partOracle(part))
		if m := halves.FindStringSubmatch(part); m != nil {
			for _, half := range m[1:] {
				if half != "" {
					terms = append(append(terms, partOracle(half)), humpsOracle(half, part)...)
				}
			}
			continue
		}
		terms = append(terms, humpsOracle(part, part)...)
	}
	if sign != "" && last != "" {
		terms = append(terms, strings.ToLower(last)+sign)
	}
	if not {
		terms = append(terms, "not")
	}
	return terms
}

// partOracle folds and stems.
func partOracle(part string) string {
	part = strings.ToLower(part)
	if strings.ContainsAny(part, "0123456789") {
		return part
	}
	if base, ok := irregulars[part]; ok {
		part = base
	}
	return string(stemEnglish([]byte(part)))
}

// humpsOracle returns the camelCase parts of part, a piece of whole.
func humpsOracle(part, whole string) []string {
	if len(humpsAt(whole)) > maxSplits {
		return nil
	}
	var parts []string
	start := 0
	for _, at := range humpsAt(part) {
		parts = append(parts, partOracle(part[start:at]))
		start = at
	}
	if start > 0 {
		parts = append(parts, partOracle(part[start:]))
	}
	return parts
}

func humpsAt(s string) []int {
	var at []int
	for i := 1; i < len(s); i++ {
		for n := 2; n <= 3 && i-1+n <= len(s); n++ {
			if m := hump.FindString(s[i-1 : i-1+n]); len(m) == n && hump.FindStringIndex(s[i-1 : i-1+n])[0] == 0 {
				at = append(at, i)
				break
			}
		}
	}
	return at
}

func checkASCII(t *testing.T, a *Text, text string) {
	t.Helper()
	if got, want := a.Document(nil, text), asciiOracle(text); !slices.Equal(got, want) {
		t.Errorf("%q\n got %q\nwant %q", text, got, want)
	}
}

func TestASCIIOracle(t *testing.T) {
	a, rng := NewText(Options{}), rand.New(rand.NewPCG(21, 22))
	pieces := []string{"a", "B", "s", "S", "n", "t", "'", "'t", "n't", "'s", "'re", "1", "42", " ", "-", "++", "#", "+", "can", "wo", "went", "the", "Name", "\"", "\x00", "ing", "ly"}
	for range 20_000 {
		var b strings.Builder
		for range 1 + rng.IntN(10) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		checkASCII(t, a, b.String())
		if t.Failed() {
			return
		}
	}
}

func FuzzASCII(f *testing.F) {
	a := NewText(Options{})
	f.Add("The getUserName of Ana's C++ didn't cover covid19 or APIs.")
	f.Fuzz(func(t *testing.T, text string) {
		ascii := []byte(text)
		for i := range ascii {
			ascii[i] &= 0x7f
		}
		if len(ascii) <= MaxTermBytes {
			checkASCII(t, a, string(ascii))
		}
	})
}
