// Package gguf reads model files in ggml's format GGUF, versions 2 and 3.
//
// [Parse] takes a file held in memory, [Read] one behind an [io.ReaderAt], of
// which it reads the head alone. Both return a [File]: the key-value pairs
// ([Pair] with a [Value]) and the tensors ([Tensor]) in file order, with look-up
// by name, typed getters, and the tensors' bytes. [Dequantize] turns those bytes
// into float32.
//
//	f, err := gguf.Parse(data)
//	width, err := f.Uint("bert.embedding_length")
//	t, ok := f.Tensor("token_embd.weight")
//	block, err := f.Data(t)
//
// # Guarantees
//
// Hostile files: nothing in a file makes this package panic, read outside the
// file, or allocate more than a small multiple (some 20 times, mostly for pairs
// that are all as short as can be) of the head's own size. The head is walked
// once without keeping anything, so that every count and length is known to be
// true before memory is taken for it. Refused are: keys and names that aren't
// UTF-8, over 65,535 bytes long or there twice; booleans other than 0 and 1; arrays
// nested deeper than 8; a head over 1 GiB; tensors with no or more than 4 dimensions, with a
// dimension of 0, with rows that aren't whole blocks; tensor data that is
// misaligned, outside the file or shared by two tensors. An error says which
// key or tensor it is about, and wraps one of the sentinels.
//
// Copies: names, strings, arrays of numbers and, after Parse, tensor data are
// views into the file's bytes. An array of strings costs one slice of string
// headers.
//
// Concurrency: a File is never changed after it was returned; all its methods
// may be called concurrently, after Read as far as the reader's ReadAt may.
//
// Determinism: what Parse accepts, Read accepts with the same content. Dequantize
// has the same bits on every platform, but for the payload of a NaN that comes
// of arithmetic with one.
//
// # Caveats
//
// The bytes given to Parse must stay unchanged as long as anything of the File is in
// use, and what Data returns must not be written to. Files in big-endian byte
// order and of version 1 are refused ([ErrVersion]). A tensor of a type that ggml has
// dropped, or added later than this package knows, has no known size; such a
// file is refused ([ErrUnsupportedType]).
//
// # Format
//
// All numbers are little-endian.
//
//	| "GGUF" | version u32 | tensors u64 | pairs u64 |
//	pair:    | key string | type u32 | value |
//	tensor:  | name string | n u32 | n dimensions u64 | type u32 | offset u64 |
//	zeros up to a multiple of the alignment (general.alignment, else 32)
//	data:    each tensor at its offset from here, itself a multiple of the alignment
//
//	string:  | length u64 | bytes |
//	array:   | type of the elements u32 | count u64 | values without their types |
//
// The first dimension is the one along which elements lie next to each other: a
// matrix of 1536 rows (outputs) with 384 columns (inputs) has dimensions 384, 1536.
package gguf
