// Command contextforge keeps and searches a memory from the command line: save
// texts, ask questions, import and export JSON Lines, look after the store.
//
//	contextforge save "We deploy on Fridays at four." --scope project:demo
//	contextforge query "when do we deploy?" --scope project:demo --budget 2048
//	contextforge import chat.jsonl
//
// It is a thin layer over the package contextforge: every command parses its
// arguments, calls one method and prints what comes back. All that reaches
// outside (streams, environment, clock) goes through the type app, so the
// tests run every command in-process.
//
// Codes of exit: 0 done, 1 error, 2 wrong usage, 3 nothing found, 4 the store
// is in use, 5 the store is damaged, 6 imported or embedded with some entries skipped, 130
// interrupted.
//
// Stored text can hold anything, sequences that command a terminal included.
// Every output shows such characters instead of sending them.
package main
