package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"memctl/clients"
	"memctl/db"
	"memctl/store"
	"memctl/text"
)

// batch is how long a transaction reads transcripts: what it has read is kept if the next one is
// interrupted.
const batch = 100 * time.Millisecond

// refresh compares the clients' folders with the database, by size and time, and reads the
// transcripts of the scope that have changed, the latest first. Of others it notes whose they are.
func (l *Library) refresh(ctx context.Context, transcripts []clients.Transcript, progress Progress) error {
	state := l.stateOf(transcripts)
	recorded, err := l.meta(ctx, l.stateKey())
	if err != nil || recorded == state {
		return err
	}
	rows, err := l.db.Transcripts(ctx, "true")
	if err != nil {
		return err
	}
	forgotten, err := forgotten()
	if err != nil {
		return err
	}
	byPath := make(map[string]db.Transcript, len(rows))
	for _, r := range rows {
		byPath[r.Path] = r
	}
	filter := fmt.Sprint(l.user.Privacy, filtering)
	before, err := l.meta(ctx, filterKey)
	if err != nil {
		return err
	}
	var changed []clients.Transcript
	var removed []db.Transcript
	for _, t := range transcripts {
		row, has := byPath[t.Path]
		delete(byPath, t.Path)
		unwanted := forgotten[keyOf(t.Path)] || l.excluded(row.Folder)
		if has && row.Turns > 0 && (unwanted || filter != before) {
			removed = append(removed, row)
			has = false
		}
		switch {
		case unwanted:
		case has && row.Size == t.Size && row.MTime == t.MTime:
		case has && row.Project != "" && !l.inScope(row.Project):
		default:
			changed = append(changed, t)
		}
	}
	if !l.user.Sessions.Keep {
		removed = slices.AppendSeq(removed, maps.Values(byPath)) // the client has deleted them
	}
	if err := l.remove(ctx, removed, filter); err != nil {
		return err
	}
	slices.SortFunc(changed, func(a, b clients.Transcript) int { return cmp.Compare(b.MTime, a.MTime) })
	for count := 0; count < len(changed); {
		if progress != nil {
			progress(count, len(changed))
		}
		n, err := l.readBatch(ctx, changed[count:])
		if count += n; err != nil {
			return err
		}
	}
	if progress != nil && len(changed) > 0 {
		progress(len(changed), len(changed))
	}
	return l.db.Update(ctx, func(tx *db.Tx) error {
		tx.RemoveUnusedVectors()
		return tx.PutMeta(l.stateKey(), state)
	})
}

