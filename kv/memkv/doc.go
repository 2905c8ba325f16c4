// Package memkv is an ordered key-value store that lives in memory, with an
// optional folder that makes it durable. It builds on every platform Go has
// and is the store where kv/pebblekv does not build: browsers and WASI, illumos,
// Solaris, AIX, Plan 9.
//
// [New] returns a store without a folder, [Open] one whose commits are also
// written to a log. Both are a [Store] and implement kv.Store.
//
// # Guarantees
//
// Concurrency: everything but a batch and an iterator may be used by many
// goroutines. Commits are serialised. A snapshot is O(1): it shares the tree,
// and later commits copy the nodes they touch.
//
// Durability: a kv.Sync commit has been appended to the log and synced before
// it becomes visible. A batch is one log record, so after a crash it is there
// wholly or not at all. A record cut off at the end of the log is dropped at
// open; a damaged record with intact ones after it is kv.ErrCorrupt. A mark
// beside the log tells when acknowledged commits are missing from its end:
// that is logged at open and reported by Verify until [Store.AcceptLoss].
//
// # Caveats
//
// All data is in memory, and Open reads it all. When the log has outgrown the
// data, the commit that notices writes a snapshot before it returns. The
// folder is locked against a second opener except under js/wasm, wasip1 and
// Plan 9, where only stores of the same process exclude one another. There
// (and on Windows) a folder can't be synced either, so that a power loss right
// after a snapshot relies on the file system's own ordering of renames.
//
// # Folder
//
//	memkv-0000000000000007.snap   the state when generation 7 began
//	memkv-0000000000000007.log    every commit since
//	memkv.ack                     mark of the newest acknowledged commit
//	memkv.lock                    held while open
//
// Snapshot and log are sequences of records:
//
//	byte  0        4        8          16
//	      +--------+--------+----------+---------------+
//	      | length | crc32c | sequence | payload       |   little-endian
//	      +--------+--------+----------+---------------+
//
// length counts the payload, the checksum covers everything but itself, and
// sequence is the number of the commit. The first record is a header whose
// payload is "CFKVSNP1" or "CFKVLOG1" and the generation (8 bytes); in a log
// each further payload is a batch, in a snapshot a batch of Sets, and its last
// record is "CFKVEND1" and the number of entries. A batch is a sequence of
//
//	kind (1 byte) | uvarint n | n bytes | uvarint m | m bytes
//
// with kind 1 Set (key, value), 2 Delete (key, nothing), 3 DeleteRange (lower,
// upper). A snapshot becomes valid by being renamed from a name ending in
// ".tmp", after its log exists; the highest generation is the store.
package memkv
