// Package storebench measures saving, opening, searching and removing in a
// memory on disk, beside what the machine gives at best: the same bytes put into
// a bare Pebble, or appended to a file and synced.
//
// [Run] measures one size after the other, each in a folder of its own that is
// removed afterwards. The folder should be on the disk that is of interest.
package storebench
