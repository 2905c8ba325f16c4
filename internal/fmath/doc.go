// Package fmath has the logarithm and the exponentials that decide a ranking,
// with the same bits on every platform.
//
// The standard library computes math.Log, math.Exp and their relatives in
// assembly on some architectures and in Go on others, and the last bit of the
// result differs between them. A score that goes through one of those is not
// reproducible. The functions here use only additions, subtractions,
// multiplications and integer operations on the bits, every product is rounded
// by an explicit conversion (which forbids the compiler to fuse it with an
// addition), and IEEE 754 defines each of these to the bit.
//
// # Functions
//
// [Log], [Exp], [Exp2] and [Pow] have the special cases of their namesakes in
// package math. The error stays below 0.52 units in the last place, subnormal
// results included; the tests hold them to 0.55 against references of 200 bits.
//
// # Method
//
// Table-driven reduction, after P. T. P. Tang, "Table-driven implementation of
// the exponential function in IEEE floating-point arithmetic", ACM TOMS 15(2),
// 1989, and "Table-driven implementation of the logarithm function in IEEE
// floating-point arithmetic", ACM TOMS 16(4), 1990: the argument is brought
// within 1/256 of a table point, a short Taylor polynomial covers the rest, and
// the table values are kept as a sum of two float64 so that their own error
// does not count. Exact products and sums of two float64 are those of T. J.
// Dekker, "A floating-point technique for extending the available precision",
// Numerische Mathematik 18, 1971.
//
// The tables are Go source, computed from math/big and checked against it by a
// test; go test -run TestTables -update writes them anew.
//
// # Guarantees
//
// Pure functions, safe for concurrent use, no allocation. The committed hashes
// in the tests cover several hundred thousand results; a platform on which one
// bit differs fails them.
package fmath
