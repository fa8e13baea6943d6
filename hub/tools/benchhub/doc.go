// Package benchhub measures a hub that holds a company whose memories are commit messages: how long
// publishing takes, what searches cost PostgreSQL, and how many of the best memories they find.
// make bench-hub runs it.
package benchhub
