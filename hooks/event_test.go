package hooks

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"memctl/schemas"
	"memctl/triage"
)

// plain is a client that sends a prompt and its session, and takes answers as they are.
type plain struct{ Client }

func (plain) Decode(raw json.RawMessage) (Event, Client, error) {
	var in struct {
		Prompt  string
		Session string `json:"session_id"`
	}
	err := json.Unmarshal(raw, &in)
	e := Event{Prompt: in.Prompt}
	e.SessionID = in.Session
	return e, plain{}, err
}

func (plain) Encode(hook string, a Answer) string {
	if a == (Answer{}) {
		return ""
	}
	data, _ := schemas.EncodeJSON(a)
	return hook + string(data) + "\n"
}

func (plain) AfterTool() bool                  { return false }
func (plain) Loads(string, string) []Loaded    { return nil }
func (plain) Home() string                     { return "" }
func (plain) LogName() string                  { return "" }
func (plain) Messages([]byte) []triage.Message { return nil }

func readPrompt(in io.Reader) (string, error) {
	raw, err := readValue(in)
	if err != nil {
		return "", err
	}
	e, _, err := plain{}.Decode(raw)
	return e.Prompt, err
}

func TestReadEvent(t *testing.T) {
	for in, want := range map[string]string{
		" \n\t{\"prompt\":\"p\"}\n\n": "p",
		`{"prompt":"p"} and more`:     "p", // is not read
		`{"prompt":"a\u0000b"}`:       "a\x00b",
		`{"prompt":"a\ud800b\udc00"}`: "a\ufffdb\ufffd",
		"{\"prompt\":\"a\xffb\"}":     "a\ufffdb",
		`{"prompt":"\ud83d\ude00"}`:   "😀",
	} {
		if got, err := readPrompt(strings.NewReader(in)); err != nil || got != want {
			t.Errorf("%s: got %q, %v", in, got, err)
		}
	}
}

func TestReadEventRefuses(t *testing.T) {
	tests := map[string]struct{ in, reason string }{
		"nothing":           {"", "empty"},
		"white space only":  {" \n ", "empty"},
		"half a value":      {`{"prompt":"p`, "unexpected EOF"},
		"not JSON":          {"prompt: p", "invalid character"},
		"raw NUL bytes":     {"\x00\x00", "invalid character"},
		"a raw NUL inside":  {"{\"prompt\":\"a\x00b\"}", "invalid character"},
		"nested too deeply": {strings.Repeat("[", 20_000), "depth"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := readPrompt(strings.NewReader(tt.in)); err == nil || !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("the reason %q does not say %q", err, tt.reason)
			}
		})
	}
}

func TestReadEventDoesNotWaitForTheEnd(t *testing.T) {
	in, client := io.Pipe()
	defer client.Close()
	go client.Write([]byte(`{"prompt":"p"}`))
	prompt, err := readPrompt(in)
	if err != nil || prompt != "p" {
		t.Errorf("got %q, %v", prompt, err)
	}
}

func TestReadEventPassesOnAReadError(t *testing.T) {
	broken := errors.New("broken pipe")
	in, client := io.Pipe()
	client.CloseWithError(broken)
	if _, err := readPrompt(in); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// endless reads as the letter x forever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Either the size limit or the time limit ends the reading, depending on the machine.
func TestReadEventGivesUpOnAnEndlessEvent(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`{"prompt":"`), endless{})
	if prompt, err := readPrompt(in); err == nil {
		t.Errorf("read a prompt of %d bytes", len(prompt))
	}
}
