package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// model stands in for the language model behind the client, on loopback. It plays its
// replies one after the other and keeps the requests.
type model struct {
	*httptest.Server
	mu       sync.Mutex
	replies  []reply
	requests []modelRequest
	// elsewhere lists the requests of the client to other hosts, which all failed.
	elsewhere []string
}

// reply is one answer of the model: text, or a tool to use.
type reply struct {
	text  string
	tool  string
	input any
}

// modelRequest is the part of a request that the tests look at.
type modelRequest struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []any             `json:"messages"`
	System   any               `json:"system"`
}

func newModel(t *testing.T, replies ...reply) *model {
	m := &model{replies: replies}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// ServeHTTP is also the client's proxy, so that requests to other hosts arrive here.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var asked modelRequest
	switch {
	case r.Method == http.MethodConnect || r.URL.IsAbs():
		m.elsewhere = append(m.elsewhere, r.Host)
		http.Error(w, "no network", http.StatusBadGateway)
	case r.Method != http.MethodPost || r.URL.Path != "/v1/messages":
		http.NotFound(w, r)
	case json.NewDecoder(r.Body).Decode(&asked) != nil:
		http.Error(w, "no JSON", http.StatusBadRequest)
	case len(asked.Tools) == 0: // the client's own errands: a title, for instance
		asked.answer(w, "errand", reply{text: "A title"})
	default:
		m.requests = append(m.requests, asked)
		asked.answer(w, strconv.Itoa(len(m.requests)), m.next())
	}
}

// asked returns the requests.
func (m *model) asked(t *testing.T) []modelRequest {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.elsewhere) > 0 {
		t.Logf("the client asked for other hosts, in vain: %v", m.elsewhere)
	}
	return slices.Clone(m.requests)
}

func (m *model) next() reply {
	if len(m.replies) == 0 {
		return reply{text: "There is nothing more to say."}
	}
	next := m.replies[0]
	m.replies = m.replies[1:]
	return next
}

// answer sends a reply as one content block, streamed if the client asks for it. The
// client takes answers with the same id for parts of one answer.
func (r modelRequest) answer(w http.ResponseWriter, id string, answer reply) {
	type object = map[string]any
	stop := "end_turn"
	block, empty, delta := object{"type": "text", "text": answer.text}, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": answer.text}
	if answer.tool != "" {
		stop = "tool_use"
		input, _ := json.Marshal(answer.input)
		block = object{"type": "tool_use", "id": "toolu_" + id, "name": answer.tool, "input": answer.input}
		empty = object{"type": "tool_use", "id": "toolu_" + id, "name": answer.tool, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(input)}
	}
	usage := object{"input_tokens": 100, "output_tokens": 10}
	message := object{"id": "msg_" + id, "type": "message", "role": "assistant", "model": r.Model, "content": []object{block}, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	if !r.Stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	message["content"], message["stop_reason"] = []object{}, nil
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range []object{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": empty},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 10}},
		{"type": "message_stop"},
	} {
		data, _ := json.Marshal(event)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], data)
	}
}

// count returns how often a text occurs in the conversation, wherever the client puts
// it: the place of a hook's output has changed between versions.
func (r modelRequest) count(text string) int {
	return strings.Count(strings.Join(stringsIn(r.Messages), "\n"), text)
}

// find returns the part of a message, from a text to the end, "" if no message has it.
func (r modelRequest) find(text string) string {
	for _, said := range stringsIn(r.Messages) {
		if at := strings.Index(said, text); at >= 0 {
			return said[at:]
		}
	}
	return ""
}

// lastResult returns the result of the tool that was used last.
func (r modelRequest) lastResult() (text string, isError bool) {
	walkObjects(r.Messages, func(object map[string]any) {
		if object["type"] == "tool_result" {
			text = strings.Join(stringsIn(object["content"]), "\n")
			isError, _ = object["is_error"].(bool)
		}
	})
	return text, isError
}

func stringsIn(value any) (all []string) {
	switch v := value.(type) {
	case string:
		all = []string{v}
	case []any:
		for _, item := range v {
			all = append(all, stringsIn(item)...)
		}
	case map[string]any:
		for _, item := range v {
			all = append(all, stringsIn(item)...)
		}
	}
	return all
}

// walkObjects visits every object, in the order of the lists that hold them.
func walkObjects(value any, visit func(map[string]any)) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			walkObjects(item, visit)
		}
	case map[string]any:
		visit(v)
		for _, item := range v {
			walkObjects(item, visit)
		}
	}
}
