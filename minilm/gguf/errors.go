package gguf

// This file decides which failures a caller can tell apart.

import "errors"

// What is wrong with a file. Errors of this package wrap one of these, or the
// error of the reader that Read was given.
var (
	// ErrNotGGUF: the file doesn't begin with "GGUF".
	ErrNotGGUF = errors.New("gguf: not a GGUF file")
	// ErrVersion: another version than 2 and 3, or big-endian byte order.
	ErrVersion = errors.New("gguf: unsupported version")
	// ErrTruncated: a count, a length or a tensor reaches beyond the file's end.
	ErrTruncated = errors.New("gguf: the file ends too early")
	// ErrCorrupt: the content contradicts the format.
	ErrCorrupt = errors.New("gguf: the file is damaged")
	// ErrUnsupportedType: a tensor of a type that is not known, or can't be
	// dequantised.
	ErrUnsupportedType = errors.New("gguf: unsupported tensor type")
)

// What is wrong with a question to a sound file.
var (
	// ErrMissing: the file has no such key.
	ErrMissing = errors.New("gguf: missing key")
	// ErrWrongType: the key's value isn't what was asked for.
	ErrWrongType = errors.New("gguf: value of another type")
	// ErrLength: the slices given to Dequantize don't fit each other.
	ErrLength = errors.New("gguf: lengths don't fit")
)
