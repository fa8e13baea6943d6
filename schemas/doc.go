// Package schemas owns what a memory and the configuration are: the Go types,
// the JSON Schema files that state the rules, and decoding. Bytes in, values
// out; it touches no files.
//
// Two readers of a memory exist on purpose. Decode is lenient: whatever a
// person or an older tool left in a readable JSON object can still be found by
// a prompt. Validate is strict: it is the judge of what may be written.
package schemas
