// What is sent.

package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/distill"
)

// schemaText is the JSON schema of a memory. The kinds are those of
// [distill.Kinds].
const schemaText = `{"type":"object",` +
	`"properties":{"summary":{"type":"string"},` +
	`"facts":{"type":"array","items":{"type":"object",` +
	`"properties":{"kind":{"type":"string","enum":["decision","correction","preference","state"]},"text":{"type":"string"}},` +
	`"required":["kind","text"],"additionalProperties":false}}},` +
	`"required":["summary","facts"],"additionalProperties":false}`

// secondAttemptNote stands before the schema when response_format doesn't carry
// it.
const secondAttemptNote = "Now distill the transcript above. Reply with nothing but one JSON object that fits this JSON schema:"

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type namedSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type responseFormat struct {
	Type       string          `json:"type"`
	JSONSchema *namedSchema    `json:"json_schema,omitempty"`
	Schema     json.RawMessage `json:"schema,omitempty"`
}

// requestBody has keys of the standard only.
type requestBody struct {
	Model          string          `json:"model"`
	Messages       []message       `json:"messages"`
	ResponseFormat *responseFormat `json:"response_format,omitempty"`
	Temperature    *float64        `json:"temperature,omitempty"`
	MaxTokens      int             `json:"max_tokens,omitempty"`
}

func (s Schema) responseFormat() *responseFormat {
	if s == SchemaLlamaServer {
		return &responseFormat{Type: "json_object", Schema: json.RawMessage(schemaText)}
	}
	return &responseFormat{
		Type:       "json_schema",
		JSONSchema: &namedSchema{Name: "distilled_memory", Strict: true, Schema: json.RawMessage(schemaText)},
	}
}

// body returns the request for a transcript, which must not be longer than is to
// be sent. The second attempt carries the schema in the prompt.
func (o *Options) body(transcript string, second bool) ([]byte, error) {
	request := requestBody{
		Model:       o.Model,
		Messages:    []message{{"system", distill.SystemPrompt()}, {"user", distill.Delimit(transcript)}},
		Temperature: o.Temperature,
		MaxTokens:   o.MaxTokens,
	}
	if second {
		request.Messages[1].Content += "\n---\n" + secondAttemptNote + "\n" + schemaText + "\n"
	} else {
		request.ResponseFormat = o.Schema.responseFormat()
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(request); err != nil {
		return nil, fmt.Errorf("openai: encoding the request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// keepEnd returns the last n chars of text, all of it if n is negative, and how
// many there are in it. Bytes that aren't UTF-8 count one by one.
func keepEnd(text string, n int) (end string, total int) {
	total = utf8.RuneCountInString(text)
	if n < 0 || total <= n {
		return text, total
	}
	pos := len(text)
	for range n {
		_, width := utf8.DecodeLastRuneInString(text[:pos])
		pos -= width
	}
	return text[pos:], total
}
