//go:build attack && linux

package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// linkedConfig is a configuration that leads out of the root.
func linkedConfig(target string) func(*project) error {
	return func(p *project) error {
		if err := errors.Join(os.Remove(p.path("memory-config.json")), os.Symlink(target, p.path("memory-config.json"))); err != nil {
			return err
		}
		return p.everyHook()
	}
}

func pipedConfig(p *project) error {
	if err := errors.Join(os.Remove(p.path("memory-config.json")), syscall.Mkfifo(p.path("memory-config.json"), 0o644)); err != nil {
		return err
	}
	return p.everyHook()
}

// patterns is a configuration with expressions that take long to compile or to match.
// No text that was not filtered may reach the disk.
func patterns(list []string) func(*project) error {
	return func(p *project) error {
		config, err := json.Marshal(map[string]any{
			"privacy": map[string]any{"excludePatterns": list}, "observations": map[string]any{"enabled": true},
		})
		if err != nil {
			return err
		}
		if err := p.write("memory-config.json", string(config)); err != nil {
			return err
		}
		return p.everyHook()
	}
}

func nestedRepetitions() []string {
	list := make([]string, 50)
	for i := range list {
		list[i] = "(?:" + strings.Repeat("[a-z]x", 1000) + "){1000}"
	}
	return list
}

func repeatedClasses() []string {
	list := make([]string, 10)
	for i := range list {
		list[i] = fmt.Sprintf(`[\w\s,.%c]{500,1000}\x00`, '!'+i)
	}
	return list
}

func manyPatterns() []string {
	list := make([]string, 5000)
	for i := range list {
		list[i] = fmt.Sprintf(`\pL{200}%d`, i)
	}
	return list
}
