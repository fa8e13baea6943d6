// Package indexer keeps the index equal to the memory files: it scans the category
// folders, compares their files with the index, reads and decodes those that changed,
// and writes their rows, or it rebuilds everything. A file that is not a memory becomes
// a row with the reason. The package never writes a memory file.
package indexer