// stateOf sums up the transcripts that were found, and the settings that say what becomes of them.
func (l *Library) stateOf(transcripts []clients.Transcript) string {
	sum := fnv.New128a()
	for _, t := range transcripts {
		fmt.Fprintln(sum, t.Path, t.Size, t.MTime)
	}
	fmt.Fprintln(sum, l.user.Sessions, l.user.Privacy, filtering)
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// stateKey is where the state is kept for the scope.
func (l *Library) stateKey() string { return "state " + strings.Join(l.projects, " ") }

func (l *Library) meta(ctx context.Context, key string) (value string, err error) {
	err = l.db.View(ctx, func(tx *db.Tx) (err error) {
		value, err = tx.Meta(key)
		return err
	})
	return value, err
}

func (l *Library) inScope(project string) bool {
	return l.projects == nil || slices.Contains(l.projects, project)
}

// filtering changes with the rules of the filter, so that sessions that were read by older ones are read again: in
// a prompt, an unclosed tag hides the rest.
const filtering = "prompts"

// filterKey is where the settings are kept with which text was filtered.
const filterKey = "filter"

// remove removes transcripts, and notes with which settings others are filtered.
func (l *Library) remove(ctx context.Context, list []db.Transcript, filter string) error {
	return l.db.Update(ctx, func(tx *db.Tx) error {
		for _, r := range list {
			if err := tx.RemoveTranscript(r.ID); err != nil {
				return err
			}
		}
		return tx.PutMeta(filterKey, filter)
	})
}

// readBatch reads transcripts in one transaction, until it has taken a while. It returns how many it
// has read.
func (l *Library) readBatch(ctx context.Context, list []clients.Transcript) (read int, err error) {
	began := time.Now()
	n := 0
	err = l.db.Update(ctx, func(tx *db.Tx) error {
		for n < len(list) && time.Since(began) < batch {
			if err := l.read(ctx, tx, list[n]); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err == nil {
		read = n
	}
	return read, err
}

// read brings one transcript up to date. One that cannot be read has the reason as its problem.
func (l *Library) read(ctx context.Context, tx *db.Tx, t clients.Transcript) error {
	row, head, err := l.rowOf(tx, t)
	if err == nil && l.inScope(row.Project) && !l.excluded(row.Folder) {
		err = l.readTurns(ctx, tx, t, &row, head)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // deleted meanwhile
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, new(storing)):
		return err
	case err != nil:
		row.Problem = text.Brief(err.Error())
	}
	_, err = tx.PutTranscript(row)
	return err
}

// storing is an error of the database, not of a transcript.
type storing struct{ error }

func (s storing) Unwrap() error { return s.error }

// rowOf returns the row of a transcript, or a new one that says whose it is.
func (l *Library) rowOf(tx *db.Tx, t clients.Transcript) (row db.Transcript, head clients.Head, err error) {
	if row, err = tx.Transcript(t.Path); err != nil {
		return row, head, storing{err}
	}
	head = clients.Head{Session: row.Session, Folder: row.Folder}
	if row.Project == "" {
		if head, err = t.Head(); err != nil {
			return row, head, err
		}
		session, _ := l.user.Privacy.Filter().Text(head.Session) // ids are written by a client, in whatever form
		row = db.Transcript{ID: row.ID, Path: t.Path, Client: t.Client.Name, Session: session, Folder: head.Folder,
			Size:  -1,
			Files: "[]"}
		row.Project = projectIn(head)
		if last := t.Client.LastFormat; last > 0 && head.Version > last {
			row.Problem = fmt.Sprintf("a later format of %s: version %d, and this memctl knows %d", t.Client.Title,
				head.Version, last)
		}
	}
	return row, head, nil
}

// projectIn names the project of a session as projectsOf does, "" if its transcript does not say.
func projectIn(head clients.Head) string {
	switch {
	case head.Folder != "":
		return store.ProjectOf(head.Folder)
	case head.Hash != "":
		return "sha256:" + head.Hash
	}
	return ""
}

// readTurns reads the turns that are new: those after the last one of before, if it is still in its place.
func (l *Library) readTurns(
	ctx context.Context, tx *db.Tx, t clients.Transcript, row *db.Transcript, head clients.Head,
) error {
	from, first := int64(0), 1
	if row.Turns > 0 && t.Size > row.Size && l.continues(t, *row) {
		from, first = row.ResumeAt, row.Turns
	}
	in, err := t.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if row.ID, err = tx.PutTranscript(*row); err == nil {
		err = tx.RemovePassages(row.ID, first)
	}
	if err != nil {
		return storing{err}
	}
	var files []string
	if first > 1 {
		_ = json.Unmarshal([]byte(row.Files), &files) // our own
	} else {
		row.Started, row.Ended, row.FirstPrompt, row.Turns = "", "", "", 0
	}
	r := &reading{head: head, filter: filtersOf(l.user.Privacy.Filter(), row.Folder), stop: ctx.Err}
	r.use = func(u turn) error {
		row.Turns, row.ResumeAt, row.ResumeMark = u.Turn, u.at, u.mark
		row.Started, row.Ended = cmp.Or(row.Started, u.At), cmp.Or(u.At, row.Ended)
		row.FirstPrompt = cmp.Or(row.FirstPrompt, text.OneLine(text.Own(u.Prompt), maxPrompt),
			text.OneLine(u.Prompt, maxPrompt))
		for _, file := range u.files {
			if len(files) < maxFiles && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
		if err := tx.PutPassage(row.ID, u.Passage); err != nil {
			return storing{err}
		}
		return nil
	}
	if err := r.read(t.Client, in, from, first); err != nil {
		return err
	}
	row.Size, row.MTime, row.Session = t.Size, t.MTime, r.filter.lines(cmp.Or(r.head.Session, sessionNamed(t.Path)))
	row.Ended = cmp.Or(row.Ended, time.Unix(0, t.MTime).UTC().Format(time.RFC3339))
	list, err := json.Marshal(append([]string{}, files...))
	row.Files = string(list)
	row.Problem = cmp.Or(r.problem(t.Client), keptProblem(row.Problem))
	return err
}

// keptProblem keeps what is said of the format.
func keptProblem(problem string) string {
	if strings.HasPrefix(problem, "a later format") {
		return problem
	}
	return ""
}

// problem says what could not be read.
func (r *reading) problem(c *clients.Client) string {
	switch {
	case r.lines > 0 && !r.talked && r.head.Session == "":
		return "no line is one that memctl knows: perhaps a later format of " + c.Title
	case len(r.tooLong) > 0:
		return fmt.Sprintf("%s of more than 1 MiB, the first of them line %d, passed by",
			text.Plural(len(r.tooLong), "line", "lines"), r.tooLong[0])
	}
	return ""
}

// continues reports whether a transcript still has the line where the last turn of before begins.
func (l *Library) continues(t clients.Transcript, row db.Transcript) bool {
	in, err := t.Open(row.ResumeAt)
	if err != nil {
		return false
	}
	defer in.Close()
	same := false
	_, _ = t.Client.ReadLines(in, func(line clients.Line) error {
		same = line.Data != nil && markOf(line.Data) == row.ResumeMark
		return io.EOF
	})
	return same
}

// sessionNamed returns the session that a transcript is named after.
func sessionNamed(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexAny(path, `/\#`)+1:], ".jsonl")
}
