// Package analysis finds what matters in many conversations: terms that come
// back in several sessions, the passages around them, and in which way each
// passage matters.
//
// [Analyze] does all of it. The stages are functions of their own:
//
//	[Session] …            runs of entries, oldest first
//	   │
//	   │ Prefilter         drop tool output, code, JSON, prompts, paths
//	   │ Tokenizer.Tokens  words in lower case, without stop words
//	   │ CountsWithNGrams  tokens and runs of two and three
//	   ▼                   (SessionCounts does these three)
//	map of terms for each session
//	   │
//	   │ Recurring         in enough sessions, but not in nearly all
//	   ▼
//	[Term] …
//	   │
//	   │ Extract           the sentences around the terms, from prefiltered entries
//	   ▼
//	[Passage] …
//	   │
//	   │ Classify          corrective, stateful, decisive, reinforcing; superseded
//	   ▼
//	[Classified] …
//	   │
//	   │ Score             recurrence · weight of the category · recency
//	   ▼
//	[Segment] …            the most important first
//	   │
//	   │ Pack              what fits a budget, which ScaleBudget may raise
//	   ▼
//	[Segment] …
//
// What a stage does is set by its own configuration, whose zero value takes the
// reference implementation's numbers and switches everything on. [Importance]
// turns segments into one number for each entry, for a caller to feed back.
//
// # Guarantees
//
// All functions are pure and safe for concurrent use, no argument is changed,
// and nothing here panics on any text. The same input gives the same output, in
// the same order, bit for bit on every platform. Cutting a text into tokens,
// sentences and passages takes time linear in the text, whatever the number of
// terms. Valid UTF-8 stays valid.
//
// # Caveats
//
// With the default limits on recurrence nothing comes out of fewer than three
// sessions: a term in two of two is in all of them.
//
// A term is found inside of words: "port" in "reported". That is how derived
// words are found without stemming.
//
// The built-in stop words and lists for classification are English. Words of
// other languages are cut and counted, and scripts without spaces are counted by
// pairs of characters, but their words of grammar come back in every session, and
// only the limits on recurrence keep them out. [TokenConfig] takes stop words of
// one's own.
package analysis
