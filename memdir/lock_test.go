package memdir

import (
	"strings"
	"testing"
	"time"
)

func TestLockNamesItsFileOnce(t *testing.T) {
	root := Root{Path: t.TempDir()}
	for name, file := range map[string]string{"a folder that is missing": "nowhere/lock", "a folder": "."} {
		t.Run(name, func(t *testing.T) {
			_, err := root.LockShared(t.Context(), file, time.Second)
			if err == nil || strings.Count(err.Error(), root.Join(file)) != 1 {
				t.Errorf("%v", err)
			}
		})
	}
}
