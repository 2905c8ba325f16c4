// This file decides how the number of the newest acknowledged commit is kept
// outside the log that could lose it.

// Package ackmark encodes the mark a store leaves beside its log after every
// acknowledged commit. A log whose tail was cut off, or that was damaged in
// its last part, looks to its reader like one that simply ended earlier; the
// mark tells the two apart.
//
//	byte  0     4     8             16            24    28
//	      +-----+-----+-------------+-------------+-----+
//	      |magic| ver | acknowledged| lost        | crc |   little-endian
//	      +-----+-----+-------------+-------------+-----+
//
// The mark is overwritten in place without a sync, and only after the commit
// it names is on stable storage. So a crash can leave it behind the truth,
// never ahead of it: it can miss a loss, not invent one.
package ackmark

import (
	"encoding/binary"
	"hash/crc32"
)

// Size is the length of an encoded mark in bytes. It is smaller than a disk
// sector, so that a crash leaves the old mark or the new one.
const Size = 28

const (
	magic   = 0x4b414643 // "CFAK"
	version = 1
)

// Mark is what a store remembers about its acknowledged commits.
type Mark struct {
	// Acknowledged is the number of the newest commit whose durability was
	// promised to a caller.
	Acknowledged uint64
	// Lost counts acknowledged commits found missing at an earlier open, until
	// that is accepted.
	Lost uint64
}

// Encode returns the mark's bytes.
func (m Mark) Encode() [Size]byte {
	var b [Size]byte
	binary.LittleEndian.PutUint32(b[0:], magic)
	binary.LittleEndian.PutUint32(b[4:], version)
	binary.LittleEndian.PutUint64(b[8:], m.Acknowledged)
	binary.LittleEndian.PutUint64(b[16:], m.Lost)
	binary.LittleEndian.PutUint32(b[24:], checksum(b[:24]))
	return b
}

// Decode reads a mark; ok is false if b holds none, which tells the reader
// that it knows nothing, not that something is wrong with the store.
func Decode(b []byte) (m Mark, ok bool) {
	if len(b) < Size || binary.LittleEndian.Uint32(b) != magic ||
		binary.LittleEndian.Uint32(b[4:]) != version ||
		binary.LittleEndian.Uint32(b[24:]) != checksum(b[:24]) {
		return Mark{}, false
	}
	m.Acknowledged = binary.LittleEndian.Uint64(b[8:])
	m.Lost = binary.LittleEndian.Uint64(b[16:])
	return m, true
}

// Reconcile compares the mark with present, the newest commit actually found,
// and returns the mark to go on with. New commits must be numbered from
// Acknowledged+1, so that a lost number is never given out again.
func (m Mark) Reconcile(present uint64) Mark {
	if present >= m.Acknowledged {
		m.Acknowledged = present
		return m
	}
	m.Lost += m.Acknowledged - present
	return m
}

func checksum(b []byte) uint32 {
	return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
}
