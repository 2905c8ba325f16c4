// Package allminilm has the sentence embedding model all-MiniLM-L6-v2 built in:
// 384 dimensions, texts of up to 256 tokens, English; 25 MB in the program.
//
//	model, err := allminilm.New(minilm.Config{})
//	vectors, err := model.Embed(ctx, []string{"The kettle is on."})
//
// # The weights
//
// They are those of sentence-transformers/all-MiniLM-L6-v2 (Apache License 2.0),
// with the matrices rounded to 8 bits per block of 32 (GGUF's Q8_0); NOTICE has
// their provenance. The vocabulary's vectors are used where the program is
// mapped, so that only those of words that occur take memory.
//
// # Without the weights
//
// A program is built without them by the build tag contextforge_noweights. New
// then returns ErrNoWeights; the same file, or another model's, is loaded from
// a path by minilm.Load.
package allminilm
