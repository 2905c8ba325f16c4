// Package analyzer turns text into the terms of a search index.
//
// An [Analyzer] maps a text to terms twice: [Analyzer.Document] for the text
// that is indexed and [Analyzer.Query] for the text that is searched for. Two
// implementations exist:
//
//   - [Text], the default for human language. It splits at Unicode word
//     borders, folds case, accents and width, stems English, and writes scripts
//     that have no spaces as single characters and overlapping pairs, so that a
//     word inside a Chinese, Japanese, Korean or Thai sentence is found.
//   - [Standard], maximal runs of letters and digits in lower case: what the
//     Rust implementation of Context Forge does, less its faults.
//
// No query syntax exists: every operator sign is a separator.
//
// # Guarantees
//
// Every term of Query(x) is a term of Document(x). Texts that are canonically
// equivalent (composed or decomposed accents) give equal terms. Every word
// yields a term, whatever its length; so does every invalid byte. Results
// depend on the text, the options and the Unicode version alone, and [Text.Name]
// names all of these; the caches inside never change a result. Time is linear in the
// length of the text and the memory of one word is bounded. All methods may be
// called concurrently.
//
// # Caveats
//
// A text of signs only ("???", "->") has no terms. Unaccented and accented
// spellings are one term, so a search can't tell "resume" from "résumé".
// English stemming is applied to every word written in the letters a to z,
// whatever its language; it is consistent, and [Options.NoStem] turns it off.
//
// # Terms
//
//	word            its folded, stemmed form               Running  -> run
//	letters+digits  the whole and both halves               covid19  -> covid19 covid 19
//	camelCase       the whole; documents also the parts     getName  -> getnam get name
//	c++ c#          the word, and the word with its sign    C++      -> c c++
//	apostrophe      possessive and contraction are undone    Ana's    -> ana, don't -> do not
//	han kana thai   documents: each character and pair       身份验   -> 身 身份 份 份验 验
//	                queries: pairs, or the one character     身份验   -> 身份 份验
//	emoji           one term each                            🎉       -> 🎉
//	over 255 bytes  first 200 bytes, "…", 64-bit FNV-1a hash in hexadecimal
//	invalid bytes   U+FFFD and the run of bytes in hexadecimal
package analyzer
