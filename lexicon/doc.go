// Package lexicon scores how important an entry of the memory is, apart from what
// it has to do with a question: "remember this", "that's right" and the terms of
// somebody's trade lift an entry, "never mind" lowers it.
//
// A [Scorer] returns an additive boost for an [Item]. The most common one is the
// [ConfigScorer], compiled from lexicon files by [Load], [LoadFS] or [Parse];
// [English] is built in. [Composite] and [Only] put scorers together, [None]
// stands for none. [Metadata], [Kinds] and [Prior] score by other things than the
// content. An [Explainer] tells the [Match] values that a score consists of.
//
// An [Appender] edits a lexicon file in place, by [Proposal] values or one by one;
// [BootstrapPrompt] asks a language model for a first lexicon, which
// [ParseBootstrap] takes out of the answer.
//
// # A lexicon file
//
// is TOML. Every part is optional; other keys and tables are passed over:
//
//	[terms]                      # what an entry gets for a term: (0, 1.5]
//	"blue-green deploy" = 0.9
//	rollback            = 1
//
//	[affirmations]               # +0.5 for each
//	patterns = ["ship it", "that's a go"]
//
//	[negations]                  # -0.3 for each
//	patterns = ["roll it back"]
//
// Of several files the union counts, and of the same term the weight in the later
// file. Spellings that differ in case, apostrophes or white space are one.
//
// # The score
//
//	score = Σ weights of the terms found
//	      + 0.5 × affirmations found
//	      - 0.3 × negations found
//
// Each pattern counts once per entry, however often it occurs; different patterns
// add up, also where they overlap. The score isn't limited. How much of it
// reaches the order of the entries is decided by the ranking, which turns the sum
// into a factor of a size that the application configures; so it is the weights
// in relation to each other that matter.
//
// # When a pattern is found
//
// Pattern and content are compared folded: letters without regard to case, accents
// in whatever encoding, full-width letters and ligatures as plain ones, without
// apostrophes of any form ("that's", "that’s" and "thats" are one), with one space
// for any white space. An accent itself counts: "resume" isn't "résumé".
//
// An occurrence begins and ends at borders of words, so "confirmed" isn't found in
// "unconfirmed". Han, Kana, Thai, Lao, Khmer and Myanmar are written without
// spaces; there any place is a border, but none between a character and its marks.
//
// A term or affirmation doesn't count where one of the three words before it, in
// the same sentence, is a negator ("not", "couldn't", "without", …; negation.go
// has all). "Not only", "no doubt", "don't forget", "couldn't agree more" and the
// like aren't negations; "but" ends what a negator reaches. Sentences end at
// . ! ? … ; and at the end of a line, in other scripts at their own signs; a full
// stop inside of "v1.2" or "e.g." ends none. Negation patterns are found
// regardless of negators, and a pattern's own words don't negate it.
//
// # Guarantees
//
// Scorers don't change and may be used concurrently. Same lexicon and content,
// same score, bit for bit, on every platform: amounts are added in float64, terms
// first, then affirmations, then negations, each in the order of their bytes.
// [ConfigScorer.Explain] lists them in this order, and its amounts add up to the
// score.
//
// Content is read once, whatever the number of patterns, by an Aho-Corasick
// automaton of 13 bytes per state. Time is linear in the length of the content
// for every lexicon, and nothing is allocated once a scorer is warm, but for
// contents over 64 KB.
//
// Files over 16 MB, weights outside of (0, 1.5], and patterns that are blank, have
// no letter, digit or symbol, or are longer than 512 bytes are refused with
// [ErrLexicon], and with file and line.
//
// # Caveats
//
// Forms of a word aren't guessed: "deploys" and "deploy's" aren't "deploy".
// Negators are English. An abbreviation other than of single letters ("vs.") ends
// a sentence. Scripts and case follow the Unicode version of the Go toolchain.
package lexicon
