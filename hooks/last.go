package hooks

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memctl/files"
	"memctl/files/gate"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/triage"
)

// The two lines on the previous session have at most maxLast code points.
const (
	maxLast      = 236
	maxLastGoal  = 80
	maxLastThen  = 60
	maxLastOpen  = 100
	maxLastFiles = 3
	// leastPrompt is how many code points a prompt has that says by itself what the work is.
	leastPrompt = 16
	// mostTranscripts bounds the files of a folder among which the last transcripts are looked for.
	mostTranscripts = 2000
	// lastLife is the age above which the previous session is no longer mentioned.
	lastLife = 60 * 24 * time.Hour
)

// lastSession describes the previous session.
type lastSession struct {
	at      time.Time
	goal    string
	then    string // the last task, if it is not the goal
	open    []string
	files   []string
	ended   string // the last words of the agent
	cutOff  bool
	saved   bool // the agent has saved a memory
	summary bool // a session summary says so
}

// announceLast returns two lines on the previous session: its goal, the files that it changed and the work that it left
// open. They come from its summary, its transcript, or the record of changed files, in this order; "" without these.
func (c *Call) announceLast(ctx context.Context, root files.Root, cfg schemas.Config) string {
	last := c.lastOfTranscript(ctx, root, cfg)
	if m, at, ok := c.lastSummary(ctx, root, cfg); ok && !at.Before(last.at) {
		if !last.saved {
			last.files = nil // of another session, or of work that the summary is not about
		}
		last = lastSession{at: at, goal: m.Goal, open: m.Open(), files: last.files, summary: true}
	}
	if last.goal == "" && len(last.files) == 0 {
		last.files, last.at = observe.LastChanged(root, c.Event.SessionID)
	}
	if last.goal == "" && len(last.files) == 0 || time.Since(last.at) > lastLife {
		return ""
	}
	return last.lines()
}

// asksWhere matches a prompt that asks where the work stopped.
var asksWhere = text.Pattern(
	`(?i)\bwhere (did|were|are|do) we\b|\b(left|leave) off\b|\bwhat('s| is| was|s)? (next|left to do|still open)\W*$|` +
		`\b(wo (waren|sind) wir|où en (étions|sommes)|dónde nos quedamos|onde paramos)\b|` +
		`어디까지|다음은 뭐|上次.*哪|どこまで`)

// maxAsking is how many code points a prompt has at most that asks nothing else.
const maxAsking = 120

// whereWeStopped answers a prompt that asks where the work stopped, "" for another prompt.
func (c *Call) whereWeStopped(ctx context.Context) string {
	if utf8.RuneCountInString(c.Event.Prompt) > maxAsking || !asksWhere().MatchString(c.Event.Prompt) {
		return ""
	}
	root, err := c.Root()
	if err != nil {
		return ""
	}
	cfg, err := c.config(root)
	if err != nil || !cfg.Retrieval.Enabled {
		return ""
	}
	return c.announceLast(ctx, root, cfg)
}

// lines renders a session in at most maxLast code points.
func (l lastSession) lines() string {
	second := ""
	switch {
	case len(l.open) > 0 && l.cutOff:
		second = "It was cut off. Open: " + strings.Join(l.open, "; ")
	case len(l.open) > 0:
		second = "Open: " + strings.Join(l.open, "; ")
	case l.cutOff && l.ended != "":
		second = "It was cut off after the agent said: " + l.ended
	case l.cutOff:
		second = "It was cut off before the agent was done."
	case l.ended != "":
		second = "It ended: " + l.ended
	}
	room := maxLast - min(utf8.RuneCountInString(second), maxLastOpen)
	first := "Last session (" + l.at.Local().Format("2006-01-02 15:04") + ")"
	goal := strings.TrimRight(text.CutSentence(text.Plain(l.goal), maxLastGoal), ". ")
	if goal != "" && !l.summary {
		goal = `"` + goal + `"`
	}
	if goal != "" {
		first += ": " + goal
	}
	then, files := l.after(), l.changed(goal != "")
	if utf8.RuneCountInString(first+then+files) >= room {
		then = ""
	}
	if utf8.RuneCountInString(first+files) >= room {
		files = ""
	}
	first += then + files + "."
	if second != "" {
		first += "\n" + text.CutSentence(second, max(maxLastOpen, maxLast-utf8.RuneCountInString(first)))
	}
	return text.EscapeMarkup(text.Paragraph(first))
}

