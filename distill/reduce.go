// From the memories of all chunks to one memory, by merging or by the model.

package distill

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Reduce is how the memories of several chunks become one.
type Reduce int

const (
	// Structural joins them by [Merge], without a call of the inner distiller.
	Structural Reduce = iota
	// LLM has the inner distiller distill their text once more.
	LLM
)

// maxReductions bounds how often memories are distilled again.
const maxReductions = 8

// reduceLLM distills the rendered parts. While they are longer than maxChars
// they are split and distilled chunk by chunk, which gives fewer or shorter
// parts; when it doesn't, or not soon enough, they are merged.
func (c *chunking) reduceLLM(ctx context.Context, parts []DistilledMemory) (DistilledMemory, error) {
	if len(parts) == 0 {
		return DistilledMemory{}, nil
	}
	before := -1
	for range maxReductions {
		text := render(parts)
		length := utf8.RuneCountInString(text)
		if before >= 0 && length >= before {
			break
		}
		chunks := SplitOnBudget(text, c.maxChars)
		next, failed := c.distillAll(ctx, chunks, nil)
		if err := ctx.Err(); err != nil {
			return DistilledMemory{}, err
		}
		if len(failed) > 0 {
			return DistilledMemory{}, fmt.Errorf("distill: reducing %d memories: %w", len(parts), failed[0].Err)
		}
		if len(chunks) == 1 {
			return c.clean(next[0]), nil
		}
		parts, before = c.cleanAll(next), length
	}
	return Merge(parts...), nil
}

// render writes memories as text to distill: for each a numbered summary, then
// its facts with their kinds. Every summary and fact keeps to its line, so that
// none can pass for another.
func render(parts []DistilledMemory) string {
	var b strings.Builder
	for i, part := range parts {
		fmt.Fprintf(&b, "Part %d summary: %s\n", i+1, oneLine(part.Summary))
		if len(part.Facts) > 0 {
			b.WriteString("Facts:\n")
		}
		for _, fact := range part.Facts {
			fmt.Fprintf(&b, "- [%s] %s\n", capitalised(fact.Kind), oneLine(fact.Text))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func capitalised(k Kind) string {
	if k == "" {
		return ""
	}
	return strings.ToUpper(string(k[:1])) + string(k[1:])
}

// oneLine returns text with every run of blanks as one space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
