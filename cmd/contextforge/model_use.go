package main

// This file decides what is told of a model that embed can use, and of one that it
// can't.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// modelUse is what embed makes of a model. Of one that it can't use there is the
// reason alone.
type modelUse struct {
	Usable bool   `json:"usable"`
	Reason string `json:"reason,omitempty"`
	*modelSettings
}

// modelSettings are those without flags.
type modelSettings struct {
	ID             string   `json:"id"`
	MaxTokens      int      `json:"max_tokens"`
	Pooling        string   `json:"pooling"`
	QueryPrefix    string   `json:"query_prefix"`
	DocumentPrefix string   `json:"document_prefix"`
	EightBit       []string `json:"int8_tensors"` // matrices that are multiplied as 8-bit numbers
	matrices       int      // of all layers
}

// useOf loads the model of a file. An error is about the reading, not the model.
func useOf(file io.ReaderAt, f *gguf.File) (modelUse, error) {
	m, err := minilm.Read(file, int64(f.Size), minilm.Config{})
	switch {
	case err == nil:
	case isUnusable(err), errors.Is(err, minilm.ErrConfig):
		return modelUse{Reason: strings.TrimPrefix(message(err), "not a usable model: ")}, nil
	default:
		return modelUse{}, err
	}
	prefixes := m.Prefixes()
	s := &modelSettings{
		ID: m.ID(), MaxTokens: m.MaxTokens(), Pooling: m.Pooling().String(),
		QueryPrefix: prefixes.Query, DocumentPrefix: prefixes.Document,
	}
	s.EightBit, s.matrices = eightBitOf(f, m.Layers())
	return modelUse{Usable: true, modelSettings: s}, nil
}

// eightBitOf returns the matrices of so many layers that are multiplied as 8-bit
// numbers, and how many matrices there are.
func eightBitOf(f *gguf.File, layers int) (names []string, all int) {
	names = []string{} // as JSON has it
	for i := range layers {
		for _, group := range multiplied(i) {
			all += len(group)
			if allQ8(f, group) {
				names = append(names, group...)
			}
		}
	}
	return names, all
}

// multiplied returns the names of a layer's matrices. Those of a group are
// multiplied at once, as 8-bit numbers only if all of them are stored so.
func multiplied(layer int) [][]string {
	groups := [][]string{{"attn_q", "attn_k", "attn_v"}, {"attn_output"}, {"ffn_up"}, {"ffn_down"}}
	for _, group := range groups {
		for i, name := range group {
			group[i] = fmt.Sprintf("blk.%d.%s.weight", layer, name)
		}
	}
	return groups
}

func allQ8(f *gguf.File, names []string) bool {
	for _, name := range names {
		if t, ok := f.Tensor(name); !ok || t.Type != gguf.Q8_0 {
			return false
		}
	}
	return true
}

// mostReason is how much of a reason is shown, which can quote a file's strings.
const mostReason = 300

// lines returns what is to be shown, with names.
func (u *modelUse) lines() []modelLine {
	if !u.Usable {
		return []modelLine{{"embedding", "no: " + cutTo(u.Reason, mostReason)}}
	}
	return []modelLine{
		{"embedding", "yes"},
		{"limit", count(u.MaxTokens, "token", "tokens")},
		{"prefixes", u.prefixes()},
		{"identity", visible(u.ID)},
		{"8-bit", u.eightBit()},
	}
}

func (u *modelUse) prefixes() string {
	var parts []string
	for _, p := range []struct{ kind, text string }{{"query", u.QueryPrefix}, {"document", u.DocumentPrefix}} {
		if p.text != "" {
			parts = append(parts, fmt.Sprintf(`%s "%s"`, p.kind, visible(p.text)))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func (u *modelUse) eightBit() string {
	if len(u.EightBit) == 0 {
		return "no tensor: all are multiplied as float32"
	}
	text := fmt.Sprintf("%d of %d matrices", len(u.EightBit), u.matrices)
	if len(u.EightBit) < u.matrices {
		text += ": " + strings.Join(u.EightBit, ", ")
	}
	return text
}
