// Package bm25 is a persistent, incremental inverted index with exact BM25
// scores, kept as values in a key-value store.
//
// An [Index] knows documents ([Doc]): a number, an id, a scope, times, and the
// terms of an analysed text. The caller collects changes in a [Tx], which puts
// the index's keys into the caller's own batch, so that index and data become
// durable as one. A [View] is an immutable state that is searched together with
// a snapshot of the store. A [Job] tidies up in the background.
//
//	tx := ix.Begin()
//	tx.Add(doc)
//	err := tx.Apply(batch)   // then commit the batch
//	tx.Publish()
//	hits, err := ix.View().Search(ctx, snapshot, terms, bm25.Filter{}, 50)
//
// Callers that rank by more than Search does score for themselves:
// [View.Frequencies] counts terms in documents, [View.Statistics] gives what
// scores depend on for one scope or all, [Scorer] is the formula.
//
// New documents live in the tail, in memory; the caller's own records, asked for
// through Options.Tail, rebuild it after reopening. A full tail is sealed into a
// segment, neighbouring segments are merged, and a segment with many deleted
// documents is rewritten; Index.Plan says when. Inside a segment documents are
// ordered by scope and number, so that a scope is one contiguous range of local
// ids and a search in it is work proportional to it.
//
// # Guarantees
//
// Exactness: document count, average length and document frequencies are always
// those of the live documents, of all scopes, and a score is summed in the order
// of the query's terms without fused operations. So after any sequence of adds,
// deletes, merges and reopenings Search returns the same ids with the same
// scores, bit for bit, as an index built afresh from the live documents, on
// every platform.
//
// Durability: whatever a commit held is there. A job that didn't finish leaves
// only invisible values, which a later one removes.
//
// Concurrency: one writer at a time, which the caller sees to; any number of
// searches beside it and beside jobs. A view keeps its answers for as long as its
// snapshot is open.
//
// # Caveats
//
// Delete needs the vector the document was added with; another one makes the
// statistics wrong (View.Verify finds out). A view and its snapshot have to
// belong together; see Index.View. Scores of a term in every document are tiny,
// but positive.
//
// # Format
//
// All keys begin with Options.Prefix. Integers in keys are big-endian, in values
// little-endian or, where not told otherwise, varints; a text is its length and
// its bytes. Every value begins with a format byte and ends with a CRC-32C of all
// before it.
//
//	prefix S                          state: next segment id, sealed up to, last
//	                                  number, documents, tokens, tail documents
//	prefix G seg(4)                   description of a segment; makes it visible
//	prefix X seg(4) C column(1) page(4)   column page, see columns.go
//	prefix X seg(4) D number(8)       tombstone: length, count, per term text and
//	                                  frequency
//	prefix X seg(4) I part(4)         sparse index of the term blocks
//	prefix X seg(4) P list(4) chunk(4)    posting chunk, see postings.go
//	prefix X seg(4) T block(4)        term block, see terms.go
//
// A segment's values share the prefix X seg, so one range deletion removes them.
package bm25
