package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// edit changes one memory again and again: its title ends in one of two words of
// one length, so that each change is a change and only the mtime shows it.
type edit struct {
	path     string
	versions [2][]byte
	titles   [2]string
	current  int
}

func newEdit(path string) (*edit, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m struct{ Title string }
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	e := &edit{path: path}
	for i, word := range []string{"former", "latter"} {
		e.titles[i] = m.Title + " " + word
		e.versions[i] = bytes.Replace(data, quoted(m.Title), quoted(e.titles[i]), 1)
	}
	return e, nil
}

func quoted(s string) []byte { return []byte(`"` + s + `"`) }

// replace renames a new file over the memory, as git and careful editors do.
func (e *edit) replace() error {
	temp := e.path + ".tmp"
	if err := writeFlushed(temp, e.next()); err != nil {
		return err
	}
	if err := os.Rename(temp, e.path); err != nil {
		return err
	}
	return flushFolder(filepath.Dir(e.path))
}

// inPlace overwrites the memory, which leaves its folder's mtime as it was.
func (e *edit) inPlace() error { return writeFlushed(e.path, e.next()) }

func (e *edit) next() []byte {
	e.current = 1 - e.current
	return e.versions[e.current]
}

// seen checks that a hook's answer has the title as changed last.
func (e *edit) seen(answer string) error {
	if title := e.titles[e.current]; !strings.Contains(answer, title) {
		return fmt.Errorf("the hook has not seen the change to %q: %s", title, answer)
	}
	return nil
}

// writeFlushed leaves nothing for the disk to do later: the next fsync of another
// program, which is timed, would have to wait for it.
func writeFlushed(path string, data []byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(data); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return file.Close()
}

func flushFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // has no such thing
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
