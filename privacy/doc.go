// Package privacy keeps from the disk what should not stand there: first the
// sections that somebody marked private, then secrets, told by their own shape or
// by the name beside them. Text in, text and a report out; it touches no files.
//
// docs/privacy.md states the rules. All of it is hand-written scanning, linear in
// the text, with nothing to set up: short-lived hooks link it.
package privacy
