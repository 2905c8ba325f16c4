// Package distill turns the transcript of a conversation into what is worth
// remembering of it: a summary and facts of four kinds.
//
// A [Distiller] makes a [DistilledMemory] of a transcript. [NewExtractive] makes
// one that picks sentences by rules, without a model; distill/openai has one that
// asks a model. [Chunking] splits a transcript that is too long for a model by
// [SplitOnBudget] and joins the results by [Merge]. [Clean] scrubs, tidies and caps
// a memory. [Subject] tells what a fact is about, so that a newer one can replace
// it.
//
// # Untrusted text
//
// A transcript may hold text that was written to be obeyed by a model. So the
// [SystemPrompt] says that it is data, [Delimit] puts it between lines that it
// can't contain, and [Check] compares what the model answered with the transcript:
// a fact whose words, numbers or names aren't in it is left out and reported.
// What was recalled from memory isn't to be distilled again; the prompt says so,
// and [NewExtractive] leaves it out. None of this makes a fact true: a lie that
// somebody told in the conversation passes.
//
// # Guarantees
//
// All functions are pure and may be called concurrently. The same input gives the
// same output on every platform, [Chunking] included at any concurrency, as far as
// the inner distiller's answers are the same. Texts are never cut inside of a
// grapheme cluster, chunks joined are the transcript byte for byte, and bytes that
// aren't UTF-8 are carried along. Time is linear in the length of the transcript,
// but for the sorting of its words in [Check] and of its sentences in
// [NewExtractive].
//
// # Order
//
// Secrets are taken out before anything is cut, since half of a secret can't be
// recognised:
//
//	transcript → scrub → split → distill each → check → scrub, trim → merge, cap
//
// # Caveats
//
// A fact is a claim of one moment. Nothing here compares it with facts that are
// stored; [Subject] is what a caller can do that with. The rules of [NewExtractive]
// and [Check] know English best: see there.
package distill
