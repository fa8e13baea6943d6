package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"memctl/files/gate"
	"memctl/schemas"
)

// stateLock is how long a change of a list waits for another one.
const stateLock = 10 * time.Second

// StateList is a JSON file of the state folder: a list that waits for somebody.
type StateList[T any] struct {
	Name  string // of the file
	What  string // for errors: "the work list"
	Limit int64  // in bytes
}

// Read reads the list, which is a new one if there is no file.
func (s StateList[T]) Read() (*T, error) {
	list := new(T)
	data, err := ReadStateFile(s.Name, s.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	if err == nil {
		err = json.Unmarshal(data, list)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.What, gate.Reason(err))
	}
	return list, nil
}

// Change changes the list, which no other process changes meanwhile. The file is replaced whole or not at all.
func (s StateList[T]) Change(ctx context.Context, change func(*T) error) error {
	state, err := OpenState()
	if err != nil {
		return err
	}
	defer state.Close()
	lock, err := LockFolder(ctx, state.path, stateLock)
	if err != nil {
		return fmt.Errorf("lock %s: %w", s.What, err)
	}
	defer lock.Unlock()
	list, err := s.Read()
	if err != nil {
		return err
	}
	if err := change(list); err != nil {
		return err
	}
	data, err := schemas.EncodeJSON(list)
	if err == nil && int64(len(data)) > s.Limit {
		err = fmt.Errorf("%s would have more than %d MB", s.What, s.Limit>>20)
	}
	if err != nil {
		return err
	}
	return state.Replace(s.Name, data)
}
