package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files/gate"
	"memctl/text"
	"memctl/writer"
)

// readWork reads a source for the work list: prose, the sessions of a client, or the memories of another tool.
func readWork(
	ctx context.Context, w *writer.Writer, name string, loadedToo bool, list *Worklist,
) (proseSource, error) {
	src, err := openSource(name, w.Root)
	if err != nil {
		return proseSource{}, notOpened(name, err)
	}
	defer src.close()
	format, file, err := src.tool(ctx)
	switch {
	case err != nil:
		return proseSource{}, fmt.Errorf("read %s: %w", src.origin(src.name), wrapped(err))
	case format == transcriptsName:
		sessions, err := sessionsIn(ctx, w, src)
		if err != nil {
			return proseSource{}, err
		}
		return readSessions(ctx, w, sessions, list)
	case format != "":
		return readTool(ctx, w, src, format, file)
	}
	return readProse(ctx, w, src, loadedToo)
}

// readTool reads the entries of another tool that name no category.
func readTool(ctx context.Context, w *writer.Writer, src *source, name, file string) (p proseSource, err error) {
	format, _ := FormatNamed(name)
	src.name = file
	r := &reader{Import: &Import{Format: name, w: w, src: src,
		options: Options{Project: filepath.Base(w.Root.Project)}}, ctx: ctx, src: src}
	if err := r.readAll(format); err != nil {
		return p, fmt.Errorf("read %s: %w", src.origin(file), wrapped(err))
	}
	p = proseSource{files: []string{src.origin(file)}, privacy: r.Privacy, format: name}
	for _, i := range r.Items {
		switch {
		case i.State == New:
			p.sorted++
		case i.State == Refused:
			p.refused = append(p.refused, i)
		case i.Text != "" && (i.Reason == unfit || i.Reason == closedIssue):
			item := WorkItem{File: i.Origin, Line: i.Line, Text: i.Text, Date: dayOf(i.when)}
			p.items = append(p.items, item.parts()...)
		}
	}
	existing, err := memoriesOf(ctx, w.Root)
	p.saved = existing.texts
	return p, err
}

// dayOf returns the date of a time, "" for none.
func dayOf(when time.Time) string {
	if when.IsZero() {
		return ""
	}
	return when.UTC().Format(time.DateOnly)
}

// tool returns the name of the format of a source that has fields, "" for prose, and the file to read of a folder.
func (s *source) tool(ctx context.Context) (format, file string, err error) {
	if s.name != "" {
		format, err = s.toolOf(ctx, s.name)
		return format, s.name, err
	}
	if s.shown == "." {
		return "", "", nil // its instructions and decision records are meant
	}
	for _, f := range Formats {
		if info, err := s.dir.LstatNamed(gate.Name(f.alone)); f.alone != "" && err == nil && info.Mode().IsRegular() {
			return f.Name, f.alone, nil
		}
	}
	names, _, err := s.files(ctx, func(name string) bool { return isMarkdown(name) || isTranscript(name) }, nil)
	if err == nil && len(names) > 0 && !slices.ContainsFunc(names, isMarkdown) {
		return transcriptsName, "", nil
	}
	return "", "", err
}

// tablesOf are the tables by which a database shows whose it is.
var tablesOf = []struct{ table, format string }{
	{"session_summaries", "claude-mem"}, {"user_prompts", engramName}, {"memories", memoryServiceName},
}

// toolOf returns the format of a file, by its beginning.
func (s *source) toolOf(ctx context.Context, name string) (string, error) {
	isDatabase, err := s.startsLikeDatabase(name)
	switch ext := strings.ToLower(path.Ext(name)); {
	case err != nil:
		return "", err
	case isDatabase && ext != ".jsonl" && !isMarkdown(name):
		return s.toolOfDatabase(ctx, name)
	case ext == ".json" || ext == ".jsonl":
		return s.toolOfLine(name)
	}
	return "", nil
}

func (s *source) toolOfDatabase(ctx context.Context, name string) (format string, err error) {
	r := &reader{Import: &Import{}, ctx: ctx, src: s}
	err = r.readDatabase("other tools", name, func(d foreignDB) error {
		for _, t := range tablesOf {
			has, err := d.has(t.table)
			if err != nil {
				return err
			}
			if has && format == "" {
				format = t.format
			}
		}
		return nil
	})
	if err == nil && format == "" {
		err = errors.New("no database of a tool that memctl knows")
	}
	return format, err
}

// toolOfLine returns the format of a file of JSON, by its first value.
func (s *source) toolOfLine(name string) (string, error) {
	file, _, err := s.open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var first struct {
		Record       string           `json:"_type"`
		IssueType    string           `json:"issue_type"`
		EntityType   string           `json:"entityType"`
		RelationType string           `json:"relationType"`
		Schema       string           `json:"schema_version"`
		Observations *json.RawMessage `json:"observations"`
		Prompts      *json.RawMessage `json:"prompts"`
		Version      any              `json:"version"`
	}
	err = json.NewDecoder(io.LimitReader(file, maxText)).Decode(&first)
	switch {
	case errors.Is(err, io.EOF):
		return "", errors.New("it is empty")
	case err != nil && path.Ext(name) == ".json":
		return "", errors.New("no JSON: " + text.Brief(err.Error()))
	case first.Record != "" || first.IssueType != "":
		return beadsName, nil
	case first.EntityType != "" || first.RelationType != "":
		return "mcp-memory", nil
	case first.Schema != "":
		return "", text.WithHint(errors.New("it has memories"), "memctl import jsonl takes them as they are")
	case first.Observations != nil && first.Version != nil:
		return engramName, nil
	case path.Ext(name) == ".json":
		return "", errors.New("no file of a tool that memctl knows")
	}
	return transcriptsName, nil
}
