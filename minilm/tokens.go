package minilm

// This file decides which tokens a text has.

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// prefix is what stands before every text of a kind.
type prefix struct {
	text string
	ids  []int32 // [CLS] and the prefix's pieces
}

// newPrefix refuses a prefix whose last word would go on in what follows.
func (m *Model) newPrefix(text string) (prefix, error) {
	p := prefix{text: text, ids: m.tokenizer.AppendIDs([]int32{m.tokenizer.Special().Begin}, text)}
	if !utf8.ValidString(text) { // its last bytes and the first of what follows might be a character
		return p, fmt.Errorf("%w: the prefix %q is not UTF-8", ErrConfig, text)
	}
	const next = "a"
	apart := m.tokenizer.AppendIDs(slices.Clone(p.ids[1:]), next)
	if text != "" && !slices.Equal(m.tokenizer.AppendIDs(nil, text+next), apart) {
		return p, fmt.Errorf("%w: the prefix %q must end in a space or a sign", ErrConfig, text)
	}
	return p, nil
}

// tokens returns how many tokens of a text are the prefix's, [CLS] and [SEP].
func (p *prefix) tokens() int { return len(p.ids) + 1 }

// appendTokens appends the ids of a text behind a prefix, MaxTokens at most.
func (m *Model) appendTokens(dst []int32, p *prefix, text string) []int32 {
	// The tokenizer writes a [CLS] of its own, where the last of ids belongs.
	last := len(p.ids) - 1
	dst = append(dst, p.ids[:last]...)
	at := len(dst)
	dst = m.tokenizer.AppendEncoded(dst, text, m.maxTokens-last)
	dst[at] = p.ids[last]
	return dst
}

// Tokenize returns the ids of a text: [CLS], at most MaxTokens-2 pieces, [SEP].
// No prefix is added.
func (m *Model) Tokenize(text string) []int32 {
	return m.tokenizer.AppendEncoded(nil, text, m.maxTokens)
}
