// Package tomledit changes TOML files that people write by hand: one key, one
// element of a list, and no other byte.
//
// A [Document] is the text together with what it means. Meaning is decided by
// github.com/BurntSushi/toml alone; the scanner of this package only finds out
// where in the text each key, value and comment is. [Document.Line] and
// [Document.ElementLine] tell where something is, [Document.Set],
// [Document.Remove], [Document.Append] and [Document.RemoveElements] change it.
//
// # Guarantees
//
// [Parse] compares what the scanner found with what was decoded, so a document
// is never misread: it is refused with [ErrUnsupported]. An edit decodes its
// result and compares it with the tree that it was asked for; if they differ,
// the document stays as it was and the edit fails with [ErrUnsupported].
//
// Comments, order, blank lines, unknown tables, the way keys and strings are
// quoted, line ends (LF or CRLF), a byte-order mark, and a missing line end at
// the end of the file survive. No text that is written can begin a new line:
// comments are brought to one line, strings are escaped.
//
// Time and memory are linear in the text: keys over 1 KiB, long ones around many
// others, nesting deeper than 64 levels, and more than 262,144 tables, which a
// decoder pays for many times over, are refused.
//
// # Caveats
//
// Keys are addressed by two names, table and key, taken literally, without
// dotted paths; the table "" is the top of the document, and can be looked at
// but not edited. Arrays of tables can be present but not edited. A Document
// belongs to one goroutine. The size of the text is the caller's business.
package tomledit
