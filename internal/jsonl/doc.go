// Package jsonl reads JSON objects one after another from text that people and
// programs really write: JSON Lines, a JSON array, pretty-printed objects, or a
// damaged mixture of these. [Reader] yields every object that is whole and says
// of everything else where it is and what is wrong with it.
//
// # What is tolerated
//
// A byte-order mark, CRLF, empty lines, a missing last newline, several objects
// on a line, an object over several lines, commas between lines, several arrays.
//
// # What is reported and passed over
//
//   - An object that breaks off. Reading goes on at the next line, or, when
//     another object begins right there, with that one.
//   - An object with a fault in it. Reading goes on behind its closing bracket
//     or at the next line, whichever comes first.
//   - Values that aren't objects, text that isn't JSON, text that isn't UTF-8,
//     an array without an end.
//
// # Guarantees
//
// Memory is bounded by the largest object, not by the input; an object over
// Options.MaxBytes is reported and skipped without being held. Time is linear
// in the input: a broken object is read again from its second line on at most
// as often as lines can nest.
//
// # Caveats
//
// A fault in a line without line breaks around it can hide what follows it on
// the same line, if quotes are missing. A Reader belongs to one goroutine.
package jsonl
