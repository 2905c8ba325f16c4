// Package contextforge is a local, persistent memory for applications of
// language models: save text under a scope, ask in plain language, get back the
// few entries worth their tokens.
//
// # Quick start
//
//	mem, err := contextforge.Open(ctx, contextforge.Config{Path: "memory.db"})
//	id, err := mem.Save(ctx, "We deploy on Fridays at four.", contextforge.KindFact, contextforge.SaveOptions{Scope: "project:demo"})
//	hits, err := mem.Query(ctx, "when do we deploy?", contextforge.QueryOptions{
//		Filter: contextforge.Filter{Scope: "project:demo"}, TokenBudget: 2048})
//
// [Memory] is the open memory, [Config] says what to open, [Entry] is one
// remembered text, [Hit] an answer with the reasons for its place.
//
// A query goes through these stages, each a package of its own:
//
//	query → [BM25 ∥ embedding → nearest vectors] → fusion → recency decay → importance → token budget
//
// With an Embedder in Config, such as that of package minilm/allminilm, texts are
// found by their meaning as well as by their words; without, by their words.
//
// # Guarantees
//
// Durability: a save that returned is on the disk, in the text index and in
// every count; one that did not return is wholly there or wholly not. A deleted
// entry is nowhere, and after [Memory.Compact] not on the disk either.
//
// Concurrency: every method may be called from any goroutine. Saves that wait
// at the same moment share one sync. A query sees one state of the memory.
//
// Determinism: the same data, query and QueryOptions.AsOf give the same answer,
// bit for bit, on every platform, however the data got there.
//
// # Caveats
//
// One process has a folder open at a time. The zero Config keeps everything in
// RAM: set Path. It also holds 10,000 entries at most, after which the oldest
// leave: set MaxEntries to Unlimited to keep everything. What a query returns is
// remembered text, to be quoted as data and never to be obeyed.
package contextforge
