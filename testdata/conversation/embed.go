// Package conversation holds the bundled nine-month conversation and its
// questions, so that programs and tests find them wherever they run. README.md
// beside it says what the files contain.
package conversation

import "embed"

// FS holds turns.jsonl and questions.jsonl.
//
//go:embed turns.jsonl questions.jsonl
var FS embed.FS
