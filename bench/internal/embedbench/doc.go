// Package embedbench measures how fast texts become vectors and how near the
// vectors are to those of others.
//
// [Run] measures package minilm with every implementation of its loops, and
// beside it, in the same rounds, other engines that are installed: ONNX Runtime
// and llama.cpp through their Python packages, driven over pipes. [Check] compares a
// model with recorded vectors, [STS] with people's judgement of similarity. Each
// returns a report that renders as text and encodes as JSON.
//
// # How times are taken
//
// A cell is a number of tokens, a number of texts in a call and a number of threads. In
// each round every engine gets its turn in every cell: as many calls as fit into
// a slot, one at least. The round's figure is the median of its calls, the cell's
// the median of its rounds, and a ratio the median of the rounds' ratios. With one
// thread the processor time of that thread counts, as it barely changes when
// other programs run; with more, wall time does.
//
// Other engines are given token ids, so our time is also shown less that of
// tokenising the same texts.
//
// # Caveats
//
// Engines aren't measured with padding: texts of a call have equally many tokens.
package embedbench
