package embedbench

// This file decides which texts are embedded: English, of exactly so many tokens.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/contextforge-go/contextforge/testdata/conversation"
)

// different is the number of different texts of each length.
const different = 32

// encode returns the ids of a text, [CLS] and [SEP] included.
type encode func(text string) []int32

// sample is what one call embeds.
type sample struct {
	texts []string
	ids   [][]int32
}

// turns returns the bundled conversation, one text a turn.
func turns() ([]string, error) {
	data, err := conversation.FS.ReadFile("turns.jsonl")
	if err != nil {
		return nil, err
	}
	var out []string
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var line struct {
			Content string `json:"content"`
		}
		if err := dec.Decode(&line); err != nil {
			return nil, err
		}
		out = append(out, line.Content)
	}
	return out, nil
}

// frame is the tokens of a text without words: [CLS] and [SEP].
const frame = 2

// ofTokens returns n texts of exactly so many tokens: the conversation's words in
// their order, each text going on where the one before ended. A word that would
// be too many is left out.
func ofTokens(n, tokens int, tok encode) ([]string, error) {
	conversation, err := turns()
	if err != nil {
		return nil, err
	}
	return fill(n, tokens, strings.Fields(strings.Join(conversation, " ")), tok)
}

func fill(n, tokens int, words []string, tok encode) ([]string, error) {
	var out []string
	next, unused := 0, 0
	for range n {
		var chosen []string
		for has := frame; has < tokens; next = (next + 1) % len(words) {
			// Between words stands a space, where no token goes across.
			need := len(tok(words[next])) - frame
			if need < 1 || has+need > tokens {
				if unused++; unused > len(words) {
					return nil, fmt.Errorf("no words fill up a text of %d tokens", tokens)
				}
				continue
			}
			chosen, has, unused = append(chosen, words[next]), has+need, 0
		}
		text := strings.Join(chosen, " ")
		if got := len(tok(text)); got != tokens {
			return nil, fmt.Errorf("a text has %d tokens, not %d: is that more than the model takes?", got, tokens)
		}
		out = append(out, text)
	}
	return out, nil
}

// samples returns texts in calls of batch texts, which differ from one to the
// next as far as there are texts.
func samples(batch, tokens int, tok encode) ([]sample, error) {
	texts, err := ofTokens(max(different, batch), tokens, tok)
	if err != nil {
		return nil, err
	}
	var out []sample
	for ; len(texts) >= batch; texts = texts[batch:] {
		s := sample{texts: texts[:batch]}
		for _, text := range s.texts {
			s.ids = append(s.ids, tok(text))
		}
		out = append(out, s)
	}
	return out, nil
}
