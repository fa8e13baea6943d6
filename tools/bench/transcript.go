package main

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"

	"memctl/tools/synth/store"
)

// messages makes a transcript of n messages: a correction, an answer with a decision, a tool
// that is used and its result, and so on.
func messages(n int) []byte {
	random, words := rand.New(rand.NewSource(seed)), store.Words()
	text := func(length int) string {
		list := make([]string, length)
		for i := range list {
			list[i] = words[random.Intn(len(words))]
		}
		return strings.Join(list, " ")
	}
	var out bytes.Buffer
	for i := range n {
		role, content := "user", fmt.Sprintf("%q", "No, never "+text(3)+", because "+text(3)+". "+text(12))
		switch i % 4 {
		case 1:
			answer := text(40) + "\nWe decided on " + text(3) + " because of " + text(3) + ".\n" + text(40)
			role, content = "assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, answer)
		case 2:
			role, content = "assistant", fmt.Sprintf(`[{"type":"tool_use","name":"Bash","input":{"command":%q}}]`,
				text(8))
		case 3:
			content = fmt.Sprintf(`[{"type":"tool_result","content":%q}]`, text(100))
		}
		fmt.Fprintf(&out,
			`{"type":%q,"message":{"role":%q,"content":%s},"isSidechain":false,"timestamp":"2026-11-20T15:23:01.961Z"}`+"\n", role, role, content)
	}
	return out.Bytes()
}
