// Package indexer keeps the index equal to the memory files: it scans the
// category folders, finds what changed, reads and decodes those files, and
// writes their rows; or it rebuilds everything. A file that is no memory becomes
// a row with its reason. It never writes a JSON file.
package indexer
