package exchange

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/clients"
	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// transcriptFolder is where Claude Code keeps the transcripts of a project.
func transcriptFolder(root memdir.Root) string {
	named := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, realPath(root.Project))
	return filepath.Join(claudeHome(), "projects", named)
}

// claudeHome is Claude Code's folder of the user.
func claudeHome() string {
	if home := os.Getenv(clients.Claude.Home()); home != "" {
		return home
	}
	return filepath.Join(userHome(), ".claude")
}

// readTranscripts reads the sessions of a client. What triage finds at the end of one
// becomes a draft for each category, and tool runs become observations, if the root
// records those.
func readTranscripts(r *reader, _ string) error {
	files, err := r.list(isTranscript, nil)
	if err != nil {
		return err
	}
	h := &sessionHistory{r: r, files: files}
	if r.Observations {
		h.runs = newToolRuns(r)
	}
	r.finish = h.write
	if err := r.each(files, h.read); err != nil {
		return err
	}
	return h.report()
}

func isTranscript(name string) bool { return strings.HasSuffix(name, ".jsonl") }

// isSubagents reports whether a transcript is that of a subagent, whose runs belong to the
// session that it serves.
func isSubagents(name string) bool { return strings.Contains("/"+name, "/subagents/") }

// sessionHistory is the transcripts of an import.
type sessionHistory struct {
	r      *reader
	files  []string
	runs   *toolRuns // nil if they are not wanted
	silent int       // sessions with nothing worth a memory
	noRuns int       // transcripts of clients whose tool runs cannot be read
}

// read reads one transcript.
func (h *sessionHistory) read(name string) error {
	origin := h.r.src.origin(name)
	client, err := h.triage(name, origin)
	if h.r.ctx.Err() != nil {
		return h.r.ctx.Err()
	}
	switch {
	case err != nil:
		return h.r.refuse(origin, 0, plain(err))
	case h.runs == nil:
		return nil
	case client != clients.Claude:
		h.noRuns++
		return nil
	}
	tooLong, err := h.runs.each(h.r.ctx, h.r.src, name, func(s *sessionRuns, e observe.Event) {
		if e.EndedAt.After(s.last) {
			s.last = e.EndedAt
		}
	})
	if err == nil && tooLong > 0 {
		err = h.r.leaveOut(origin, 0, "", text.Plural(tooLong, "line", "lines")+" of more than 1 MiB")
	}
	return err
}

// transcript reads the end of a session, as the stop hook does.
func (h *sessionHistory) transcript(src *source, name string) (*triage.Transcript, *clients.Client, time.Time, error) {
	file, info, err := src.open(name)
	if err != nil {
		return nil, nil, time.Time{}, err
	}
	defer file.Close()
	client := clients.OfTranscript(io.NewSectionReader(file, 0, info.Size()))
	t, err := triage.Read(triage.Source{In: file, Size: info.Size(), Messages: client.Messages},
		triage.Window{Messages: h.r.w.Config.Triage.MaxMessages}, h.r.w.Filter())
	ended := t.Ended()
	if ended.IsZero() {
		ended = info.ModTime()
	}
	return &t, client, ended, err
}

// triage adds a draft for each category that is worth a memory.
func (h *sessionHistory) triage(name, origin string) (*clients.Client, error) {
	if isSubagents(name) {
		return clients.Claude, nil
	}
	t, client, ended, err := h.transcript(h.r.src, name)
	if err != nil {
		return nil, err
	}
	h.r.privacy.Add(t.Privacy)
	items := worthDrafts(t, h.r.w.Config)
	if len(items) == 0 {
		h.silent++
	}
	for _, item := range items {
		if err := h.r.draft(&file{origin: origin}, string(item.Category), 0, findDraft(t, item, client, ended)); err != nil {
			return nil, err
		}
	}
	return client, nil
}

// worthDrafts returns what triage finds but session summaries: words can be quoted, and
// what was reached in a session cannot.
func worthDrafts(t *triage.Transcript, cfg schemas.Config) []triage.Item {
	return slices.DeleteFunc(t.WorthSaving(cfg), func(i triage.Item) bool { return i.Category == schemas.SessionSummary })
}

// maxQuoted is how many code points of a line of a transcript a draft has.
const maxQuoted = 1000

