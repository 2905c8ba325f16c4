//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

// Package vectorbench measures how fast the nearest of many vectors are found in
// an index on disk.
//
// [Run] builds an index of package vecindex for every number of vectors, checks its
// answers against a scan in float64, and measures adding, the first search after
// opening, and searches of several kinds and numbers of threads. Beside them, in the
// same rounds, it measures other exact searches that are installed: faiss and numpy,
// driven over pipes. The report renders as text and encodes as JSON.
//
// # The vectors
//
// They are made like those of texts (Source): every vector lies around the centre of its
// cluster, some nearer and some farther, the centres around those of a few topics, and
// these share a direction, as sentence embeddings do. So the cosines of a
// question to its nearest fifty spread between some 0.5 and 0.9, and the report says
// where they were. A question is made as one more vector.
//
// # How times are taken
//
// In each round every search gets its turn: as many calls as fit into a slot, with
// a question of its own each unless it is said to be the same again. A round gives a
// median and a 99th percentile, the figure is the median of the rounds, and a ratio the
// median of the rounds' ratios. With one thread the processor time of that thread
// counts for ratios, as it barely changes when other programs run; with more, wall time
// does.
//
// # Caveats
//
// The files that the searches read are in the system's cache, as the run has just
// written them. With few calls in a round the 99th percentile is the slowest call.
package vectorbench
