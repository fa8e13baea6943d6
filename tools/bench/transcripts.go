package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"

	"memctl/tools/synth/store"
)

// transcripts are what the stop hook reads. The long one ends in the short one.
type transcripts struct {
	short, long string
}

const (
	shortMessages = 200
	longBytes     = 500e6
)

func writeTranscripts(dir string) (transcripts, error) {
	t := transcripts{filepath.Join(dir, "short.jsonl"), filepath.Join(dir, "long.jsonl")}
	g := talk{rand.New(rand.NewSource(seed)), store.Words()}
	end := g.messages(shortMessages)
	if err := os.WriteFile(t.short, []byte(end), 0o600); err != nil {
		return t, err
	}
	return t, writeLong(t.long, g.messages(1000), end)
}

// writeLong repeats what was said before up to the size.
func writeLong(path, before, end string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	for written := len(end); written < longBytes; written += len(before) {
		if _, err := io.WriteString(out, before); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(out, end); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// talk makes up conversations.
type talk struct {
	random *rand.Rand
	words  []string
}

// messages are lines of the client's shape: a prompt, an answer, a tool that is
// used and its result, and so on.
func (g talk) messages(n int) string {
	var b strings.Builder
	for i := range n {
		kind, message := "assistant", map[string]any{"id": fmt.Sprintf("msg_%d", i/4), "role": "assistant"}
		switch i % 4 {
		case 0:
			kind, message = "user", map[string]any{"role": "user", "content": g.text(20)}
		case 1:
			answer := g.text(40) + "\nWe decided on " + g.text(3) + " because of " + g.text(3) + ".\n" + g.text(40)
			message["content"] = []any{map[string]string{"type": "text", "text": answer}}
		case 2:
			message["content"] = []any{map[string]any{"type": "tool_use", "name": "Bash", "input": map[string]string{"command": g.text(8)}}}
		case 3:
			kind, message = "user", map[string]any{"role": "user", "content": []any{map[string]string{"type": "tool_result", "content": g.text(100)}}}
		}
		line, err := json.Marshal(map[string]any{
			"type": kind, "message": message, "isSidechain": false, "cwd": "/home/dev/project", "version": "2.1.329",
			"uuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "timestamp": "2026-11-20T15:23:01.961Z",
		})
		if err != nil {
			panic(err) // strings
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func (g talk) text(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = g.words[g.random.Intn(len(g.words))]
	}
	return strings.Join(list, " ")
}
