// Package bench measures memctl as its users run it: a new process for each hook and
// command. It compares each with the yardstick, a Go process that opens the index and
// asks it one question (package open). Run it with "make bench".
//
// Each round runs everything once, in turn, so that a machine that slows down slows
// all of it. The figure of a run is the user and system time of the process, and a
// ratio is the median of the ratios of the single rounds: both hardly change while
// other programs run. Two rows go by the time that passes instead: a search asked of
// a running MCP server, and the memories that reindex takes in per second.
//
// A limit that is not met is a word in the table, never a failure.
package bench
