// Package ownsets makes the sets of documents, questions and judgements that this
// repository has of its own, out of texts written for it.
//
// [Sets] returns them, [Write] writes one in the layout that package evalbench reads. They
// are in bench/testdata, and a test holds that these are what Write makes:
//
//	current  what holds now against what held before: entries about a subject contradict
//	         each other over the months of a year
//	persona  decisions, promises, corrections and the like among chatter with the same words
//	when     questions with a time expression, in five languages
//
// All persons, places and firms in them are invented.
//
// # Guarantees
//
// The same sets on every platform. Everything that a question asks for was written by
// hand, and so was most of the chatter around it; the program fills the subjects into
// sentences that say nothing about them, adds small talk, and puts all of it in the order
// of time.
//
// # Format of a source
//
//	! asked TIME                 when the questions are asked
//	@ CIRCLE DATE DAYS           eight sessions of a circle, so many days apart, for undated lines
//	# NAME chat CIRCLE | WORDS   a story told in the sessions of a circle; WORDS are its subject
//	# NAME note | WORDS          a story told in entries without a session
//	DATE                         of the lines that follow
//	[x] Name: text               an entry, named x for the questions; DATE in front dates it alone
//	Name: text                   an entry, likewise; in notes, with a dash instead of the name
//	? KIND x y | question        a question, its category, and what answers it
package ownsets
