// Package observe turns what a tool did into an observation and appends it to the
// session's file. It filters, cuts and limits. It does not open the index, because
// its hook runs after every tool.
package observe
