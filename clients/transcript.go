package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"memctl/files"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/triage"
)

// Block is a part of what a message says, in the forms of all clients.
type Block struct {
	Type         string `json:"type"`
	Text         string `json:"text"`
	Name         string `json:"name"`
	Thought      bool   `json:"thought"`
	FunctionCall struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse struct {
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
	// What a tool is given, and what it answers.
	Input     json.RawMessage `json:"input"`
	Args      json.RawMessage `json:"args"`
	Arguments json.RawMessage `json:"arguments"`
	Content   json.RawMessage `json:"content"`
}

// maxBlocks is how many blocks of one message are read. Messages have a few.
const maxBlocks = 1000

// Blocks reads the content of a message: a text or a list of blocks. It decodes one block
// at a time: a list of empty blocks takes many times its size in memory.
func Blocks(content json.RawMessage) []Block {
	if text, ok := decodeString(content); ok {
		return []Block{{Type: "text", Text: text}}
	}
	var list []Block
	for _, data := range Elements(content) {
		if text, ok := decodeString(data); ok {
			list = append(list, Block{Type: "text", Text: text})
			continue
		}
		var b Block
		if DecodeObject(data, &b) {
			list = append(list, b)
		}
	}
	return list
}

// Elements returns the first maxBlocks elements of a JSON array, and none of any other
// value.
func Elements(array json.RawMessage) []json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(array))
	if start, err := decoder.Token(); err != nil || start != json.Delim('[') {
		return nil
	}
	var list []json.RawMessage
	for len(list) < maxBlocks && decoder.More() {
		var data json.RawMessage
		if decoder.Decode(&data) != nil {
			break
		}
		list = append(list, data)
	}
	return list
}

// toolInput has the members of tools' inputs that say what a tool did, by the names of all clients.
type toolInput struct {
	FilePath     string `json:"filePath"`
	FileName     string `json:"file_path"`
	NotebookPath string `json:"notebook_path"`
	AbsolutePath string `json:"absolute_path"`
	Path         string `json:"path"`
	Command      string `json:"command"`
	Cmd          string `json:"cmd"`
	Pattern      string `json:"pattern"`
	Query        string `json:"query"`
	URL          string `json:"url"`
}

// AddUse adds a tool that a message uses, with what it is given.
func AddUse(m *triage.Message, tool string, input json.RawMessage) {
	m.Tools, m.Uses = append(m.Tools, tool), append(m.Uses, use(tool, input))
}

func use(tool string, input json.RawMessage) triage.Use {
	if s, ok := decodeString(input); ok {
		input = json.RawMessage(s)
	}
	var in toolInput
	if !DecodeObject(input, &in) { // the text of a patch, or none
		paths := append(PatchPaths(string(input)), "")
		return triage.Use{Tool: tool, File: paths[0]}
	}
	return triage.Use{Tool: tool,
		File:    cmp.Or(in.FilePath, in.FileName, in.NotebookPath, in.AbsolutePath, in.Path),
		Command: cmp.Or(in.Command, in.Cmd, in.Query, in.Pattern, in.URL)}
}

// maxPatchPaths bounds the files of a patch that are looked at.
const maxPatchPaths = 1000

// PatchPaths returns the files that a patch writes, moves or deletes.
func PatchPaths(patch string) []string {
	var paths []string
	for line := range strings.Lines(patch) {
		for _, header := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(strings.TrimSpace(line), header); ok && len(paths) < maxPatchPaths {
				paths = append(paths, strings.TrimSpace(path))
			}
		}
	}
	return paths
}

// Printed returns the text of a tool's answer: a text, a list of blocks, or an object with one of both.
func Printed(answer json.RawMessage) []string {
	var o struct{ Output, Content, Error, Result json.RawMessage }
	if DecodeObject(answer, &o) {
		for _, part := range []json.RawMessage{o.Output, o.Content, o.Result, o.Error} {
			if list := Printed(part); len(list) > 0 {
				return list
			}
		}
		return nil
	}
	var list []string
	for _, b := range Blocks(answer) {
		if b.Text != "" {
			list = append(list, b.Text)
		}
	}
	return list
}

// Spoken is a message of one side. Text that the client put among the words of the user,
// in one of the tags, is left out.
func Spoken(fromUser bool, texts []string, tags ...string) (m triage.Message) {
	for _, text := range texts {
		if fromUser {
			text = WithoutTags(text, tags)
		}
		if strings.TrimSpace(text) != "" {
			m.Text = append(m.Text, text)
		}
	}
	m.Exchange = m.Text != nil
	m.FromUser, m.FromAssistant = fromUser && m.Exchange, !fromUser && m.Exchange
	return m
}

