// Package minilm turns text into vectors with all-MiniLM-L6-v2 and other
// sentence embedding models of the BERT family, in pure Go.
//
// A model comes as a GGUF file, read by [Load] or [FromBytes]; package allminilm
// has one built in. [Model.Embed] makes the vectors of texts that are searched
// in, [Model.EmbedQuery] that of a text that is searched for, and
// [Model.EmbedWindows] those of a text beyond the model's limit. Vectors have
// length 1, so that their dot product, [Similarity], is the cosine.
//
// # Guarantees
//
// The same text has the same vector, bit for bit, on every platform and
// processor, alone or in a batch, and whatever the parallelism. Matrices stored
// as Q8_0 are multiplied as 8-bit integers with activations quantised per block
// of 32; those of other types in float32. Package simd (internal) has the
// definition of every operation.
//
// A Model is safe for concurrent use. It starts no goroutine that outlives a
// call, and in steady state allocates nothing but the vectors it returns.
//
// # Caveats
//
// Only the architecture "bert" with absolute positions and GELU: no ALiBi, no
// rotary positions, no gated feed-forward part. The tokenizer is the uncased or
// cased WordPiece of BERT.
package minilm
