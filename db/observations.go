package db

import (
	"context"
	"encoding/json"

	"memctl/schemas"
)

// ObservationFile is how far memctl has read a session's file.
type ObservationFile struct {
	Path      string `db:"path"`
	ReadBytes int64  `db:"read_bytes"` // whole lines
	Tail      int64  `db:"tail"`       // a digest of the last bytes read
	Size      int64  `db:"size_bytes"`
	MtimeNS   int64  `db:"mtime_ns"`
	Inode     int64  `db:"inode"`
	Broken    int    `db:"broken"` // lines
	Problem   string `db:"problem"`
}

const selectObservationFiles = `
	SELECT path, read_bytes, tail, size_bytes, mtime_ns, inode, broken, coalesce(problem, '') AS problem
	FROM observation_files`

// ObservationFiles returns the recorded files by path.
func (d *DB) ObservationFiles(ctx context.Context) (map[string]ObservationFile, error) {
	rows, err := Query[ObservationFile](ctx, d, selectObservationFiles)
	files := make(map[string]ObservationFile, len(rows))
	for _, row := range rows {
		files[row.Path] = row
	}
	return files, err
}

// ObservationFile returns one recorded file, or the zero value.
func (t *Tx) ObservationFile(path string) (ObservationFile, error) {
	rows, err := queryTx[ObservationFile](t, selectObservationFiles+` WHERE path = ?`, path)
	return append(rows, ObservationFile{})[0], err
}

// RemoveObservations removes a file and its observations.
func (t *Tx) RemoveObservations(path string) error {
	t.exec("remove full text of observations", `
		INSERT INTO observations_fts (observations_fts, rowid, document)
		SELECT 'delete', observation_id, document
		FROM observation_documents
		WHERE observation_id IN (SELECT observation_id FROM observations WHERE path = ?)`, path)
	t.removed.Observations++
	t.exec("remove observations", `DELETE FROM observations WHERE path = ?`, path)
	return t.exec("remove observations", `DELETE FROM observation_files WHERE path = ?`, path)
}

// Observer appends observations of one file, in its order.
type Observer struct {
	tx      *Tx
	path    string
	first   int64 // id of the first one appended
	next    int64
	prompts map[string]*promptCount
	insert  string
}

// promptCount numbers the prompts of a file and the tools of each, from 1.
type promptCount struct {
	PromptID string `db:"prompt_id"`
	Index    int    `db:"prompt_index"`
	Tools    int    `db:"tools"`
}

// Observe continues a file where memctl stopped reading it.
func (t *Tx) Observe(path string) (*Observer, error) {
	o := &Observer{
		tx: t, path: path, prompts: map[string]*promptCount{},
		insert: insertStatement("observations", observationColumns, 1),
	}
	t.get("find the next observation", &o.first, `SELECT coalesce(max(observation_id), 0) + 1 FROM observations`)
	o.next = o.first
	prompts, err := queryTx[promptCount](t, `
		SELECT coalesce(prompt_id, '') AS prompt_id, prompt_index, max(tool_index) AS tools
		FROM observations
		WHERE path = ?
		GROUP BY prompt_index`, path)
	for i := range prompts {
		o.prompts[prompts[i].PromptID] = &prompts[i]
	}
	return o, err
}

// Add writes one observation, unless the file has it already: if a hook is registered
// twice, it records each tool twice.
func (o *Observer) Add(ob schemas.Observation, payload json.RawMessage) error {
	meta := ob.Payload.Metadata
	if meta.ToolUseID != "" {
		twice, err := queryTx[int](o.tx, `
			SELECT 1
			FROM observations
			WHERE path = ? AND tool_use_id = ? AND tool_name = ?
			LIMIT 1`,
			o.path, meta.ToolUseID, ob.Payload.ToolName)
		if err != nil || len(twice) > 0 {
			return err
		}
	}
	p := o.prompts[meta.PromptID]
	if p == nil {
		p = &promptCount{PromptID: meta.PromptID, Index: len(o.prompts) + 1}
		o.prompts[meta.PromptID] = p
	}
	p.Tools++
	o.next++
	row := append([]any{o.next - 1, o.path, p.Index, p.Tools}, observationRow(ob)...)
	return o.tx.exec("write an observation", o.insert, append(row, string(payload))...)
}

// observationColumns are in the order of Add and observationRow.
var observationColumns = []string{
	"observation_id", "path", "prompt_index", "tool_index",
	"event_id", "session_id", "timestamp", "tool_name", "success", "duration_ms", "error_message",
	"file_path", "command", "exit_code", "pattern", "prompt_id", "tool_use_id", "payload",
}

// observationRow holds the columns that repeat parts of the payload.
func observationRow(ob schemas.Observation) []any {
	p, meta := ob.Payload, ob.Payload.Metadata
	return []any{
		ob.EventID, ob.SessionID, ob.Timestamp, p.ToolName, p.Success, p.DurationMS, nullable(p.ErrorMessage),
		nullable(meta.FilePath), nullable(meta.Command), meta.ExitCode, nullable(meta.Pattern),
		nullable(meta.PromptID), nullable(meta.ToolUseID),
	}
}

// Close indexes the text of the new observations and records how far the file was read.
func (o *Observer) Close(f ObservationFile) error {
	if o.next > o.first {
		o.tx.exec("index full text of observations", `
			INSERT INTO observations_fts (rowid, document)
			SELECT observation_id, document
			FROM observation_documents
			WHERE observation_id >= ?`, o.first)
	}
	return o.tx.exec("write a file of observations", `
		INSERT INTO observation_files (path, read_bytes, tail, size_bytes, mtime_ns, inode, broken, problem)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (path) DO UPDATE SET
			read_bytes = excluded.read_bytes,
			tail = excluded.tail,
			size_bytes = excluded.size_bytes,
			mtime_ns = excluded.mtime_ns,
			inode = excluded.inode,
			broken = excluded.broken,
			problem = excluded.problem`,
		o.path, f.ReadBytes, f.Tail, f.Size, f.MtimeNS, f.Inode, f.Broken, nullable(f.Problem))
}
