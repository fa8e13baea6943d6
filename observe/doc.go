// Package observe makes an observation of what a tool did, and appends it to the
// session's file. It filters, cuts and bounds; it does not open the index, for the
// hook runs after every tool.
package observe
