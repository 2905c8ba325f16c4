// Package ggufwrite writes GGUF files for tests: small models, files with odd
// content, and a model in another quantisation.
//
// [File] is what is to be written, [File.Encode] the bytes. [Quantize] encodes
// numbers as one of the types that gguf.Dequantize reads, as ggml does it;
// [NewTensor] makes a tensor that way. [Reencode] writes a file again with its
// quantised matrices in another type.
//
// # Guarantees
//
// Same input, same bytes, on every platform: quotients and products are rounded
// to float32 one by one. What Encode writes, gguf.Parse reads, with the same
// content. Functions are pure and may be called concurrently.
//
// # Caveats
//
// Everything is in memory, several times over. Where ggml's own rounding depends
// on whether the compiler fuses a product and a sum, a quant may differ from
// ggml's by one.
package ggufwrite
