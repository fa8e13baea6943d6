// Package benchhub measures a hub that holds a synthetic company: how long publishing
// takes, what searches cost PostgreSQL, and how many of the best memories they find.
// make bench-hub runs it.
package benchhub
