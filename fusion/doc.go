// Package fusion joins ranked lists of candidates into one ranking.
//
// A [List] is what one search found, best first, with its raw scores. [Union]
// gathers the lists into [Candidate] values that keep, for every list, the rank
// and the raw score they had there, as one [Leg]. A [Rule] turns the legs into
// one score: [RRF] looks at ranks alone, [Convex] at normalised scores. [Fuse]
// does all of it and sorts:
//
//	ranked := fusion.Fuse(fusion.Hybrid(0.3), lexical, semantic)
//
// A caller that can look up the score of a candidate in a list that didn't
// return it calls Union, sets the leg's Score and Known, then [Score] and [Sort].
//
// # Guarantees
//
// Pure functions of their arguments, safe for concurrent use, never a panic and
// never a NaN or infinite score. Same lists and rule, same bits, on every
// platform: sums run in list order and no map is iterated. The order is total:
// score descending, then id ascending.
//
// # Rules for odd input
//
// A candidate whose raw score is NaN or infinite is left out of its list; of
// several occurrences of an id in one list the first counts. Neither takes up a
// rank: what stands behind moves up. A list that is nil or empty adds nothing to
// any candidate but what the rule says of absent ones.
package fusion
