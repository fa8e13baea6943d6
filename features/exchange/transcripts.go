package exchange

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/files"
	"memctl/observe"
	"memctl/text"
)

// transcriptFolder is where Claude Code keeps the transcripts of a project.
func transcriptFolder(root files.Root) string {
	return clients.ProjectTranscripts(root.Project)
}

// readTranscripts reads the tool runs of a client's sessions, which become observations, if the root records those.
func readTranscripts(r *reader, _ string) error {
	if err := r.list(isTranscript, nil); err != nil {
		return err
	}
	h := &sessionHistory{r: r}
	if r.options.Observations {
		h.runs = h.newRuns()
	}
	r.finish = h.write
	if r.each(h.read); !r.stopped() {
		h.report()
	}
	return nil
}

func isTranscript(name string) bool { return strings.HasSuffix(name, ".jsonl") }

// isSubagents reports whether a transcript is that of a subagent, whose runs belong to the
// session that it serves.
func isSubagents(name string) bool { return strings.Contains("/"+name, "/subagents/") }

// sessionHistory is the transcripts of an import.
type sessionHistory struct {
	r      *reader
	runs   *toolRuns // nil if they are not wanted
	noRuns int       // transcripts of clients whose tool runs cannot be read
}

func (h *sessionHistory) newRuns() *toolRuns {
	return &toolRuns{r: h.r, sessions: map[string]*sessionRuns{}}
}

// read reads one transcript, once.
func (h *sessionHistory) read(name string) {
	f := &file{origin: h.r.src.origin(name)}
	if own := clients.ProjectTranscripts(h.r.w.Root.Project); h.r.src.dir.Name() == own &&
		clients.IsOfAnother(h.r.src.at(name), h.r.w.Root.Project) {
		h.r.leaveOut(f.origin, 0, "", "a session of another project, whose folder has the same name")
		return
	}
	last := func(s *sessionRuns, e observe.Event) {
		if e.EndedAt.After(s.last) {
			s.last = e.EndedAt
		}
	}
	if h.runs == nil {
		return
	}
	client, tooLong, err := h.readLines(h.r.ctx, h.r.src, name, h.runs, last)
	switch {
	case errors.Is(err, errTooMuch), h.r.ctx.Err() != nil:
		h.r.err = cmp.Or(h.r.err, err)
		return
	case err != nil:
		h.r.refuse(f.origin, 0, plain(err))
		return
	case tooLong > 0:
		h.r.leaveOut(f.origin, 0, "", text.Plural(tooLong, "line", "lines")+" of more than 1 MiB")
	}
	if client != clients.Claude {
		h.noRuns++
	}
}

// readLines reads the runs of the tools of a transcript, and returns how many of its lines are too long.
func (h *sessionHistory) readLines(
	ctx context.Context, src *source, name string, runs *toolRuns, use func(*sessionRuns, observe.Event),
) (client *clients.Client, tooLong int, err error) {
	file, info, err := src.open(name)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	client = clients.OfTranscript(io.NewSectionReader(file, 0, info.Size()))
	var calls clients.ClaudeRuns
	_, err = client.ReadLines(io.MultiReader(file, strings.NewReader("\n")), func(l clients.Line) error {
		if l.Data == nil {
			tooLong++
		}
		if client != clients.Claude {
			return ctx.Err()
		}
		return cmp.Or(ctx.Err(), runs.next(&calls, name, l.Data, use))
	})
	return client, tooLong, err
}

// report adds an item for each session with tool runs, and says what gave none.
func (h *sessionHistory) report() {
	var items []*Item
	leaveOut := func(title, reason string) {
		items = append(items, &Item{State: LeftOut, Title: title, Reason: reason})
	}
	if h.runs == nil {
		leaveOut("tool runs", "observations are off; --observations records them")
	} else {
		for id, s := range h.runs.sessions {
			items = append(items, s.item(id))
		}
	}
	if h.noRuns > 0 {
		leaveOut("tool runs", text.Plural(h.noRuns, "session", "sessions")+" of a client other than Claude Code")
	}
	slices.SortFunc(items, func(a, b *Item) int { return strings.Compare(a.Path, b.Path) })
	for _, i := range items {
		i.Origin = h.r.src.shown
		h.r.add(i)
	}
}

// item is the line of an import for a session's tool runs.
func (s *sessionRuns) item(id string) *Item {
	e := &Item{State: New, Title: text.Plural(s.added, "tool run", "tool runs"), Path: observationsOf(id), when: s.last}
	switch {
	case s.err != nil:
		e.State, e.Reason = Refused, plain(s.err)
	case s.added > 0:
	case s.recorded > 0:
		e.State, e.Title = Same, text.Plural(s.recorded, "tool run", "tool runs")
	default:
		e.State, e.Title, e.Reason = LeftOut, text.Plural(s.older, "tool run", "tool runs"), "older than --since"
	}
	return e
}

// write records the tool runs that are new.
func (h *sessionHistory) write(ctx context.Context) error {
	src, err := openSource(h.r.label, h.r.w.Root)
	if err != nil {
		return err
	}
	defer src.close()
	progress, end := h.r.options.doing("recording", len(h.r.files))
	defer end()
	runs := h.newRuns()
	for i, name := range h.r.files {
		progress(i)
		if h.runs != nil {
			_, _, err = h.readLines(ctx, src, name, runs, func(s *sessionRuns, e observe.Event) {
				h.record(ctx, s, e)
			})
		}
		if err != nil {
			return err
		}
	}
	for id, s := range runs.sessions {
		for _, i := range h.r.Items {
			if s.err != nil && i.Path == observationsOf(id) {
				i.State, i.Reason = Refused, plain(s.err)
			}
		}
	}
	return nil
}

// record records a tool run.
func (h *sessionHistory) record(ctx context.Context, s *sessionRuns, e observe.Event) {
	if s.err != nil || ctx.Err() != nil {
		return
	}
	cfg := h.r.w.Config
	cfg.Observations.Enabled = true
	report, err := observe.Record(ctx, h.r.w.Root, cfg, e, h.r.w.Now())
	h.r.Privacy.Add(report)
	if s.err = err; err == nil {
		h.r.Recorded++
	}
}
