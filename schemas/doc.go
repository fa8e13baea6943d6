// Package schemas owns what a memory and the configuration are: the Go types, the
// JSON Schema files that state the rules, the table of settings, and decoding and
// encoding. Bytes in, values out; it touches no files.
//
// There are two readers of a memory on purpose. Decode is lenient: a prompt can
// still find whatever a person or an older tool left in a readable JSON object.
// Validate is strict: it decides what may be written.
package schemas
