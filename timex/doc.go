// Package timex reads time expressions in texts and questions.
//
// Of a text it says the date it was said on ([Own]), the dates that its relative
// expressions meant then ([Resolve]), and whether it holds any time expression
// ([Mentions]). Of a question it says whether it asks for a time ([Asks]), for
// the present state ([Current]) or an earlier one ([Past]), what time it restricts
// itself to ([Interval]), and which event it counts from ([Anchor], [Offset]).
//
// # Guarantees
//
// Pure functions, safe for concurrent use: no clock, no state but a lexicon that
// the first call builds. The same text and time give the same answer on every
// platform. Time and memory are linear in the text, and nothing is allocated
// where nothing is found. Any bytes are accepted. A day is a day of the given
// time's location; neither the hour nor daylight saving moves it. No date
// outside the years 1 to 9999 is written.
//
// # Languages
//
// English, German, French, Spanish, Italian, Portuguese, Dutch, and some Chinese
// and Japanese, without being told which. A word ends where its letters, digits
// and underscores do; letters are compared without case and diacritics. The words
// of one expression must share a language: "vor two weeks" is none. Words that
// mean something else in another language count under a condition:
//
//   - may, mars, mai, mei, mayo, marco, julio, and abbreviations such as dec, are
//     months after in, since, last, next, this and the like, or beside a day or a
//     year
//   - mon to sun, segunda to sexta, are weekdays beside last, next, passada, feira
//   - hier, morgen, and now-words such as nu, ora, actual, count where the common
//     words of the whole text are mostly of their language, by number, and not of
//     two languages alike; mañana counts by its letter
//   - morgen and mañana are mornings after heute, guten, am, la and the like
//   - há, cuándo within a sentence, and aún need their accent
//   - fa, atrás, 前 count after a number of units only, hui after an apostrophe
//
// Three numbers parted by the same sign are a date when the first or the last is
// a year from 1900 to 2099. 2023-05-07, 2023/5/7 and 2023.5.7 are year, month,
// day; 7.5.2023 and 7-5-2023 are day, month, year; 5/7/2023 is month, day, year,
// unless only day, month, year is a date or the text is in one of the six other
// European languages.
//
// # The measured rules
//
// For English, Resolve, Mentions and Asks began as three regular expressions
// that were measured on conversations; testdata/prototype.tsv records their
// answers, and testdata/differences.tsv every one that has been changed, with the
// reason: a month is no longer a Monday as well, nor last weekend last week, only
// whole words count, any white space parts them, no date comes twice, and more
// expressions are known.
//
// # Caveats
//
// These are rules about words and not about sentences. "In two weeks" is taken
// for the future unless a word of the past stands before it. "The weekend" is the
// last one. "Next Friday" is the nearest Friday to come. A text that tells of
// another's yesterday is dated wrongly.
package timex
