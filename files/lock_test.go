package files

import (
	"errors"
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

func TestLockIsTriedOnceWithoutTime(t *testing.T) {
	root := Root{Path: t.TempDir()}
	lock, err := root.LockExclusive(t.Context(), "lock", 0)
	if err != nil {
		t.Fatalf("a free lock: %v", err)
	}
	if _, err := root.LockExclusive(t.Context(), "lock", 0); !errors.Is(err, ErrLocked) {
		t.Errorf("a lock that is held: %v", err)
	}
	lock.Unlock()
	lock, err = root.LockShared(t.Context(), "lock", 0)
	if err != nil {
		t.Fatalf("a lock that was freed: %v", err)
	}
	lock.Unlock()
}
