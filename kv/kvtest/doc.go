// Package kvtest is the conformance suite of the kv contract. An
// implementation's test calls [Run] with a [Harness] that opens its stores;
// what passes behaves alike for everything built upon kv.
//
// [Bench] measures one with the operations that indexes make.
//
// The suite checks single rules in tables and, in the model test, long random
// runs against a sorted map. It never asserts time.
package kvtest
