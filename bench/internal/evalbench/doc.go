// Package evalbench measures how well a memory finds what was asked for, on sets
// of documents, questions and judgements.
//
// [Find] reads the sets of a folder, [Pipelines] lists the configurations that can
// be compared, [Run] saves every set into a contextforge.Memory of each of them, asks
// it every question through Memory.Query, and judges the answers. The [Report]
// renders as text and encodes as JSON. It has figures only: no text, no name and no
// id out of a set.
//
// # A set
//
// A folder with corpus.jsonl, a document a line ({"id", "text"} and, as far as there
// are, "scope", "timestamp", "session", "kind"; other fields become metadata),
// queries.jsonl ({"id", "text"} and "scope", "category" or "type", "timestamp"), and
// qrels.tsv (question, document and grade, separated by tabs, relevant from grade 1 on).
// Where the judgements name sessions instead of documents, a session is what has to be
// found. Times are in RFC 3339, Unix seconds, or dates with or without a time of day; "time"
// and "date" stand in for a missing timestamp where they hold one. Documents without text and
// judgements of unknown questions are left out, and judged documents that aren't there
// count as not found; the report has their numbers.
//
// # What is asked
//
// A question is asked within its scope when it has one, as of its own time or else of
// a second after the newest document that it could find: once with
// a limit of 50 for recall, nDCG and MRR, and once with a limit of 500 for what
// evidence fits a token budget and for sessions, which need a deeper ranking, neither
// with a token budget; and once for each budget through Memory.QueryBlock, without a limit.
// Questions without a relevant document are left out.
//
// # Figures
//
// Gains are 0 or 1; nDCG is that of Järvelin and Kekäläinen, "Cumulated gain-based
// evaluation of IR techniques", ACM TOIS 20(4), 2002. The evidence within a budget is what a walk
// down the ranking takes that skips what doesn't fit any more, at a token for every
// four bytes of the document. The evidence within a rendered budget is what is in the block
// that QueryBlock makes: packed by the product, tokens counted by budget.Estimate over the whole
// block with its frame and the label of each entry, which has all fields unless
// Options.Render leaves some out. The intervals of differences are those of the paired
// bootstrap: 95 % of the means of resampled questions lie within (Efron and
// Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).
//
// # Guarantees
//
// All figures but the times depend on the set, the pipeline and the model alone.
// [Cache] keeps vectors in a file, so that a text is embedded once and not
// for every pipeline and run.
//
// # The file of a Cache
//
//	header   magic "cfvectr1" (8) | SHA-256 of the model's id (32) | dimension (4)
//	record   SHA-256 of 'd' or 'q' and the text (32) | dimension × float32 | CRC-32C of both (4)
//	record   …
//
// Integers and floats are little-endian. 'q' is a text that was searched for, 'd' one
// that is searched in. A record that is cut off or doesn't fit its checksum ends
// the file; it and what follows are made again.
//
// # Caveats
//
// Times are those of one process that asks one question after another; the vector
// of the question is at hand, so that the model's time is not in them.
package evalbench
