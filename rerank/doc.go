// Package rerank orders the candidates of a search by what stands around them: it
// knows what a conversation is.
//
// A turn of a conversation often lacks the words that it answers to: "In May, with
// Nora" is found by its neighbours. So candidates come with the turns before and
// behind them, as Entries in a List, and each step is a function of the List:
//
//	Lexical    BM25 in which a term counts for the turns around it too, and an
//	           answer inherits the words of its question
//	Meaning    means of the cosines of an entry and its neighbours
//	Prior      what a turn is worth before any question: its length, whether it asks,
//	           whether it tells a time when a time is asked for, who says it
//	Session    a share of the best score of the same session
//	Newest     the newest of those that answer as well, for questions about the present
//
// The steps and their constants are the outcome of experiments with questions about
// long conversations; docs/retrieval.md has the figures of each. An entry without a
// session has no neighbours, no form, and its session is itself: a list of notes or
// documents keeps the scores of the searches, unless the question is about a time, for
// Within and Newest mean them too.
//
// # Guarantees
//
// Functions are pure, and safe for concurrent use; the same list gives the same bits
// on every platform.
package rerank
