package contextforge

// This file decides how new ids are made: UUIDs of version 7 (RFC 9562,
// section 5.7) from the configured clock and randomness.

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gofrs/uuid/v5"
)

// idSource makes ids. The library's generator leaves the order of random reads
// to the callers, so a lock makes a seeded Config.Rand reproducible.
type idSource struct {
	mu     sync.Mutex
	clock  func() time.Time
	random io.Reader
	gen    *uuid.Gen
}

func newIDSource(clock func() time.Time, random io.Reader) *idSource {
	return &idSource{clock: clock, random: random, gen: uuid.NewGenWithOptions(uuid.WithRandomReader(random))}
}

func (s *idSource) next() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := s.gen.NewV7AtTime(s.clock())
	if err != nil {
		return "", fmt.Errorf("new id: %w", err)
	}
	return id.String(), nil
}

// key returns 32 random bytes.
func (s *idSource) key() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := make([]byte, 32)
	if _, err := io.ReadFull(s.random, key); err != nil {
		return nil, fmt.Errorf("new key: %w", err)
	}
	return key, nil
}
