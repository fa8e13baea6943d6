package check

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/retrieve"
	"memctl/store"
	"memctl/text"
)

const (
	// maxCommits and maxSessions are how many commits and sessions why names, the newest ones.
	maxCommits, maxSessions = 10, 5
	// maxBody and maxPrompt are how many code points of a commit's text and of a prompt it prints.
	maxBody, maxPrompt = 400, 200
)

// place is a file of the project, or some of its lines.
type place struct {
	File        string `json:"file"`
	First, Last int    `json:"-"` // 0 for all lines
}

// decisions are the memories, commits and sessions behind a place.
type decisions struct {
	place
	Lines    string        `json:"lines,omitempty"` // 12,20
	Memories []bearing     `json:"memories"`
	Commits  []commit      `json:"commits"`
	More     bool          `json:"more_commits,omitempty"`
	Sessions []pastSession `json:"sessions"`
	Notes    []string      `json:"notes,omitempty"` // why something is missing
}

// commit is a commit that wrote some of the lines.
type commit struct {
	git.Commit
	Body string `json:"body,omitempty"`
}

// pastSession is a session that changed the file, with the prompt of its last turn that did.
type pastSession struct {
	Date    string `json:"date"`
	Client  string `json:"client"`
	Session string `json:"session"`
	Turn    int    `json:"turn"`
	Prompt  string `json:"prompt"`
}

// readPlace reads FILE[:LINE[,LINE]]. A file whose name ends so is meant as a whole.
func readPlace(root files.Root, argument string) (p place, err error) {
	if p.File, err = belowProject(root, argument); err == nil && isThere(root, p.File) {
		return p, nil
	}
	at := strings.LastIndexByte(argument, ':')
	if at <= 0 {
		return p, cmp.Or(err, noFile(argument))
	}
	if p.File, err = belowProject(root, argument[:at]); err != nil {
		return p, err
	}
	first, last, ranged := strings.Cut(argument[at+1:], ",")
	p.First, err = strconv.Atoi(first)
	p.Last = p.First
	if err == nil && ranged {
		p.Last, err = strconv.Atoi(last)
	}
	switch {
	case !isThere(root, p.File):
		return p, noFile(argument[:at])
	case err != nil || p.First < 1 || p.Last < p.First:
		return p, text.WithHint(fmt.Errorf("%q: expected a line, or two with a comma", text.Brief(argument[at+1:])),
			`name a place, such as "src/pay.go:12,20"`)
	}
	return p, nil
}

func noFile(name string) error {
	return text.WithHint(fmt.Errorf("there is no file %s in the project", text.Brief(name)),
		`name a place, such as "src/pay.go" or "src/pay.go:12,20"`)
}

func isThere(root files.Root, below string) bool {
	_, err := gate.Lstat(filepath.Join(root.Project, filepath.FromSlash(below)))
	return err == nil
}

// why returns the decisions behind a place. Sessions is nil where there are none to ask.
func why(ctx context.Context, s *store.Store, roots []files.Root, p place,
	open func(ctx context.Context, project string) (command.Sessions, error)) (d decisions, err error) {
	root := roots[0]
	d = decisions{place: p, Memories: []bearing{}, Commits: []commit{}, Sessions: []pastSession{}}
	if p.First > 0 {
		d.Lines = fmt.Sprintf("%d,%d", p.First, p.Last)
	}
	written, err := p.lines(root)
	if err != nil {
		return d, err
	}
	if d.Memories, err = memoriesBehind(ctx, s, roots, changedFile{Path: p.File, Lines: written}); err != nil {
		return d, err
	}
	if err := d.addCommits(ctx, root); err != nil {
		return d, err
	}
	if open != nil {
		err = d.addSessions(ctx, root, open)
	}
	return d, err
}

