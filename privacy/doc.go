// Package privacy removes from text what must not reach the disk: sections marked
// private, and secrets, which it recognises by their own shape or by the key name
// next to them. It takes text and returns text and a report; it touches no files.
//
// docs/privacy.md states the rules. The work is linear in the length of the text.
package privacy