// after names the last task of a session that had several.
func (l lastSession) after() string {
	then := strings.TrimRight(text.CutSentence(text.Plain(l.then), maxLastThen), ". ")
	if then == "" {
		return ""
	}
	return `, then "` + then + `"`
}

// changed names the files that a session changed, without their folders if their paths are long.
func (l lastSession) changed(behindGoal bool) string {
	if len(l.files) == 0 {
		return ""
	}
	var names []string
	for _, file := range l.files[:min(maxLastFiles, len(l.files))] {
		if len(file) > 40 {
			file = path.Base(file)
		}
		names = append(names, text.Printable(file))
	}
	sign := ""
	if behindGoal {
		sign = ";"
	}
	return sign + " changed " + strings.Join(names, ", ") + text.AndMore(len(l.files)-len(names))
}

// maxSummaries is how many of the last summaries are looked at for one that the user has seen.
const maxSummaries = 10

// lastSummary returns the session summary that was saved last, of those that are not new to the user.
func (c *Call) lastSummary(
	ctx context.Context, root files.Root, cfg schemas.Config,
) (s *schemas.SessionContent, at time.Time, ok bool) {
	if !cfg.Categories[schemas.SessionSummary].Enabled {
		return nil, at, false
	}
	err := c.store.Ask(ctx, []files.Root{root}, func(sources retrieve.Sources) error {
		for _, source := range sources {
			list, err := source.Summaries(ctx, maxSummaries)
			if err != nil {
				return err
			}
			for m := range list {
				if c.store.Judge().ByFile(source.Root, m.Path) != "" {
					continue
				}
				if s, ok = m.Content.(*schemas.SessionContent); ok {
					at, ok = schemas.ParseTime(m.UpdatedAt)
				}
				break
			}
		}
		return nil
	})
	return s, at, ok && err == nil
}

// lastOfTranscript reads where the previous session stopped from its transcript, if the user lets memctl read these.
func (c *Call) lastOfTranscript(ctx context.Context, root files.Root, cfg schemas.Config) lastSession {
	user, err := files.UserConfig()
	if err != nil || !user.Sessions.Enabled || store.Covered(c.Event.Cwd, user.Sessions.Exclude) {
		return lastSession{}
	}
	for _, transcript := range c.transcriptsBefore(root) {
		e := c.Event
		e.TranscriptPath, e.TranscriptMark, e.LastAnswer = gate.Name(transcript), "", ""
		earlier := Call{Event: e, client: c.client}
		var turns []triage.Turn
		var last lastSession
		task := ""
		err := earlier.useTranscript(func(source triage.TranscriptFile) (err error) {
			task = triage.FirstPrompt(source, cfg.Privacy.Filter().Within(ctx))
			turns, err = triage.LastTurns(source, cfg.Privacy.Filter().Within(ctx))
			return err
		})
		if err == nil && last.of(task, turns, root) {
			return last
		}
	}
	return lastSession{}
}

