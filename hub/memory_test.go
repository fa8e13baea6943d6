package hub

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"memctl/features/hub/remote"
)

// Whatever a publisher sends is refused by its path, or becomes a valid memory that
// PostgreSQL can store and that reads the same a second time.
func FuzzReadMemory(f *testing.F) {
	for _, file := range []remote.File{
		note("jwt", "JWT keys"),
		note("nul", "a\x00b"),
		note("secret", "password = 'hunter2-Zq8!'", "<private>x</private>"),
		noteWith("more", "More", nil, map[string]any{"extra": 1}),
		{Path: "runbooks/x.json", Memory: []byte("[1")},
		{Path: "decisions/\xff.json", Memory: []byte("{\"a\": \"\xff\"}")},
	} {
		f.Add(file.Path, []byte(file.Memory))
	}
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		list, err := readMemories("", []remote.File{{Path: path, Memory: data}})
		if err != nil {
			var refused *remote.Error
			if !errors.As(err, &refused) || refused.Code != "invalid_memory" || refused.Message == "" {
				t.Errorf("refused with %v", err)
			}
			return
		}
		for _, m := range list {
			if err := firstViolation(path, m.document); err != nil {
				t.Errorf("%s is not valid: %v", m.document, err)
			}
			if columns := fmt.Sprint(m.columns(1)...); strings.Contains(columns, "\x00") {
				t.Errorf("%q has a NUL", columns)
			}
			again, err := readMemories("", []remote.File{{Path: path, Memory: m.document}})
			if err != nil || !bytes.Equal(again[0].hash, m.hash) {
				t.Errorf("not the same again: %v\n%s", err, m.document)
			}
		}
	})
}
