package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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
			if output := strings.Join(answers, ""); !strings.Contains(output, test.code) || test.code == "" && output != "" {
				t.Errorf("answered %q, want %s", output, test.code)
			}
		})
	}
}

// An error of the SDK can hold data that is not JSON.
func TestEveryErrorIsAnswered(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"data that is not JSON": {sdk.ResourceNotFoundError("memctl://memory/\x7f"), `{"code":-32602,"message":"Resource not found"}`},
		"data":                  {sdk.ResourceNotFoundError("x"), `{"code":-32602,"message":"Resource not found","data":{"uri":"x"}}`},
		"no code":               {errors.New("too early"), `{"code":-32600,"message":"too early"}`},
		"a wrapped error":       {fmt.Errorf("read: %w", &jsonrpc.Error{Code: 7, Message: "no"}), `{"code":7,"message":"read: no"}`},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			c := newConnection(&out)
			c.unanswered <- struct{}{}
			if err := c.Write(t.Context(), &jsonrpc.Response{Error: test.err}); err != nil {
				t.Fatal(err)
			}
			if want := `"error":` + test.want; !strings.Contains(out.String(), want) {
				t.Errorf("answered %s, want %s", out.String(), want)
			}
		})
	}
}

// The connection reads a bounded number of requests ahead, and no long one.
func TestRequestsAreReadAsTheyAreAnswered(t *testing.T) {
	short := `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	long := `{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + strings.Repeat("x", longMessage) + "\"}\n"
	for name, test := range map[string]struct {
		input string
		ahead int
	}{
		"short": {strings.Repeat(short, 1000), maxRunning + maxWaiting},
		"long":  {short + strings.Repeat(long, 10), 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newConnection(io.Discard)
				defer func() {
					c.Close()
					time.Sleep(time.Hour) // until receive has returned
				}()
				go c.receive(strings.NewReader(test.input))
				var read atomic.Int32
				go func() {
					for range c.messages {
						read.Add(1)
					}
				}()
				synctest.Wait()
				if got := int(read.Load()); got != test.ahead {
					t.Errorf("%d requests were read before an answer, want %d", got, test.ahead)
				}
				if err := c.Write(t.Context(), &jsonrpc.Response{Result: json.RawMessage("{}")}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				if got := int(read.Load()); got != test.ahead+1 {
					t.Errorf("%d requests were read after an answer, want %d", got, test.ahead+1)
				}
			})
		})
	}
}

func TestPanicIsAnError(t *testing.T) {
	handle := contain(func(context.Context, string, sdk.Request) (sdk.Result, error) { panic("no row") })
	for range maxRunning + 1 { // each gives its place back
		if _, err := handle(t.Context(), "tools/call", nil); err == nil || !strings.Contains(err.Error(), "no row") {
			t.Fatalf("answered %v", err)
		}
	}
}

func FuzzMessages(f *testing.F) {
	f.Add("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\ngarbage\n[]\n")
	f.Add(`{"jsonrpc":"2.0","method":""}`)
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