// findDraft makes a draft of the lines that speak for a category. The first with a booster
// that is no question says what it is about.
func findDraft(t *triage.Transcript, item triage.Item, client *clients.Client, ended time.Time) draft {
	var lines []string
	best := 0
	for _, m := range item.Matches {
		line := text.Truncate(strings.TrimLeft(strings.TrimSpace(t.Lines()[m.Line-1]), "-*# "), maxQuoted)
		if m.Points == 0 || line == "" || slices.Contains(lines, line) {
			continue
		}
		if m.Booster != "" && best == 0 && !strings.HasSuffix(line, "?") {
			best = len(lines) + 1
		}
		lines = append(lines, line)
	}
	at := max(0, best-1)
	phrase, others := lines[at], slices.Delete(slices.Clone(lines), at, at+1)
	title := titleFrom(phrase)
	from := fmt.Sprintf("a session of %s on %s", client.Name, ended.Format(time.DateOnly))
	s := saying{topic: title, text: phrase, why: strings.Join(others, "\n"), from: from}
	switch item.Category {
	case schemas.Decision:
		s.topic = "From " + from + "."
	case schemas.Runbook:
		s.steps, s.why = others, ""
	}
	return draft{
		category: item.Category, title: title, tags: topicTags(title), when: ended,
		text: strings.Join(lines, "\n"), content: content(item.Category, s),
	}
}

// report adds an item for each session with tool runs, and says what gave none.
func (h *sessionHistory) report() error {
	var items []*entry
	if h.runs == nil {
		items = append(items, leftOut("tool runs", "observations are off; --observations records them"))
	} else {
		for id, s := range h.runs.sessions {
			items = append(items, s.item(id))
		}
	}
	if h.noRuns > 0 {
		items = append(items, leftOut("tool runs", text.Plural(h.noRuns, "session",
			"sessions")+" of a client other than Claude Code"))
	}
	if h.silent > 0 {
		items = append(items, leftOut(text.Plural(h.silent, "session", "sessions"), "nothing at the end is worth a memory"))
	}
	slices.SortFunc(items, func(a, b *entry) int { return strings.Compare(a.Path, b.Path) })
	for _, e := range items {
		e.Origin = h.r.src.shown
		if err := h.r.add(e); err != nil {
			return err
		}
	}
	return nil
}

func leftOut(title, reason string) *entry {
	return &entry{Item: Item{State: LeftOut, Title: title, Reason: reason}}
}

// item is what an import shows of a session's tool runs.
func (s *sessionRuns) item(id string) *entry {
	e := &entry{Item: Item{State: New, Title: text.Plural(s.found, "tool run", "tool runs"), Path: observationsOf(id)},
		when: s.last}
	switch {
	case s.err != nil:
		e.State, e.Reason = Refused, plain(s.err)
	case s.found > 0:
	case s.known > 0:
		e.State, e.Title = Same, text.Plural(s.known, "tool run", "tool runs")
	default:
		e.State, e.Title, e.Reason = LeftOut, text.Plural(s.older, "tool run", "tool runs"), "older than --since"
	}
	return e
}

// write records the tool runs that are new and stages the excerpts of each session that
// gave drafts, for an agent.
func (h *sessionHistory) write(ctx context.Context, im *Import) error {
	src, err := openSource(h.r.source, h.r.w.Root)
	if err != nil {
		return err
	}
	defer src.close()
	hasDrafts := map[string]bool{} // by origin
	for _, e := range im.entries {
		hasDrafts[fileOf(e.Origin)] = hasDrafts[fileOf(e.Origin)] || e.State == New && e.doc != nil
	}
	progress, end := h.r.doing("recording", len(h.files))
	defer end()
	runs := newToolRuns(h.r)
	for i, name := range h.files {
		progress(i)
		if h.runs != nil {
			err = h.record(ctx, im, runs, src, name)
		}
		if err == nil && hasDrafts[src.origin(name)] {
			err = h.stageExcerpts(src, name)
		}
		if err != nil {
			return err
		}
	}
	for id, s := range runs.sessions {
		for _, e := range im.entries {
			if s.err != nil && e.Path == observationsOf(id) {
				e.State, e.Reason = Refused, plain(s.err)
			}
		}
	}
	return nil
}

// record records the tool runs of one transcript.
func (h *sessionHistory) record(ctx context.Context, im *Import, runs *toolRuns, src *source, name string) error {
	_, err := runs.each(ctx, src, name, func(s *sessionRuns, e observe.Event) {
		if s.err != nil || ctx.Err() != nil {
			return
		}
		report, err := observe.Record(ctx, runs.root, runs.cfg, e, h.r.w.Now())
		im.Privacy.Add(report)
		if s.err = err; err == nil {
			im.Recorded++
		}
	})
	return err
}

// stageExcerpts stages what the stop hook would have staged at the end of the session.
func (h *sessionHistory) stageExcerpts(src *source, name string) error {
	t, _, _, err := h.transcript(src, name)
	if err != nil {
		return err
	}
	cfg := h.r.w.Config
	stage := observe.OpenStage(h.r.w.Root, sessionOf(name))
	defer stage.Close()
	_, err = stage.Write(t, worthDrafts(t, cfg), cfg.Triage.Parallel, h.r.w.Now())
	return err
}
