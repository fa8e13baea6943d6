package observe

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"memctl/memdir"
	"memctl/schemas"
)

// maxTail is how many bytes of a session's file are read for its last runs.
const maxTail = 1 << 20

// Last reads the observations at the end of a session's file. A missing file has
// none.
func Last(root memdir.Root, session string) ([]schemas.Observation, error) {
	sessions, err := root.OpenSessions()
	if sessions == nil {
		return nil, err
	}
	defer sessions.Close()
	file, size, err := sessions.Open(SessionFile(session))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	start := max(0, size-maxTail)
	var list []schemas.Observation
	_, err = memdir.Lines(io.NewSectionReader(file, start, size-start), func(line []byte) error {
		if o, _, _, err := schemas.DecodeObservation(bytes.TrimSpace(line)); err == nil {
			list = append(list, o)
		}
		return nil
	})
	return list, err
}
