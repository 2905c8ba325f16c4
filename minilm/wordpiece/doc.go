// Package wordpiece turns text into the token ids of BERT models: the WordPiece
// tokenizer, uncased or cased, with the ids of the reference implementation.
//
// A [Tokenizer] is made of a vocabulary in one of two notations ([New] for that of
// vocab.txt, [NewPhantom] for that of GGUF files), the ids of its special entries
// ([Special]) and a few [Options]. [Tokenizer.AppendEncoded] gives what a model
// reads, [Tokenizer.AppendIDs] the bare pieces, and [Tokenizer.AppendWords] the
// pieces with the places of their words, for cutting a long text into windows.
//
// # What it does
//
//  1. Literals of special entries ([CLS], [SEP] and so on, in this case and
//     spelling, anywhere, the longest first) are cut out of the raw text.
//  2. Controls, private-use characters and U+FFFD are removed; so is every byte that
//     is not UTF-8.
//  3. Unless the model is cased, characters are decomposed (NFD), nonspacing marks are
//     removed and the rest is lowered character by character.
//  4. White space ends a word. Punctuation, every ASCII sign and every ideograph is
//     a word of its own. Other signs and emoji are letters like others.
//  5. A word becomes the longest entry that it begins with, then the longest continuing
//     entry that the rest begins with, and so on. A word with a part that no entry
//     matches, or of more than [Options.MaxWordRunes] characters, is one Unknown.
//
// The classes of characters are those of the reference, recorded from it for every
// code point: its Unicode tables are older than Go's and differ in 624 characters.
//
// # Guarantees
//
// The ids equal the reference's for every text that the tests have of it and every
// character between letters. They depend on the arguments alone, on every platform.
// Time is linear in the length of the text whatever it holds, and memory is a
// constant: per byte, at most the length of the vocabulary's longest entry is looked at.
// Encoding with a maximum reads no further than the word that fills it. A Tokenizer never changes after
// it is made and may be used by any number of goroutines. No input panics.
//
// # Caveats
//
// Canonical decomposition also orders marks that follow each other. Only marks
// that aren't removed could show it (musical signs, Hangul tone marks, marks newer than
// the reference's tables); they are left in the order of the text. That can change an id only
// if the vocabulary has entries with such marks, and that of BERT has none.
//
// What the reference does to cased text was not recorded. Options.Cased follows
// the same rules and classes without step 3; Go's categories tell a mark from a
// control there.
//
// # The table
//
// Entries are found by a rolling hash of their bytes, seeded by where they match:
//
//	text     "[PAD]" "[unused0]" ... "the" ... "ing" ...    one string, 200 KB
//	offsets  entry i is text[offsets[i]:offsets[i+1]]
//	cells    2 bits for a hash: does an entry begin so? is it one?
//	slots    hash, id<<2|kind; linear probing, at most half full
//
// For a vocabulary of 30,522 entries that is just under a megabyte.
package wordpiece
