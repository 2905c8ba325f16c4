// Package scrub finds secrets in text and replaces them, so that a credential
// pasted into a conversation isn't remembered for ever.
//
// [Scrub] replaces every secret by "[REDACTED:<label>]" and reports a [Finding]
// for each; a [Scrubber] does the same with settings. The rules are data
// (rules.go): well-known token formats, private-key blocks and bearer headers.
//
// # Guarantees
//
// Scrubbing is idempotent: a scrubbed text has no findings. Text without a
// secret is returned as it is, the same string, after one pass. Time is linear
// in the length of the text, whatever it holds. Valid UTF-8 stays valid. All
// functions may be called concurrently.
//
// # Caveats
//
// A secret without a recognisable format (a password in prose) isn't found.
// The keyword before a bearer token is part of the finding and disappears. A
// private key whose END line is missing is redacted to the end of the text; a
// BEGIN line alone, without key material after it, is left.
//
// # Order
//
// Rules apply one after the other, each to what the earlier ones left: in
// "Bearer <JWT>" the rule for JWTs, which stands before the one for bearer
// tokens, leaves "Bearer [REDACTED:jwt]". Within a rule the leftmost match
// wins. A later match that encloses an earlier finding replaces it.
package scrub
