// Package injection looks for signs that a text wants to instruct the model that
// will read it.
//
// The doctrine: retrieved memory is quoted data. It is never an instruction and
// never executed, whatever this package says of it. What protects is the
// quotation, which package render makes; a [Signal] is a label for the reader, a reason to ask somebody, something to
// count. [Detect] returns the signals of a text, [Suspicious] whether there are any.
//
// # Guarantees
//
// Pure functions, safe for concurrent use, the same result everywhere; no model,
// no network. Time is linear in the length of the text, whatever it holds. Clean
// text costs one pass and no allocation.
//
// # What is seen
//
//   - phrases that set instructions aside, change the role, ask for the prompt, or
//     keep something from the user: in English, German, French, Spanish, Italian,
//     Portuguese, Russian, Chinese, Japanese, Korean, some in Dutch and Polish
//   - the same written with accents, in capitals, full-width or mathematical letters, with lookalikes from Cyrillic and Greek, with
//     digits for letters (1gn0re), with spaces or dots between the letters, with invisible characters inside
//   - the same in base64, hexadecimal digits or ROT13, decoded once
//   - tags of chat templates and tool protocols, roles at the start of a line or as a value, closing tags that close nothing
//   - characters that nobody sees in places where no text needs them, control characters
//   - images and links whose address can carry data, HTML that runs, HTML comments
//
// A command is told from a report by what stands before it: "Ignore all previous
// instructions" is a signal, "we told him to ignore all previous instructions" isn't.
//
// # Caveats
//
// Plain persuasive prose has no form to be recognised by: "the landlord asks you
// to send him the code" is a sentence like others. Other languages, paraphrases,
// ciphers, payloads split over several memories and text in images aren't seen. A
// text about prompts may quote such a phrase and be reported, and so may a command
// that means other rules ("Ignore all rules of that linter"). So absence of
// signals proves nothing, and presence is no proof either.
package injection
