// Package pebblekv is the ordered key-value store on disk: Pebble, with the
// faults that a library's host must not feel taken out.
//
// [Open] returns a [Store], which implements kv.Store; [Options] has one knob,
// SmallDevice. [Salvage] copies what is readable out of a folder that Open
// refuses; [Hold] keeps others out of that folder meanwhile and afterwards.
//
// # Guarantees
//
// Concurrency: everything but a batch and an iterator may be used by many
// goroutines. Concurrent kv.Sync commits share one disk sync.
//
// Durability: a kv.Sync commit is on stable storage when Commit returns, wholly
// or, after a crash before it returned, not at all. Every commit carries a
// number under a reserved key, and the newest acknowledged number is noted in a
// file of its own. If a damaged log has lost acknowledged commits, Open logs
// how many and Verify reports them until [Store.AcceptLoss]. In a folder that
// holds a complete store Open never begins a new one, whatever file is missing:
// it returns kv.ErrCorrupt and deletes nothing.
//
// Failure: the first write, sync or rename that the disk refuses makes the
// store failed. From then on nothing on disk changes any more, every write
// returns kv.ErrFailed with the cause, and reads and Close work. Neither a full
// disk nor any other I/O error ends the process.
//
// Deletion: when Compact returns, values deleted before it began are in no file
// of the folder, unless an open snapshot, iterator or value needs them.
//
// # Caveats
//
// The package is empty where Pebble does not build: js/wasm, wasip1, illumos,
// Solaris, AIX, Plan 9; use kv/memkv there. With cgo enabled Pebble links C code
// for its memory and for Zstandard; set CGO_ENABLED=0 for a pure Go program. What
// is written is readable by either.
//
// # Folder
//
//	CONTEXTFORGE     "contextforge pebblekv 1\n": whose folder it is, and its format
//	CONTEXTFORGE.new there until a new store is complete, empty
//	ACKNOWLEDGED     mark of the newest acknowledged commit, see kv/internal/ackmark
//	LOCK             held while open
//	*.sst, *.log, MANIFEST-*, OPTIONS-*, marker.*    Pebble's
//
// Reserved keys begin with 0xFF: "\xffseq" is the number of the newest commit,
// "\xfflost" how many acknowledged commits were ever found missing here (8 bytes
// each, big-endian).
package pebblekv
