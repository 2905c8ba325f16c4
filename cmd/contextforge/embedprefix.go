package main

// This file decides what stands before the texts of embed.

import (
	"fmt"
	"strings"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// builtInPrefixes is a sentence of a help text.
func builtInPrefixes() string {
	if hasBuiltIn {
		return "\nThe built-in model has none."
	}
	return ""
}

// loader returns what loads the model with the right prefix.
func (f *embedFlags) loader(a *app) (func() (*minilm.Model, error), error) {
	var given, other string
	switch f.as {
	case "text":
		given, other = "", f.queryPrefix+f.documentPrefix
	case "query":
		given, other = f.queryPrefix, f.documentPrefix
	case "document":
		given, other = f.documentPrefix, f.queryPrefix
	default:
		return nil, usagef("--as %q is not text, query or document", f.as)
	}
	switch {
	case other != "" && f.queryPrefix != "" && f.documentPrefix != "":
		return nil, usagef("--query-prefix and --document-prefix exclude each other: all texts of a run are of one kind")
	case other != "" && f.queryPrefix != "":
		return nil, usagef("--query-prefix needs --as query")
	case other != "":
		return nil, usagef("--document-prefix needs --as document")
	case f.as == "text" || given != "":
		return func() (*minilm.Model, error) { return f.load(&minilm.Prefixes{Document: given}) }, nil
	}
	return func() (*minilm.Model, error) { return f.loadAs(a) }, nil
}

// loadAs returns the model with its own prefix of a kind of texts. That of queries
// is put in the place of that of documents, for only these are embedded in batches
// and windows.
func (f *embedFlags) loadAs(a *app) (*minilm.Model, error) {
	m, err := f.load(nil)
	if err != nil {
		return nil, err
	}
	known := m.Prefixes()
	if known == (minilm.Prefixes{}) {
		f.noteNoPrefix(a, m.Name())
	}
	if f.as == "document" || known.Query == known.Document {
		return m, nil
	}
	return f.load(&minilm.Prefixes{Document: known.Query})
}

// noteNoPrefix says that --as changes nothing, unless that is how the model was
// trained, which is known of the built-in one, in a file or not.
func (f *embedFlags) noteNoPrefix(a *app, name string) {
	if f.model == "" || strings.EqualFold(name, allminilm.Name) {
		return
	}
	called := "without a name"
	if name != "" {
		called = fmt.Sprintf("%q", visible(name))
	}
	a.note("no prefix is known of the model %s: --as %s puts nothing before the texts; --%s-prefix TEXT gives one", called, f.as, f.as)
}
