// Package public measures the search of past sessions on public sets of conversations
// ("make bench-public DATA=FOLDER", docs/dev/measures.md). It ships none of them.
package public
