// Package retrieve answers prompts from the index: it ranks memories in SQL, one
// file for each strategy, explains a ranking, and renders the block that a prompt
// receives. It writes nothing.
package retrieve