// WithoutTags removes elements with one of the tags from the beginning of a text.
func WithoutTags(text string, tags []string) string {
	for again := true; again; {
		again = false
		for _, tag := range tags {
			if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "<"+tag) {
				_, text, again = strings.Cut(trimmed, "</"+tag+">")
			}
		}
	}
	return strings.TrimSpace(text)
}

// decodeString decodes a JSON string. It reports false for anything else.
func decodeString(data []byte) (s string, ok bool) {
	if !bytes.HasPrefix(data, []byte(`"`)) {
		return "", false
	}
	return s, json.Unmarshal(data, &s) == nil
}

// DecodeObject decodes a JSON object and ignores members of unexpected types. It
// reports false for anything else.
func DecodeObject(data []byte, into any) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return false
	}
	err := json.Unmarshal(data, into)
	return err == nil || errors.As(err, new(*json.UnmarshalTypeError))
}

// Line is a line of a transcript that is read from its beginning.
type Line struct {
	At       int64  // the bytes before it
	Data     []byte // nil for one of more than files.MaxLine bytes
	Messages []triage.Message
}

// ReadLines reads whole lines of a transcript and passes each to use. It returns their number of
// bytes. A stop reads from the end instead (triage.Source): it must not cost more in a longer session.
func (c *Client) ReadLines(in io.Reader, use func(Line) error) (read int64, err error) {
	return files.Lines(in, func(at int64, data []byte) error {
		l := Line{At: at, Data: data}
		if data != nil {
			l.Messages = c.ReadLine(data)
		}
		return use(l)
	})
}

// mostMessages is how many messages of a session are taken for its turns.
const mostMessages = 50_000

// Session collects the messages of a transcript.
type Session struct {
	messages []triage.Message
	TooLong  int // lines that were passed by
}

// Add takes a line.
func (s *Session) Add(l Line) {
	if l.Data == nil {
		s.TooLong++
	}
	if len(s.messages) < mostMessages {
		s.messages = append(s.messages, l.Messages...)
	}
}

// Turns returns the turns of the session, and when it ended, zero if no message has a time.
func (s *Session) Turns(filter *privacy.Filter) ([]triage.Turn, time.Time) {
	return triage.Turns(s.messages, filter)
}

// maxFirst bounds the first value of a transcript that is read, in bytes.
const maxFirst = 1 << 20

// OfTranscript returns the client that wrote a transcript, by its first line.
func OfTranscript(in io.Reader) *Client {
	var line json.RawMessage
	if json.NewDecoder(io.LimitReader(in, maxFirst)).Decode(&line) != nil {
		return Claude
	}
	for _, c := range Others {
		if c.Wrote != nil && c.Wrote(line) {
			return c
		}
	}
	return Claude
}

// Scores are the scores of a transcript, with the lines that count.
type Scores struct {
	Messages   int             `json:"messages"`
	Activity   triage.Activity `json:"activity"`
	Categories []CategoryScore `json:"categories"`
	// Turns are the points of the turns, with triage.strategy "moments".
	Turns []triage.TurnPoints `json:"turns,omitempty"`
}

// CategoryScore is the score of one category, and why.
type CategoryScore struct {
	Category  schemas.Category `json:"category"`
	Score     float64          `json:"score"`
	Threshold float64          `json:"threshold"`
	Triggers  bool             `json:"triggers"`
	Matches   []triage.Match   `json:"matches"`
}

// Score scores the end of a transcript of any client with the thresholds of a configuration.
func Score(transcript io.ReaderAt, size int64, cfg schemas.Config) (Scores, error) {
	client := OfTranscript(io.NewSectionReader(transcript, 0, size))
	source := triage.TranscriptFile{In: transcript, Size: size, Messages: client.Messages}
	t, err := triage.Read(source, triage.Window{Messages: cfg.Triage.MaxMessages}, cfg.Privacy.Filter())
	if err != nil {
		return Scores{}, err
	}
	scores := Scores{Messages: t.Messages(), Activity: t.Activity}
	for _, r := range t.Score() {
		threshold := cfg.Triage.Thresholds[r.Category]
		scores.Categories = append(scores.Categories,
			CategoryScore{r.Category, r.Score, threshold, r.Triggers(cfg), r.Matches})
	}
	if cfg.Triage.Strategy == schemas.Moments {
		var session Session
		_, err = client.ReadLines(io.MultiReader(io.NewSectionReader(transcript, 0, size), strings.NewReader("\n")),
			func(l Line) error {
				session.Add(l)
				return nil
			})
		turns, _ := session.Turns(cfg.Privacy.Filter())
		var w triage.Watch
		for _, t := range turns {
			p := w.Add(t)
			if p.Asks { // the count begins anew
				w.Reset()
			}
			scores.Turns = append(scores.Turns, p)
		}
	}
	return scores, err
}
