// Package render writes what a person reads in a terminal: listings, a memory, the
// reasons of a ranking, reports, errors. It takes the results of the packages below
// it and computes none of them.
//
// Its functions do not return the errors of their writer. A writer that can fail
// has to remember its first error.
package render
