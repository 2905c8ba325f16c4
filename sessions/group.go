// This file decides which entries make a session, what it is called, and in
// which order sessions stand.

package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DefaultGap is a pause after which a new session begins, 180 s, the value that
// the reference implementation found good.
const DefaultGap = 180 * time.Second

// FallbackPrefix begins the ids of sessions whose entries have none.
const FallbackPrefix = "__fallback__"

// ErrGap says that a gap is negative.
var ErrGap = errors.New("sessions: the gap is negative")

// Key is what decides the session of an entry.
type Key struct {
	// SessionID is the session that the entry names; empty means none.
	SessionID string
	Timestamp time.Time
}

// Session is a run of entries.
type Session[E any] struct {
	// ID is the entries' session id, or, without one, FallbackPrefix and the
	// earliest timestamp in whole seconds since 1970. Where that id is taken "-2"
	// follows, or the next number that makes it unique.
	ID string
	// Start is the earliest timestamp.
	Start time.Time
	// Entries is never empty; the oldest comes first.
	Entries []E
}

// Group divides entries into sessions, ordered by their earliest timestamp.
// Entries without a session id stay together when the pause between them is at
// most gap; a gap of 0 joins only those of the same time. A negative gap gives
// ErrGap.
//
// Group calls key once for each entry, in order, and doesn't change entries. It
// takes n·log(n) time.
func Group[E any](entries []E, key func(E) Key, gap time.Duration) ([]Session[E], error) {
	if gap < 0 {
		return nil, fmt.Errorf("%w: %v", ErrGap, gap)
	}
	keys := make([]Key, len(entries))
	order := make([]int, len(entries))
	for i, entry := range entries {
		keys[i], order[i] = key(entry), i
		keys[i].Timestamp = keys[i].Timestamp.Round(0) // wall clocks count
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(keys[a].SessionID, keys[b].SessionID), keys[a].Timestamp.Compare(keys[b].Timestamp))
	})
	var groups []Session[E]
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && together(keys[order[end-1]], keys[order[end]], gap) {
			end++
		}
		groups = append(groups, gather(entries, keys, order[start:end]))
		start = end
	}
	slices.SortStableFunc(groups, compare)
	name(groups)
	return groups, nil
}

// together reports whether two entries that follow each other by session id and
// time are in one session.
func together(a, b Key, gap time.Duration) bool {
	if a.SessionID != b.SessionID {
		return false
	}
	return a.SessionID != "" || b.Timestamp.Sub(a.Timestamp) <= gap
}

// gather makes a session of the entries that order lists.
func gather[E any](entries []E, keys []Key, order []int) Session[E] {
	first := keys[order[0]]
	s := Session[E]{ID: first.SessionID, Start: first.Timestamp, Entries: make([]E, len(order))}
	for i, from := range order {
		s.Entries[i] = entries[from]
	}
	return s
}

// compare orders sessions by time, then those with an id before those without;
// the latter never begin at the same time.
func compare[E any](a, b Session[E]) int {
	if order := a.Start.Compare(b.Start); order != 0 {
		return order
	}
	if (a.ID == "") != (b.ID == "") {
		return strings.Compare(b.ID, a.ID) // the empty id goes last
	}
	return strings.Compare(a.ID, b.ID)
}

// name gives ids to the sessions without one, in order.
func name[E any](groups []Session[E]) {
	taken := make(map[string]bool, len(groups))
	for _, g := range groups {
		taken[g.ID] = true
	}
	numbers := make(map[string]int) // the last one given, by id without number
	for i := range groups {
		g := &groups[i]
		if g.ID != "" {
			continue
		}
		plain := FallbackPrefix + strconv.FormatInt(g.Start.Unix(), 10)
		for g.ID = plain; taken[g.ID]; {
			numbers[plain] = max(numbers[plain], 1) + 1
			g.ID = plain + "-" + strconv.Itoa(numbers[plain])
		}
		taken[g.ID] = true
	}
}
