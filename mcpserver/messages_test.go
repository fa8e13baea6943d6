package mcpserver

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pass reads input as a session does that answers nothing.
func pass(t *testing.T, input string) (messages, answers []string) {
	t.Helper()
	var out bytes.Buffer
	c := newConnection(&out)
	c.patience = 0
	go c.receive(strings.NewReader(input))
	for {
		message, err := c.Read(t.Context())
		if err == io.EOF {
			return messages, strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := jsonrpc.EncodeMessage(message)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, string(line))
	}
}

func TestOnlyMessagesArePassedOn(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, test := range map[string]struct {
		input, messages, code string
	}{
		"a message":                   {ping + "\n", ping, ""},
		"without its line feed":       {ping, ping, ""},
		"after carriage returns":      {"\r\n" + ping + "\r\n", ping, ""},
		"two":                         {ping + "\n" + ping + "\n", ping + ping, ""},
		"garbage before it":           {"garbage\n" + ping + "\n", ping, "-32700"},
		"half of one":                 {ping[:10], "", "-32700"},
		"two on a line":               {ping + ping + "\n", "", "-32700"},
		"a batch":                     {"[" + ping + "]\n", "", "-32600"},
		"another version":             {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "", "-32700"},
		"what is too long":            {`{"x":"` + strings.Repeat("x", maxMessage) + "\"}\n" + ping, ping, "-32600"},
		"what is too long at the end": {`{"x":"` + strings.Repeat("x", maxMessage), "", "-32600"},
		"nothing":                     {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			messages, answers := pass(t, test.input)
			if got := strings.Join(messages, ""); got != test.messages {
				t.Errorf("passed on %.200q, want %q", got, test.messages)
			}
			if said := strings.Join(answers, ""); !strings.Contains(said, test.code) || test.code == "" && said != "" {
				t.Errorf("answered %q, want %s", said, test.code)
			}
		})
	}
}

func FuzzMessages(f *testing.F) {
	f.Add("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\ngarbage\n[]\n")
	f.Fuzz(func(t *testing.T, input string) {
		messages, answers := pass(t, input)
		for _, line := range messages {
			if _, err := jsonrpc.DecodeMessage([]byte(line)); line != "" && err != nil {
				t.Errorf("%q was passed on: %v", line, err)
			}
		}
		for _, line := range answers {
			if line != "" && !json.Valid([]byte(line)) {
				t.Errorf("answered %q", line)
			}
		}
	})
}
