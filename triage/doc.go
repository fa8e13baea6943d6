// Package triage scores a session's transcript for each category of memory: text in,
// scores with their reasons out, by counting words and without a model. It reads the
// end of a transcript, whose lines package clients turns into messages, and writes no
// file.
//
// words.go holds everything that it looks for.
package triage
