// Package simd has the inner loops of the embedding model: matrix products,
// quantisation, softmax, layer normalisation and GELU, for rows of float32.
//
// # One result
//
// The functions in Go (files *_generic.go, with the operations in the order in
// which they stand) define every result to the bit; the kernels in assembly
// equal them, so that a vector is the same on every machine. What makes that
// possible:
//
//   - every product is rounded to float32 before it is added: no fused
//     multiply-add anywhere;
//   - a sum over the inputs of a matrix product is made one term after the
//     other; kernels work on several outputs at once, never on several terms of
//     one sum. Inside a block of 32 quantised values the sum is an exact
//     integer, where order doesn't matter;
//   - other sums (softmax, layer normalisation) are made in 16 lanes: lane l
//     adds the elements l, l+16, l+32, ... in this order, then lane l adds lane
//     l+8, l+4, l+2 and l+1; see [Sum];
//   - exponential and error function are polynomials of our own.
//
// A NaN is equal to a NaN, whatever its bits: processors differ in them.
//
// # Types
//
// [Kernels] is one implementation, made by [Select]; [MatrixQ8] and [MatrixF32]
// are matrices in the layout that the implementation wants; [Quantized] is a
// batch of activation rows. Kernels have no state: they may be used by any
// number of goroutines, each with buffers of its own.
//
// # Caveats
//
// Lengths are checked where a call enters the package, and a wrong one panics
// like a slice index does: it is a mistake of the caller's, no input can cause
// it. Assembly never reads or writes beyond the slices it is given.
package simd
