package store

// This file decides the errors that callers can tell apart.

import (
	"errors"

	"github.com/contextforge-go/contextforge/kv"
)

// Sentinel errors, matched with errors.Is; those of package kv pass through.
var (
	// ErrNotFound is returned for an id that the store does not hold.
	ErrNotFound = errors.New("no such entry")
	// ErrClosed is returned by every operation on a closed store.
	ErrClosed = kv.ErrClosed
	// ErrConflict is returned by SaveUnless when there is a record that it was not
	// to be saved beside, and by Rename when the new id is taken.
	ErrConflict = errors.New("saved meanwhile")
	// ErrNewer is returned by Open for a store written by a newer version.
	ErrNewer = errors.New("written by a newer version")
)
