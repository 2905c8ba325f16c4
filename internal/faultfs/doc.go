// Package faultfs lets tests look at, delay and refuse every change that a
// program makes to a file system.
//
// The main type is [FS], which wraps a vfs.FS and calls a function before each
// change, files included; [Op] describes the change.
//
// # Guarantees
//
// A change that the function refuses has no effect, except for a write refused
// with [ErrShort], of which the first half is written, as on a full disk. All
// methods may be called concurrently, and then so is the function.
//
// # Caveats
//
// Reads pass through unseen, and so does closing a file. The package is empty
// where package vfs does not build.
package faultfs
