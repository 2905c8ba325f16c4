// Package scrub finds secrets in text and replaces them, so that a credential
// pasted into a conversation isn't remembered for ever.
//
// [Scrub] replaces every secret by "[REDACTED:<label>]" and reports a [Finding]
// for each. A [Scrubber], made by [New] from [Options], does the same with rules
// switched off, values allowed and custom rules, which [LoadRules] reads from
// TOML; [Scrubber.JSON] scrubs the strings of a document, [Scrubber.NewReader] and
// [Scrubber.NewWriter] scrub streams, [Scrubber.Rules] lists what is looked for.
//
// # What is found
//
// Tokens in the formats of some two hundred and fifty services, known by their form.
// Private keys in armour, in one line, escaped, quoted, indented, or cut before
// their end. Credentials by what stands before them: headers and cookies,
// addresses with a password, connection strings, flags of commands, and values
// that a name such as password or api_key introduces, in files of any kind or in
// speech of many languages. The words from which a wallet is restored, the codes
// of wireless networks and one-time passwords, keystores in base64. All of them
// also where markup, JSON or an address escapes what stands around. A value that a
// name introduces must then look like a secret: its letters are weighed against
// those of words. Placeholders, variables, code, paths, hashes and identifiers
// stay.
//
// # Guarantees
//
// Scrubbing is idempotent: a scrubbed text has no findings. With custom rules
// this holds as long as no more than 64 matches depend on each other in a row: a
// rule such as (?m)^x finds another match behind each thing that it redacts.
// Text without a secret is returned as it is, the same string, after one pass and
// without an allocation. Time is linear in the length of the text, whatever it
// holds. Valid UTF-8 stays valid. A stream gives what the whole text gives, for
// secrets of up to [MaxSecret] bytes. All functions may be called concurrently,
// but for a single [Reader] or [Writer].
//
// # Caveats
//
// A password made of words isn't told from words: "the password is sunshine"
// stays. The keyword before a bearer token is part of the finding and disappears;
// other names and schemes stay in place. A private key whose END line is missing
// is redacted as far as its lines go; a BEGIN line alone, without key material
// after it, is left. Letters and digits of other scripts beside a token make it a
// part of a word, except in scripts without blanks between words.
//
// # Order
//
// Private keys come first, with all that is inside them; then tokens known by
// their form; then what is known by its context; then custom rules, in their order.
// Within each of these the leftmost match wins, at the same place the rule that
// [Scrubber.Rules] lists first. So "Bearer <JWT>" becomes "Bearer [REDACTED:jwt]".
package scrub
