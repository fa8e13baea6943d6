package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"memctl/clients"
	"memctl/files/gate"
	"memctl/text"
	"memctl/triage"
	"memctl/writer"
)

const transcriptsName = "transcripts"

// sessionFile is a session that can be read.
type sessionFile struct {
	origin   string
	modified time.Time
	open     func() (io.ReadCloser, *clients.Client, error)
}

// sessionsIn lists the sessions of a source: a file, or a folder with those below it. In the folder that a client keeps
// for this project, those of another project that shares it are left out.
func sessionsIn(ctx context.Context, w *writer.Writer, src *source) (list []sessionFile, err error) {
	names, _, err := src.files(ctx, isTranscript, nil)
	isOwn := src.dir.Name() == clients.ProjectTranscripts(w.Root.Project)
	for _, name := range names {
		info, err := src.dir.LstatNamed(gate.Name(name))
		if err != nil || isSubagents(name) || isOwn && clients.IsOfAnother(src.at(name), w.Root.Project) {
			continue
		}
		list = append(list, sessionFile{src.origin(name), info.ModTime(), func() (io.ReadCloser, *clients.Client,
			error) {
			file, info, err := src.open(name)
			if err != nil {
				return nil, nil, err
			}
			return file, clients.OfTranscript(io.NewSectionReader(file, 0, info.Size())), nil
		}})
	}
	return list, err
}

// projectSessions lists the sessions of all clients that ran in the project. The error names the clients whose sessions
// cannot be listed.
func projectSessions(w *writer.Writer) ([]sessionFile, error) {
	var list []sessionFile
	project, own := clients.Resolved(w.Root.Project), clients.ProjectTranscripts(w.Root.Project)
	all, err := clients.Transcripts()
	for _, t := range all {
		if t.Client == clients.Claude && filepath.Dir(t.Path) != own || isSubagents(filepath.ToSlash(t.Path)) {
			continue // Claude Code names the folder after the project
		}
		head, headErr := t.Head()
		if headErr != nil || head.Folder == "" || !gate.Contains(project, clients.Resolved(head.Folder)) {
			continue
		}
		list = append(list, sessionFile{shownPath(t.Path, w.Root), time.Unix(0, t.MTime),
			func() (io.ReadCloser, *clients.Client, error) {
				in, err := t.Open(0)
				return in, t.Client, err
			}})
	}
	return list, err
}

// readSessions reads the prompts of sessions, the newest first, until there are as many new items as a list
// takes of a source.
func readSessions(
	ctx context.Context, w *writer.Writer, list []sessionFile, work *Worklist,
) (p proseSource, err error) {
	existing, err := memoriesOf(ctx, w.Root)
	if err != nil {
		return p, err
	}
	p.saved = existing.texts
	known := map[string]bool{}
	for _, item := range work.Items {
		known[item.Hash] = true
	}
	slices.SortStableFunc(list, func(a, b sessionFile) int {
		return cmp.Or(b.modified.Compare(a.modified), strings.Compare(a.origin, b.origin))
	})
	added := 0
	for i, session := range list {
		turns, err := session.turns(ctx, w)
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if err != nil {
			p.refused = append(p.refused, &Item{State: Refused, Origin: session.origin, Reason: plain(err)})
			continue
		}
		items := said(session, turns)
		for _, item := range items {
			if !known[item.Hash] && p.saved[item.Hash] == "" {
				known[item.Hash] = true
				added++
			}
		}
		if added > maxNewWork && i > 0 {
			p.older = len(list) - i
			return p, nil
		}
		for _, turn := range turns {
			p.privacy.Add(turn.Privacy)
		}
		p.files, p.items = append(p.files, session.origin), append(p.items, items...)
	}
	return p, nil
}

// turns returns the turns of the session.
func (s sessionFile) turns(ctx context.Context, w *writer.Writer) ([]triage.Turn, error) {
	in, client, err := s.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var session clients.Session
	_, err = client.ReadLines(io.MultiReader(in, strings.NewReader("\n")), func(l clients.Line) error {
		session.Add(l)
		return ctx.Err()
	})
	turns, _ := session.Turns(w.Filter())
	if err == nil && len(turns) == 0 {
		err = errors.New(noTurns)
	}
	return turns, err
}

// hasTurns reports whether a source is a session, or has only such files.
func hasTurns(ctx context.Context, w *writer.Writer, src *source) bool {
	list, err := sessionsIn(ctx, w, src)
	return err == nil && len(list) > 0 && !slices.ContainsFunc(list, func(s sessionFile) bool {
		_, err := s.turns(ctx, w)
		return err != nil
	})
}

// said returns an item for each turn in which the person said more than a word or two.
func said(s sessionFile, turns []triage.Turn) (items []WorkItem) {
	for _, turn := range turns {
		phrase := strings.TrimSpace(turn.Person)
		if triage.IsInterruption(phrase) || !hasWords(phrase) {
			continue
		}
		when := turn.At
		if when.IsZero() {
			when = s.modified
		}
		item := WorkItem{File: fmt.Sprintf("%s#turn %d", strings.ReplaceAll(s.origin, "#", "%23"), turn.Number),
			Text: phrase, Date: dayOf(when)}
		items = append(items, item.parts()...)
	}
	return items
}

// hasWords reports whether a text has a few words, or as many letters of a script that has no spaces.
func hasWords(phrase string) bool {
	const words, letters = 4, 8
	n := 0
	for _, r := range phrase {
		if unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			n++
		}
	}
	return len(strings.Fields(phrase)) >= words || n >= letters
}

// noTurns is why a session is refused in which nobody says anything.
const noTurns = "it has no turn of a session"

// noSessions says that import --sessions has nothing to read.
func noSessions() error {
	return text.WithHint(errors.New("no client has a session of this project"),
		"name a folder or a file of sessions: memctl import SOURCE")
}
