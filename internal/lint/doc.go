// Package lint holds the rules of this module that a compiler doesn't check, as
// tests: go test ./internal/lint.
//
// The rules are
//
//   - which package may import which (imports_test.go);
//   - no function of package math whose last bits differ by platform, in packages
//     that decide a result (math_test.go);
//   - no product that the compiler may fuse with an addition there, which would
//     round once where others round twice (fused_test.go);
//   - no map order that reaches a result there (order_test.go);
//   - documentation, sizes, no mutable package variables, no words that don't
//     belong here (style_test.go, words_test.go).
//
// Exceptions stand in exceptions_test.go, each with its reason. Every rule is
// tested on a snippet that breaks it.
//
// The package has no code of its own. Its tests run the go command.
package lint
