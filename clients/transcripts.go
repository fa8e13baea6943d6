package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"memctl/files/gate"
)

// Transcript is a session that a client keeps, as its folders list it.
type Transcript struct {
	Client *Client
	Path   string // of the file; of a session in a database its path, # and the session's id
	Size   int64  // in bytes, or how many parts a database has of it
	MTime  int64  // in ns
}

// Transcripts lists the transcripts of all clients, which lie in the user's folder of each. Links are not
// followed. A client whose folder cannot be read is in the error.
func Transcripts() (list []Transcript, err error) {
	for _, c := range All() {
		found, clientErr := c.list()
		if !errors.Is(clientErr, fs.ErrNotExist) {
			err = errors.Join(err, clientErr)
		}
		list = append(list, found...)
	}
	return list, err
}

func (c *Client) list() (list []Transcript, err error) {
	if c.ListSessions != nil {
		return c.ListSessions(c)
	}
	folder, err := c.UserFolder()
	if err != nil {
		return nil, err
	}
	dir, err := gate.Enter(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return list, c.walk(dir.FS(), folder, ".", strings.Split(c.Transcripts, "/"), &list)
}

// walk adds the files below a folder whose paths match the patterns, one for each level.
func (c *Client) walk(dir fs.FS, base, at string, patterns []string, list *[]Transcript) error {
	entries, err := fs.ReadDir(dir, at)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		matches, err := filepath.Match(patterns[0], entry.Name())
		name := filepath.Join(at, entry.Name())
		switch last := len(patterns) == 1; {
		case err != nil:
			return err
		case !matches:
		case !last && entry.IsDir():
			_ = c.walk(dir, base, filepath.ToSlash(name), patterns[1:], list) // removed meanwhile, or another's
		case last && entry.Type().IsRegular():
			if info, err := entry.Info(); err == nil {
				*list = append(*list, Transcript{c, filepath.Join(base, name), info.Size(), info.ModTime().UnixNano()})
			}
		}
	}
	return nil
}

// Open opens a transcript to be read from an offset on.
func (t Transcript) Open(from int64) (io.ReadCloser, error) {
	if t.Client.OpenSession != nil {
		return t.Client.OpenSession(t)
	}
	folder, err := t.Client.UserFolder()
	if err != nil {
		return nil, err
	}
	file, _, err := gate.OpenWithin(gate.Name(t.Path), folder)
	if err != nil {
		return nil, err
	}
	_, err = file.Seek(from, io.SeekStart)
	return file, err
}

// Head describes the session of a transcript by its lines. A field is "" if no line has it.
type Head struct {
	Session string
	Folder  string // where it ran
	Hash    string // of that folder, where the client writes no path
	Version int    // of the format, as the client counts, 0 if it does not
}

// Add takes what a line says and the lines before it did not.
func (h *Head) Add(line []byte) {
	var l struct {
		SessionID   string `json:"sessionId"`
		Cwd         string `json:"cwd"`
		ProjectHash string `json:"projectHash"`
		Payload     struct {
			ID  string `json:"id"`
			Cwd string `json:"cwd"`
		} `json:"payload"`
		Data struct {
			SessionID string `json:"sessionId"`
			Version   int    `json:"version"`
			Context   struct {
				Cwd string `json:"cwd"`
			} `json:"context"`
		} `json:"data"`
	}
	if !DecodeObject(line, &l) {
		return
	}
	h.Session = cmp.Or(h.Session, l.SessionID, l.Data.SessionID, l.Payload.ID)
	h.Folder = cmp.Or(h.Folder, l.Cwd, l.Payload.Cwd, l.Data.Context.Cwd)
	h.Hash = cmp.Or(h.Hash, l.ProjectHash)
	h.Version = cmp.Or(h.Version, l.Data.Version)
}

// Complete reports whether the session and where it ran are known.
func (h *Head) Complete() bool { return h.Session != "" && (h.Folder != "" || h.Hash != "") }

// maxHead is how much of a transcript is read to learn where the session ran.
const maxHead = 256 << 10

// Head reads the beginning of a transcript.
func (t Transcript) Head() (h Head, err error) {
	in, err := t.Open(0)
	if err != nil {
		return h, err
	}
	defer in.Close()
	lines := json.NewDecoder(io.LimitReader(in, maxHead))
	for !h.Complete() {
		var line json.RawMessage
		if lines.Decode(&line) != nil {
			break
		}
		h.Add(line)
	}
	if h.Folder == "" && h.Hash != "" {
		named := filepath.Join(filepath.Dir(filepath.Dir(t.Path)), ".project_root")
		if data, err := gate.ReadRegular(named, maxHead); err == nil {
			h.Folder = string(bytes.TrimSpace(data))
		}
	}
	return h, nil
}
