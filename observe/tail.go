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
	var list []schemas.Observation
	err := readSession(root, session, maxTail, func(o schemas.Observation) { list = append(list, o) })
	return list, err
}

// Calls returns the ids of the calls whose runs a session's file holds.
func Calls(root memdir.Root, session string) (map[string]bool, error) {
	ids := map[string]bool{}
	err := readSession(root, session, memdir.MaxSessionFile, func(o schemas.Observation) {
		ids[o.Payload.Metadata.ToolUseID] = true
	})
	return ids, err
}

// readSession passes the observations in the last bytes of a session's file to use.
func readSession(root memdir.Root, session string, atMost int64, use func(schemas.Observation)) error {
	sessions, err := root.OpenSessions()
	if sessions == nil {
		return err
	}
	defer sessions.Close()
	file, size, err := sessions.Open(SessionFile(session))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	start := max(0, size-atMost)
	_, err = memdir.Lines(io.NewSectionReader(file, start, size-start), func(_ int64, line []byte) error {
		if o, _, _, err := schemas.DecodeObservation(bytes.TrimSpace(line)); err == nil {
			use(o)
		}
		return nil
	})
	return err
}
