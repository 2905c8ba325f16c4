// Package vecindex is a persistent flat index of vectors: exact nearest
// neighbours by cosine, found by a scan of 8-bit codes and exact products of
// the few vectors that can be among them.
//
// An [Index] knows documents ([Doc]) by number; a document has a scope and one
// vector for each window of its text. The caller collects changes in a [Tx],
// which puts the index's keys into the caller's own batch, so that index and
// data become durable as one. A [View] is an immutable state that is searched
// together with a snapshot of the store.
//
//	tx := ix.Begin()
//	err := tx.Add(vecindex.Doc{Num: 7, Vectors: vectors})
//	err = tx.Apply(batch)   // then commit the batch
//	tx.Publish()
//	hits, err := ix.View().Search(ctx, snapshot, query, vecindex.Filter{}, 50)
//
// The first search reads the codes into memory, up to Options.MaxResident bytes
// of them; it reads the rest from the snapshot, every time.
//
// # How a search works
//
// A vector v of length 1 is stored twice: as float32 (the master), and as a code
// c of 8-bit numbers with a scale s and the length of the residual v - s·c. The
// query becomes 16-bit numbers, with a residual of its own. The product of the
// codes is exact, and with the residuals it gives an interval that holds the true
// score (query.bounds). The k-th best lower end over distinct documents is what a
// vector's upper end must reach; those that do are scored by their masters, from
// the highest upper end down, until no other can reach the k-th score.
//
// View.Scores looks up documents that are known already, exactly, View.Approximate
// by their codes alone. View.Survey searches and says how the scores of all
// documents of the scope are distributed.
//
// # Guarantees
//
// Exactness: Search returns the numbers, windows and scores, to the bit, that
// simd.Dot of the query and all masters would give, on every platform, whatever
// is in memory. A score is the cosine, up to float32 rounding.
//
// Durability: whatever a commit held is there. Bytes that were damaged later are
// found by View.Verify, and Repair keeps what they leave.
//
// Concurrency: one writer at a time, which the caller sees to; any number of
// searches beside it. A writer never waits for a search or for the first
// reading. A view keeps its answers for as long as its snapshot is open. No
// goroutine outlives the call that started it.
//
// # Caveats
//
// A view and its snapshot have to belong together; see Index.View. The windows
// given to Tx.Add must be new ones; View.Verify finds out. Time of a search grows
// with the number of vectors of its scope; what is beyond Options.MaxResident
// costs about a microsecond a vector. A search, or Index.Load, that finds many
// dead codes in memory copies the others first, and needs the room for both.
//
// # Format
//
// All keys begin with Options.Prefix. Integers in keys are big-endian, in values
// little-endian. Every value begins with a format byte (1) and ends with a
// CRC-32C of all before it.
//
//	key                         value
//	prefix 'S'                  state
//	prefix 'C' num(8) window(2) code row
//	prefix 'V' num(8) window(2) master
//
//	state     +--------+--------+--------------+------------+--------+
//	          | 1 (1)  | dim(4) | documents(8) | vectors(8) | crc(4) |
//	          +--------+--------+--------------+------------+--------+
//	code row  +--------+----------+-------------+-----------+-------+------------+--------+
//	          | 1 (1)  | scale(4) | residual(4) | length(4) | scope | codes(dim) | crc(4) |
//	          +--------+----------+-------------+-----------+-------+------------+--------+
//	master    +--------+---------------+--------+
//	          | 1 (1)  | float32 × dim | crc(4) |
//	          +--------+---------------+--------+
//
// scale and residual are float32; length is that of the scope in bytes.
package vecindex
