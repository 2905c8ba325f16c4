// This file decides what counts as proof that the store is undamaged.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/record"

	"github.com/contextforge-go/contextforge/kv"
)

// Verify flushes, so that the log need not be trusted, then checks the
// checksum of every block of every table and of the manifest, and whether
// acknowledged commits were lost; see kv.Store.
func (s *Store) Verify(ctx context.Context) error {
	if err := s.gate.Hold(); err != nil {
		return err
	}
	defer s.gate.Drop()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.guard.failure() == nil {
		if err := s.flush(); err != nil {
			return err
		}
	}
	var problems []error
	if n := s.ack.lost(); n > 0 {
		problems = append(problems, fmt.Errorf("pebblekv: %d acknowledged commits are missing: %w", n, kv.ErrCorrupt))
	}
	problems = append(problems, s.verifyTables(ctx), s.verifyManifest())
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(problems...)
}

// verifyTables checks the tables of this moment, which an iterator keeps from
// being removed meanwhile.
func (s *Store) verifyTables(ctx context.Context) error {
	it, err := s.db.NewIter(nil)
	if err != nil {
		return readError(err)
	}
	levels, err := s.db.SSTables()
	if err != nil {
		return errors.Join(readError(err), it.Close())
	}
	// After NewIter a compaction may have replaced tables before SSTables
	// looked; those it lists may then be replaced in turn, and be gone. That is
	// no damage, so a missing file counts only if it still is listed.
	var problems []error
	for _, level := range levels {
		for _, table := range level {
			if err := ctx.Err(); err != nil {
				return errors.Join(err, it.Close())
			}
			name := fmt.Sprintf("%s.sst", table.BackingSSTNum)
			if err := s.verifyTable(ctx, name); err != nil && !(isNotExist(err) && !s.lists(table.BackingSSTNum.String())) {
				problems = append(problems, fmt.Errorf("pebblekv: table %s: %w: %w", name, kv.ErrCorrupt, err))
			}
		}
	}
	return errors.Join(errors.Join(problems...), it.Close())
}

// lists reports whether a table with that number is part of the store now.
func (s *Store) lists(number string) bool {
	levels, err := s.db.SSTables()
	if err != nil {
		return true
	}
	for _, level := range levels {
		for _, table := range level {
			if table.BackingSSTNum.String() == number {
				return true
			}
		}
	}
	return false
}

func (s *Store) verifyTable(ctx context.Context, name string) (err error) {
	defer recoverDamage(&err)
	r, err := openTable(ctx, s.guard, s.guard.PathJoin(s.dir, name), s.opts)
	if err != nil {
		return err
	}
	return errors.Join(r.ValidateBlockChecksums(), r.Close())
}

// recoverDamage turns a panic of a decoder over damaged bytes into an error.
func recoverDamage(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("undecodable: %v", r)
	}
}

// verifyManifest checks the records of the newest manifest. It is appended to
// meanwhile, so that an error at its end counts only if it stays.
func (s *Store) verifyManifest() error {
	var err error
	for range 3 {
		if err = s.readManifest(); err == nil {
			return nil
		}
	}
	return fmt.Errorf("pebblekv: manifest: %w: %w", kv.ErrCorrupt, err)
}

func (s *Store) readManifest() (err error) {
	defer recoverDamage(&err)
	desc, err := pebble.Peek(s.dir, s.guard)
	if err != nil {
		return err
	}
	if !strings.Contains(desc.ManifestFilename, "MANIFEST-") {
		return fmt.Errorf("no manifest in %s", s.dir)
	}
	f, err := s.guard.Open(desc.ManifestFilename)
	if err != nil {
		return err
	}
	defer f.Close()
	r := record.NewReader(f, 0)
	for {
		one, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, one); err != nil {
			return err
		}
	}
}
