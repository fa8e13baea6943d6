// Package writer makes every change to memory files: create, update, retire,
// archive, unarchive, restore. Each is checked, locked, atomic, durable, and
// told to the index once the file is safe. Nothing is read from the index in
// order to write a file, and no folder is listed, so a write costs the same in a
// store of any size.
package writer
