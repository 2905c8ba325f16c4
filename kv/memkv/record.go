// This file decides how records are framed, and how a cut-off tail is told
// from damage.

package memkv

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/contextforge-go/contextforge/kv"
)

const frameHeader = 16

// Payload prefixes of the records that are not batches.
const (
	snapshotMagic = "CFKVSNP1"
	logMagic      = "CFKVLOG1"
	endMagic      = "CFKVEND1"
	magicSize     = 8
)

// appendFrame appends one record to dst.
func appendFrame(dst []byte, sequence uint64, payload []byte) []byte {
	at := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	dst = binary.LittleEndian.AppendUint64(dst, sequence)
	dst = append(dst, payload...)
	binary.LittleEndian.PutUint32(dst[at+4:], frameSum(dst[at:]))
	return dst
}

// frameSum is the checksum of a record over all but the checksum itself.
func frameSum(frame []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(frame[:4], table), table, frame[8:])
}

// cutFrame takes the record off the front of data; ok is false if there is no
// intact one.
func cutFrame(data []byte) (sequence uint64, payload, rest []byte, ok bool) {
	if len(data) < frameHeader {
		return 0, nil, nil, false
	}
	n := uint64(binary.LittleEndian.Uint32(data))
	if n > uint64(len(data)-frameHeader) {
		return 0, nil, nil, false
	}
	end := frameHeader + int(n)
	if binary.LittleEndian.Uint32(data[4:]) != frameSum(data[:end]) {
		return 0, nil, nil, false
	}
	return binary.LittleEndian.Uint64(data[8:]), data[frameHeader:end:end], data[end:], true
}

// tagged returns a payload of magic and a number.
func tagged(magic string, n uint64) []byte {
	return binary.LittleEndian.AppendUint64([]byte(magic), n)
}

// untag returns the number of a payload made by tagged.
func untag(payload []byte, magic string) (uint64, bool) {
	if len(payload) != magicSize+8 || string(payload[:magicSize]) != magic {
		return 0, false
	}
	return binary.LittleEndian.Uint64(payload[magicSize:]), true
}

// readLog calls apply for each batch of a log and returns the number of the
// last commit and how many bytes are intact. Bytes after those are a record
// that a crash cut off, unless an intact later record follows: then they are
// damage.
func readLog(data []byte, generation uint64, apply func([]byte) bool) (last uint64, intact int, err error) {
	last, payload, rest, ok := cutFrame(data)
	if got, tagOK := untag(payload, logMagic); !ok || !tagOK || got != generation {
		return 0, 0, fmt.Errorf("log header of generation %d: %w", generation, kv.ErrCorrupt)
	}
	for len(rest) > 0 {
		sequence, payload, next, ok := cutFrame(rest)
		if !ok || sequence != last+1 {
			break
		}
		if !apply(payload) {
			return last, 0, fmt.Errorf("log record %d is no batch: %w", sequence, kv.ErrCorrupt)
		}
		last, rest = sequence, next
	}
	intact = len(data) - len(rest)
	if at := findLater(rest, last); at >= 0 {
		return last, intact, fmt.Errorf("log damaged at byte %d, intact again at byte %d: %w",
			intact, intact+at, kv.ErrCorrupt)
	}
	return last, intact, nil
}

// findLater returns where in data an intact record newer than last begins, or
// -1. The sequence number is looked at first: a plausible one by chance is
// rarer than once in 2^40 bytes, so the checksum is hardly ever computed.
func findLater(data []byte, last uint64) int {
	most := last + 1 + uint64(len(data)/frameHeader)
	for at := 0; at+frameHeader <= len(data); at++ {
		sequence := binary.LittleEndian.Uint64(data[at+8:])
		if sequence <= last || sequence > most {
			continue
		}
		if _, _, _, ok := cutFrame(data[at:]); ok {
			return at
		}
	}
	return -1
}

// readSnapshot calls apply for each batch of a snapshot and returns the number
// of the last commit it contains and of its entries.
func readSnapshot(data []byte, generation uint64, apply func([]byte) bool) (last, entries uint64, err error) {
	corrupt := func(what string) (uint64, uint64, error) {
		return 0, 0, fmt.Errorf("snapshot of generation %d: %s: %w", generation, what, kv.ErrCorrupt)
	}
	last, payload, rest, ok := cutFrame(data)
	if got, tagOK := untag(payload, snapshotMagic); !ok || !tagOK || got != generation {
		return corrupt("header")
	}
	for {
		at := len(data) - len(rest)
		sequence, payload, next, ok := cutFrame(rest)
		if !ok || sequence != last {
			return corrupt(fmt.Sprintf("record at byte %d", at))
		}
		rest = next
		if n, isEnd := untag(payload, endMagic); isEnd {
			if len(rest) > 0 {
				return corrupt("bytes after the end")
			}
			return last, n, nil
		}
		if !apply(payload) {
			return corrupt(fmt.Sprintf("batch at byte %d", at))
		}
	}
}
