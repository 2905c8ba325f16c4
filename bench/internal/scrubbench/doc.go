// Package scrubbench measures package scrub: how many secrets of a set it finds,
// how exactly, how often it raises a false alarm, and how fast it is.
//
// [Read] reads a set, [Judge] holds a scrubber against it, [Speeds] measures
// texts of several kinds. The [Report] renders as text; it has labels and figures
// only, no text and no secret out of a set.
//
// # A set
//
// A folder with positives.jsonl.gz ({"label", "text", "secret", "start", "end"}, a
// line each, places in bytes) and negatives.jsonl.gz ({"category", "text"}).
//
// # Figures
//
// A secret is caught when no run of 12 of its bytes is left in the output, exactly
// when besides what stands before and behind it is unchanged; a scheme such as
// "Bearer " may go with it and is counted apart. A negative is a false alarm
// when its text changes. Every output is scrubbed again: what changes isn't idempotent.
//
// Speeds are of one core, by processor time, so that other work on the machine
// doesn't count.
package scrubbench
