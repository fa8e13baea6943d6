// Package picture draws docs/prompt.svg, the picture in README.md: what a person sees of
// memctl in a session of Claude Code. It draws the screen that a test has recorded from
// the real client ("make e2e"). Its test compares the picture, and makes it again ("make picture").
package picture
