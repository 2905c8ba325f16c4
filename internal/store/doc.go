// Package store joins the key-value store, the text index and the orders by
// time, scope and session into one durable collection of records.
//
// The main types are [Store], which owns the data, [View], one frozen state of
// it that is searched and listed, and [Record], one stored entry.
//
// # Guarantees
//
// Every change (save, batch, update, delete, eviction, expiry) is one atomic
// commit of the record, its id, its places in the orders, the counters and the
// text index. Changes waiting at the same moment share a commit and its sync
// (group commit). A change is visible once it is durable, wholly and
// everywhere: a View shows the records, the orders and the index of the same
// commit. All methods of Store are safe for concurrent use; a View belongs to
// one reader until it is closed.
//
// # Caveats
//
// One Store per folder. A View keeps overwritten data alive, so close it soon.
// The layout of the keys is drawn in keys.go, that of a record in record.go.
package store