// lines reads the lines of a place.
func (p place) lines(root files.Root) (list []addedLine, err error) {
	data, err := gate.Place{Folder: root.Project}.ReadNamed(gate.Name(p.File), maxWhole)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p.File, err)
	}
	n := 0
	for line := range bytes.Lines(data) {
		if n++; p.First == 0 || n >= p.First && n <= p.Last {
			list = append(list, addedLine{n, text.Truncate(strings.TrimSpace(string(line)), maxLine)})
		}
	}
	if p.First > n {
		return nil, text.WithHint(fmt.Errorf("%s has %s, so there is no line %d", text.Brief(p.File),
			text.Plural(n, "line", "lines"), p.First), `name lines that it has, such as "`+text.Brief(p.File)+`:1"`)
	}
	return list[:min(len(list), maxLines)], nil
}

// memoriesBehind returns the memories about a file and its lines.
func memoriesBehind(ctx context.Context, s *store.Store, roots []files.Root, file changedFile) ([]bearing, error) {
	f := finder{store: s, roots: roots}
	err := s.Ask(ctx, roots, func(sources retrieve.Sources) error {
		f.found = nil
		f.byFiles(change{Files: []changedFile{file}})
		return f.ask(ctx, sources, file)
	})
	list := f.sorted()
	return append([]bearing{}, list[:min(len(list), maxListed)]...), err
}

// addCommits adds the commits that wrote the lines.
func (d *decisions) addCommits(ctx context.Context, root files.Root) error {
	err := git.CheckCommits(ctx, root.Project)
	if errors.Is(err, git.ErrNoProgram) || errors.Is(err, git.ErrNoRepository) || errors.Is(err, git.ErrNoCommits) {
		d.Notes = append(d.Notes, "no commits: "+err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	first, last, err := d.committed(ctx, root)
	if err != nil || d.First > 0 && last < first {
		d.Notes = append(d.Notes, "no commits: these lines are not committed")
		return err
	}
	list, more, err := git.WritersOf(ctx, root.Project, d.File, first, last, maxCommits)
	if failed := new(git.Error); errors.As(err, &failed) {
		d.Notes = append(d.Notes, "no commits: "+failed.Message) // the file is not in the last commit
		return nil
	}
	for _, m := range list {
		d.Commits = append(d.Commits, commit{m.Commit, text.OneLine(withoutTrailers(m.Body), maxBody)})
	}
	d.More = more
	return err
}

// committed returns the lines of the place as the last commit has them: others may have come or gone before them. The
// last one is before the first where all of them are new.
func (d *decisions) committed(ctx context.Context, root files.Root) (first, last int, err error) {
	first, last = d.First, d.Last
	err = git.Lines(ctx, root.Project, func(_ string, h git.Hunk) {
		first, last = h.Before(d.First, first, false), h.Before(d.Last, last, true)
	}, nil, append([]string{"HEAD", "--"}, literal([]string{d.File})...)...)
	return first, last, err
}

// withoutTrailers leaves out the lines at the end of a commit's text that programs write.
func withoutTrailers(body string) string {
	lines := strings.Split(strings.TrimSpace(body), "\n")
	for len(lines) > 0 {
		key, _, found := strings.Cut(lines[len(lines)-1], ": ")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" && (!found || strings.Contains(key, " ") ||
			!strings.Contains(key, "-")) {
			break
		}
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// addSessions adds the past sessions that changed the file. An agent gets those of the project that its own session is
// of.
func (d *decisions) addSessions(ctx context.Context, root files.Root,
	open func(ctx context.Context, project string) (command.Sessions, error)) error {
	past, err := open(ctx, root.Project)
	if err == nil {
		defer past.Close()
		err = past.Admit(ctx, clients.AgentSessions())
	}
	if err != nil {
		d.Notes = append(d.Notes, "no sessions: "+text.Brief(err.Error()))
		return nil
	}
	turns, err := past.Changed(ctx, d.File, maxSessions)
	for _, t := range turns {
		d.Sessions = append(d.Sessions, pastSession{Date: t.At, Client: t.Client, Session: t.Session, Turn: t.Turn,
			Prompt: text.OneLine(text.Own(t.Prompt), maxPrompt)})
	}
	return err
}
