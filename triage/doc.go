// Package triage finds what in a session's transcript is worth a memory: text
// in, categories with scores and reasons out, by counting words and without a
// model (DESIGN §8). It reads the transcript's end and writes no file.
//
// words.go is the whole of what it looks for.
package triage
