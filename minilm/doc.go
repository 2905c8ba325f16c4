// Package minilm turns text into vectors with all-MiniLM-L6-v2 and other
// sentence embedding models of the BERT family, in pure Go.
//
//	model, err := allminilm.New(minilm.Config{})
//	vectors, err := model.Embed(ctx, []string{"The kettle is on.", "Tea will be ready soon."})
//	fmt.Println(minilm.Similarity(vectors[0], vectors[1]))
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
// # Cost
//
// With AVX-512 a text of 32 tokens takes about 1 ms, with AVX2 4 ms, without
// assembly 50 ms (all other platforms than amd64 and arm64, 32-bit ARM and wasm
// among them); README.md has a table. Matrices of other types than Q8_0 are kept
// as float32: four times the memory and several times the time. Parallelism makes
// many texts faster, never a single one.
//
// # Caveats
//
// In WebAssembly an Embed keeps its only thread busy: a deadline is noticed
// between layers, other events wait.
//
// Only the architecture "bert" with absolute positions and GELU: no ALiBi, no
// rotary positions, no gated feed-forward part. The tokenizer is the uncased or
// cased WordPiece of BERT.
package minilm
