// This file decides the values that pass from stage to stage.

package analysis

import "time"

// Entry is one remembered text.
type Entry struct {
	ID        string
	Content   string
	Timestamp time.Time
}

// Session is a run of entries that belong together, oldest first.
type Session struct {
	ID      string
	Entries []Entry
}

// Term is a word, or two or three in a row joined by spaces, that comes back in
// several sessions.
type Term struct {
	Text string `json:"text"`
	// SessionFrequency is the number of sessions with the term.
	SessionFrequency int `json:"session_frequency"`
	// Recurrence is SessionFrequency over the number of sessions, 0 to 1.
	Recurrence float64 `json:"recurrence"`
}

// Passage is some sentences of one entry around recurring terms.
type Passage struct {
	Text string
	// Terms are the recurring terms in Text, sorted, without repetitions.
	Terms []string
	// EntryID, SessionID and Timestamp say where Text stands.
	EntryID   string
	SessionID string
	Timestamp time.Time
}

// Category says in which way a passage matters.
type Category string

// The categories, in the order in which they are listed.
const (
	Corrective  Category = "corrective"  // says that something is not so
	Stateful    Category = "stateful"    // gives something a value
	Decisive    Category = "decisive"    // prefers one thing to another, with a reason
	Reinforcing Category = "reinforcing" // confirms the same in several sessions
)

// Classified is a passage with its categories.
type Classified struct {
	Passage
	Categories []Category
	// Entity and Value are what a Stateful passage gives a value, and the value.
	Entity, Value string
	// Pair is the two things that a Decisive passage compares, empty when unknown.
	Pair [2]string
	// Superseded lists those of Categories in which a newer passage replaces this
	// one.
	Superseded []Category
}

// Segment is a passage with its importance.
type Segment struct {
	Text       string     `json:"text"`
	Categories []Category `json:"categories"` // those not superseded
	// Importance is Recurrence · CategoryWeight · Recency.
	Importance float64 `json:"importance"`
	// Recurrence and SessionFrequency are the greatest of the segment's terms.
	Recurrence       float64   `json:"recurrence"`
	SessionFrequency int       `json:"session_frequency"`
	CategoryWeight   float64   `json:"category_weight"`
	Recency          float64   `json:"recency"`
	Terms            []string  `json:"terms"`
	EntryID          string    `json:"entry_id"`
	SessionID        string    `json:"session_id"`
	Timestamp        time.Time `json:"timestamp"`
	Tokens           int       `json:"tokens"` // ⌈bytes/4⌉
}
