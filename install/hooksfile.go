package install

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// hooksFileForm is a JSON file with hooks of memctl alone, each directly below its event.
// Copilot reads every such file in a folder.
type hooksFileForm struct{}

// hooksFile is the whole file.
type hooksFile struct {
	Version int                        `json:"version"`
	Hooks   map[string][]hooksFileHook `json:"hooks"`
}

type hooksFileHook struct {
	Type       string  `json:"type"`
	Bash       string  `json:"bash"`
	PowerShell string  `json:"powershell"` // of Windows
	Timeout    float64 `json:"timeoutSec"`
}

// errForeignFile is about a file that stands where memctl's own belongs.
var errForeignFile = errors.New("it has more than memctl's hooks; move that to another file")

func (form hooksFileForm) add(data []byte, e Entries) ([]byte, error) {
	if _, err := form.find(data); err != nil {
		return nil, err
	}
	file := hooksFile{Version: 1, Hooks: map[string][]hooksFileHook{}}
	for _, h := range e.Hooks {
		file.Hooks[h.Event] = append(file.Hooks[h.Event], hooksFileHook{commandType, h.Command, h.powerShell(), h.Timeout})
	}
	value := encode(file)
	layout{newline: "\n", unit: "  "}.arrange(&value, "", true)
	return append(value.Pack(), '\n'), nil
}

func (form hooksFileForm) remove(data, _ []byte) ([]byte, error) {
	_, err := form.find(data)
	return nil, err
}

func (hooksFileForm) find(data []byte) (e Entries, err error) {
	if data == nil {
		return e, nil
	}
	if _, err := parse(data); err != nil {
		return e, err
	}
	var file hooksFile
	if err := json.Unmarshal(data, &file); err != nil {
		return e, err
	}
	for event, list := range file.Hooks {
		for _, entry := range list {
			h := Hook{Event: event, Command: entry.Bash, Timeout: entry.Timeout}
			if h.Name() == "" {
				return Entries{}, errForeignFile
			}
			e.Hooks = append(e.Hooks, h)
		}
	}
	slices.SortFunc(e.Hooks, func(a, b Hook) int { return strings.Compare(a.Event, b.Event) })
	return e, nil
}

func (hooksFileForm) diff(path string, before, after []byte) (string, error) {
	return plainDiff(path, before, after), nil
}
func (hooksFileForm) isOwn() bool   { return true }
func (hooksFileForm) rules() string { return "strict JSON" }