// of fills in the session from its first prompt and its last turns. It reports false if they say nothing.
func (l *lastSession) of(task string, turns []triage.Turn, root files.Root) bool {
	turns = slices.DeleteFunc(slices.Clone(turns), func(t triage.Turn) bool {
		return t.Person == "" && t.Agent == "" && t.Tools == 0
	})
	for n := len(turns); n > 1 && isGoodbye(turns[n-1]); n-- {
		turns = turns[:n-1]
	}
	if n := len(turns); n > 0 && triage.IsInterruption(turns[n-1].Person) {
		l.cutOff = true
	}
	turns = slices.DeleteFunc(turns, func(t triage.Turn) bool { return triage.IsInterruption(t.Person) })
	if len(turns) == 0 {
		return false
	}
	end := turns[len(turns)-1]
	l.cutOff = l.cutOff || end.CutOff
	l.saved = slices.ContainsFunc(turns, func(t triage.Turn) bool { return t.Saved })
	for _, t := range slices.Backward(turns) {
		if says(t.Person) {
			l.then = t.Person
			break
		}
	}
	if l.goal = task; !says(task) || l.then == task {
		l.goal, l.then = cmp.Or(l.then, task), ""
	}
	l.at = end.At
	for _, t := range slices.Backward(turns) {
		for _, file := range slices.Backward(t.Files) {
			if file = below(root, file); file != "" && !slices.Contains(l.files, file) {
				l.files = append(l.files, file)
			}
		}
	}
	l.open = schemas.OpenIn(end.Agent)
	for _, sentence := range text.Sentences(text.Unmarked(end.Agent)) {
		sentence = strings.TrimLeft(sentence, "#-*• ")
		isWhole := utf8.RuneCountInString(sentence) >= leastPrompt && !strings.HasSuffix(sentence, ":")
		if isWhole && (l.ended == "" || l.cutOff) {
			l.ended = sentence // the first one; of an agent that was cut off, the last one
		}
	}
	return l.goal != ""
}

// brief is how many code points have a prompt and an answer at most that only take leave.
const brief = 80

// isGoodbye reports whether a turn is a remark and a short answer to it.
func isGoodbye(t triage.Turn) bool {
	isBrief := utf8.RuneCountInString(t.Person) < brief && utf8.RuneCountInString(t.Agent) < brief
	asks := strings.HasSuffix(strings.TrimSpace(t.Person), "?")
	return isBrief && t.Tools == 0 && !t.CutOff && !asks && len(schemas.OpenIn(t.Agent)) == 0
}

// says reports whether a prompt says by itself what the work is.
func says(prompt string) bool {
	return utf8.RuneCountInString(prompt) >= leastPrompt && retrieve.Unsearched(prompt) == ""
}

// below returns a file of a project as the project names it, "" for another one.
func below(root files.Root, file string) string {
	if filepath.IsAbs(file) {
		rel, err := filepath.Rel(root.Project, file)
		if err != nil {
			return ""
		}
		file = rel
	}
	file = filepath.ToSlash(filepath.Clean(file))
	if !filepath.IsLocal(file) || strings.HasPrefix(file, files.RootPath+"/") {
		return ""
	}
	return file
}

// transcriptsBefore returns the transcripts of previous sessions, the latest first. Claude Code keeps those of a folder
// together; for other clients, memctl notes the path at each start.
func (c *Call) transcriptsBefore(root files.Root) (paths []string) {
	own := c.Event.TranscriptPath.String()
	if c.client.LogName() != "" || own == "" {
		paths = observe.Started(root, c.Event.SessionID)
		_ = observe.NoteStarted(root, c.Event.SessionID, own) // without it the next session does not know this one
		return paths
	}
	dir, err := gate.FolderWithin(c.Event.TranscriptPath, c.transcriptFolders()...)
	if err != nil {
		return nil
	}
	defer dir.Close()
	folder, err := dir.Open(".")
	if err != nil {
		return nil
	}
	defer folder.Close()
	entries, _ := folder.ReadDir(mostTranscripts)
	infos := []fs.FileInfo{}
	for _, entry := range entries {
		name := entry.Name()
		isSession := filepath.Ext(name) == ".jsonl" && !strings.HasPrefix(name, "agent-") && entry.Type().IsRegular()
		if !isSession || name == filepath.Base(own) {
			continue
		}
		if info, err := entry.Info(); err == nil {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range infos[:min(maxBefore, len(infos))] {
		paths = append(paths, filepath.Join(filepath.Dir(own), info.Name()))
	}
	return paths
}

// maxBefore bounds the transcripts that are read to find one with a prompt.
const maxBefore = 3
