// Package speaker finds who says a turn of a conversation that begins with a
// name: "Melanie: Hey! How have you been?".
//
// [Of] is the whole of it.
//
// # Guarantees
//
// A pure function, safe for concurrent use, linear in the text, without
// allocation. The name and the rest are parts of the text, in any bytes.
//
// # Caveats
//
// The rules are about form; nobody looks a name up. A label that looks like a
// name ("Berlin: a city") is taken for one unless it is on a list of some 130
// usual labels, and a name that is on it (Photo, Date) is not. A text whose lines
// begin with different names is a transcript or a list, and has no one speaker.
// In scripts without upper case, such as Chinese, only words for roles count: a
// short word before a colon is a label there more often than a name. Names in
// capitals alone are left out too, as acronyms are more frequent.
package speaker
