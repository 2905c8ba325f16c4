// What an answer's envelope says: the model's text, why it ended, and its cost.

package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/contextforge-go/contextforge/distill"
)

// reply is what was read out of an answer.
type reply struct {
	memory    distill.DistilledMemory
	dropped   []distill.Dropped // by place in the reply, ascending
	text      string            // that it was read from
	recovered bool
	truncated bool
}

// places returns where in the reply the facts of the memory stood.
func (r reply) places() []int {
	places := make([]int, 0, len(r.memory.Facts))
	for place, next := 0, 0; len(places) < len(r.memory.Facts); place++ {
		if next < len(r.dropped) && r.dropped[next].Index == place {
			next++
			continue
		}
		places = append(places, place)
	}
	return places
}

// flaw is why an answer can't be used.
type flaw struct {
	problem string
	text    string // as the server wrote it
	kind    error  // ErrTruncated, ErrRefused or nil
}

// Reasons for which a model stops that matter here.
const (
	finishLength = "length"
	finishFilter = "content_filter"
)

type envelope struct {
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

// choice has no types where a good reply isn't to fail for another one.
type choice struct {
	Finish  json.RawMessage `json:"finish_reason"`
	Message struct {
		Content   json.RawMessage `json:"content"`
		Refusal   json.RawMessage `json:"refusal"`
		Reasoning json.RawMessage `json:"reasoning"`
		Thoughts  json.RawMessage `json:"reasoning_content"`
	} `json:"message"`
}

// readAnswer reads the body of an answer with status 2xx.
func readAnswer(body []byte) (reply, distill.Usage, *flaw) {
	usage := distill.Usage{Calls: 1}
	var e envelope
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte(byteOrderMark)), &e); err != nil {
		return reply{}, usage, &flaw{problem: "invalid response envelope: " + plainly(err), text: string(body)}
	}
	usage.PromptTokens, usage.CompletionTokens = tokens(e.Usage)
	if len(e.Choices) == 0 {
		if message, _ := errorIn(body); len(e.Error) > 0 {
			return reply{}, usage, &flaw{problem: "the response is an error", text: message}
		}
		return reply{}, usage, &flaw{problem: "the response has no choices", text: string(body)}
	}
	r, f := readChoice(e.Choices[0])
	return r, usage, f
}

// plainly says what a JSON error is without quoting the text.
func plainly(err error) string {
	switch e := err.(type) {
	case *json.SyntaxError:
		return fmt.Sprintf("not JSON from byte %d on", e.Offset)
	case *json.UnmarshalTypeError:
		return fmt.Sprintf("%s is of the wrong type", e.Field)
	}
	return "not JSON"
}

// tokens reads the counts of a usage object; what isn't there or isn't a count is
// 0, since a good reply isn't to fail for it.
func tokens(raw json.RawMessage) (prompt, completion int) {
	var counts map[string]json.RawMessage
	if json.Unmarshal(raw, &counts) != nil {
		return 0, 0
	}
	count := func(key string) int {
		var n int
		if json.Unmarshal(counts[key], &n) != nil {
			return 0
		}
		return max(0, n)
	}
	return count("prompt_tokens"), count("completion_tokens")
}

// readChoice reads the first choice.
func readChoice(c choice) (reply, *flaw) {
	text, refusal := contentOf(c.Message.Content)
	if said := stringIn(c.Message.Refusal); said != "" {
		refusal = said
	}
	finish := stringIn(c.Finish)
	cut := finish == finishLength
	thoughts := strings.TrimSpace(text) == ""
	if thoughts && !cut {
		if text, _ = contentOf(c.Message.Thoughts); strings.TrimSpace(text) == "" {
			text, _ = contentOf(c.Message.Reasoning)
		}
	}
	r, problem := readReply(text, cut)
	if problem == "" && !(thoughts && r.truncated) {
		return r, nil
	}
	f := &flaw{problem: problem, text: text}
	switch {
	case refusal != "":
		f.problem, f.text, f.kind = "the model refused", refusal, ErrRefused
	case finish == finishFilter:
		f.problem, f.kind = "a filter withheld the reply", ErrRefused
	case cut:
		f.problem, f.kind = "the reply was cut off by its limit of tokens; distill smaller chunks or allow more", ErrTruncated
	case thoughts:
		f.problem = "the response has no message content"
	}
	return reply{}, f
}

// stringIn returns a JSON string, "" for anything else.
func stringIn(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// contentOf returns the text of a content: a string, an array of parts of which
// those with thoughts are passed over, or the document itself as an object.
func contentOf(raw json.RawMessage) (text, refusal string) {
	if len(raw) == 0 {
		return "", ""
	}
	if raw[0] == '{' {
		return string(raw), ""
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, ""
	}
	var parts []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", ""
	}
	var b strings.Builder
	for _, part := range parts {
		switch part.Type {
		case "text", "output_text", "":
			b.WriteString(part.Text)
		case "refusal":
			refusal += part.Refusal
		}
	}
	return b.String(), refusal
}
