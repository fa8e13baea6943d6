package triage

import (
	_ "embed"
	"strings"
	"sync"

	"memctl/text"
)

// signsFile lists the words of the signs, by which a sentence is found to hold something durable.
//
//go:embed signs.txt
var signsFile string

// Side is who said a sentence.
type Side string

// The sides of a conversation.
const (
	Person Side = "user"
	Agent  Side = "agent"
)

// signs lists the signs of both sides, in the order of signs.txt.
var signs = [...]struct {
	side   Side
	name   string
	points float64 // of the turn
}{
	{Person, "standing", 1},
	{Person, "correction", .5},
	{Person, "choice", .5},
	{Person, "reason", .5},
	{Person, "deferral", .5},
	{Person, "accepted", .5},
	{Agent, "cause", .5},
	{Agent, "limit", .5},
	{Agent, "choice", .5},
}

var signDictionary = sync.OnceValue(func() dictionary {
	d := dictionary{}
	for line := range text.DataLines(signsFile) {
		head, words, _ := strings.Cut(line, ": ")
		for i, sign := range signs {
			if head == string(sign.side)+" "+sign.name {
				for word := range strings.SplitSeq(words, ", ") {
					d.add(word, i, primary)
				}
			}
		}
	}
	return d
})

// signsOf returns the signs of a sentence that one side said, as bits by their index.
func signsOf(side Side, sentence string) (found uint16) {
	start := len(sentence) - len(strings.TrimLeftFunc(sentence, func(r rune) bool { return !isWord(r) }))
	for at, p := range signDictionary().find(sentence[start:]) {
		if signs[p.rule].side == side && (!p.first || at == 0) {
			found |= 1 << p.rule
		}
	}
	return found
}
