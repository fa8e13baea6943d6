package install

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"memctl/text"
)

// pluginForm is a module of OpenCode, which runs no commands at its events.
type pluginForm struct{}

// openCodePlugin is the module, in which the program is "memctl".
//
//go:embed opencode.js
var openCodePlugin []byte

const (
	pluginStart   = "// memctl's plugin for OpenCode"
	pluginProgram = `const program = "memctl"`
)

func (form pluginForm) add(data []byte, e Entries) ([]byte, error) {
	if _, err := form.find(data); err != nil {
		return nil, err
	}
	if len(e.Hooks) == 0 {
		return data, nil
	}
	program, _, _ := e.Hooks[0].Memctl()
	quoted, err := json.Marshal(program)
	if err != nil {
		return nil, err
	}
	return bytes.Replace(openCodePlugin, []byte(pluginProgram), append([]byte("const program = "), quoted...), 1), nil
}

func (form pluginForm) remove(data, _ []byte) ([]byte, error) {
	_, err := form.find(data)
	return nil, err
}

// find takes any file that starts as the plugin does for one, of whatever version.
func (pluginForm) find(data []byte) (e Entries, err error) {
	if data == nil {
		return e, nil
	}
	if !bytes.HasPrefix(data, []byte(pluginStart)) {
		return e, errors.New("it is another plugin; move it to another file")
	}
	var program string
	if found := regexp.MustCompile(`(?m)^const program = (".*")$`).FindSubmatch(data); found != nil {
		_ = json.Unmarshal(found[1], &program) // doctor reports that no such program can be run
	}
	openCode, _ := ClientNamed("opencode")
	e.Hooks = openCode.Hooks(text.ShellQuoted(program))
	return e, nil
}

func (pluginForm) diff(path string, before, after []byte) (string, error) {
	if before == nil || after == nil {
		return fmt.Sprintf("--- %s\n+++ %s\n(a plugin of %d lines)\n", diffName(path, before), diffName(path, after),
			max(bytes.Count(before, []byte("\n")), bytes.Count(after, []byte("\n")))), nil
	}
	return plainDiff(path, before, after), nil
}
func (pluginForm) isOwn() bool   { return true }
func (pluginForm) rules() string { return "a JavaScript module" }
