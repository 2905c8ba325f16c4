// Package sessions divides entries into sessions: runs of entries that were
// written in one go.
//
// [Group] takes entries of any type and a function that tells the [Key] of each.
// Entries with a session id belong to the session of that id. The others are
// sorted by time and cut where the pause between two of them is longer than a
// gap, for which [DefaultGap] is a good start. Each [Session] has its entries in
// order of time.
//
// # Guarantees
//
// A pure function, safe for concurrent use. The order of sessions and of entries
// in them is total: by time, entries of the same time in the order in which they
// came, sessions of the same time by id, those with a given id first. Ids of
// sessions differ. Every entry is in exactly one session.
//
// # Caveats
//
// Nothing but the id and the time counts: a caller that has scopes groups each
// by itself. Times are compared as instants, so zones play no part.
package sessions
