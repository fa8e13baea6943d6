package sessions

import (
	"context"
	"slices"
	"strings"

	"memctl/cmd/command"
)

// writing are the tools of the clients that write the file they are given.
var writing = []string{"Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "edit", "write", "create",
	"write_file", "replace"}

// Changed is that of command.Sessions.
func (s agentsSessions) Changed(ctx context.Context, file string, limit int) (list []command.FoundTurn, err error) {
	condition, args := s.condition()
	rows, err := s.db.Transcripts(ctx, condition+` AND turns > 0 AND EXISTS (
			SELECT 1 FROM json_each(files) f WHERE f.value = ? OR substr(f.value, -length(?)) = ?
		) ORDER BY ended_at DESC, path`, append(args, file, "/"+file, "/"+file)...)
	for _, row := range rows {
		passages, err := s.db.Passages(ctx, row.ID, 0, Everything)
		if err != nil {
			return list, err
		}
		for _, p := range slices.Backward(passages) {
			if writes(p.Tools, file) {
				list = append(list, command.FoundTurn{Session: row.Session, Client: row.Client, Passage: p})
				break
			}
		}
		if len(list) == limit {
			break
		}
	}
	return list, err
}

// writes reports whether one of the tools of a turn was to write a file.
func writes(tools, file string) bool {
	for line := range strings.Lines(tools) {
		tool, given, _ := strings.Cut(strings.TrimSpace(line), " ")
		if slices.Contains(writing, tool) && (given == file || strings.HasPrefix(given, file+" ") ||
			strings.HasSuffix(given, "/"+file) || strings.Contains(given, "/"+file+" ")) {
			return true
		}
	}
	return false
}
