package store

// This file decides the counters that every commit carries.
//
//	+---------+---------+---------+--------+-------------------------------
//	| schema  | epoch   | next    | live   | tokens, expiring, commits, pending
//	| uvarint | uvarint | docNum  |        | uvarint each
//	+---------+---------+---------+--------+-------------------------------

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
)

// state is the part of the store's memory that changes with every commit.
type state struct {
	epoch    byte   // which copy of the text index is in use
	next     uint64 // next docNum
	live     uint64 // records
	tokens   uint64 // sum of their token counts
	expiring uint64 // records that have an expiry
	commits  uint64 // commits ever made
	pending  uint64 // records that wait for vectors
	schema   uint64 // version that was read
}

func (s state) encode() []byte {
	b := binary.AppendUvarint(nil, schemaVersion)
	for _, v := range [...]uint64{uint64(s.epoch), s.next, s.live, s.tokens, s.expiring, s.commits, s.pending} {
		b = binary.AppendUvarint(b, v)
	}
	return b
}

// readState returns the counters, or those of an empty store.
func readState(r kv.Reader) (state, error) {
	value, err := kv.GetCopy(r, nil, stateKey())
	if errors.Is(err, kv.ErrNotFound) {
		return state{next: 1, schema: schemaVersion}, nil
	}
	if err != nil {
		return state{}, err
	}
	d := decoder{b: value}
	st := state{schema: d.uvarint()}
	if d.err == nil && st.schema > schemaVersion {
		return state{}, fmt.Errorf("%w: its schema is version %d, this program knows up to %d: use a newer contextforge", ErrNewer, st.schema, schemaVersion)
	}
	st.epoch = byte(d.uvarint())
	for _, p := range [...]*uint64{&st.next, &st.live, &st.tokens, &st.expiring, &st.commits} {
		*p = d.uvarint()
	}
	if st.schema > 1 {
		st.pending = d.uvarint()
	}
	return st, d.err
}
