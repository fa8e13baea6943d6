package doctor

import (
	"context"
	"strings"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/observe"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// checkFiles checks what the checks of the index, the configuration and merges do not see:
// memories that break a rule although the index has them, synonyms, lines of observations. It
// returns the paths of the memories that a merge left in conflict.
func (e *examination) checkFiles(ctx context.Context, root files.Root, o store.Overview) (conflicts []string) {
	v, err := validateFiles(ctx, root)
	if err != nil {
		return nil // interrupted
	}
	unindexed := map[string]bool{}
	for _, p := range o.Problems {
		unindexed[p.Path] = true
	}
	first, fix := "", "run memctl validate to list all"
	n := 0
	for _, defect := range v.Findings {
		switch {
		case defect.Rule == schemas.ConflictRule:
			below := strings.TrimSuffix(defect.Path, files.ConflictSuffix)
			conflicts = append(conflicts, strings.TrimSuffix(below, ".json")+".json")
		case defect.Rule == twinRule, defect.Path == files.ConfigName,
			unindexed[defect.Path]:
		default:
			if n++; n == 1 {
				first = defect.Message
			}
			if defect.lacksField() {
				fix = "run memctl validate --fix to complete files that were written by hand"
			}
		}
	}
	if n > 0 {
		e.Warn("files", fix, "%s in %s, such as %s",
			text.Counted(n, "violation", "violations"), text.Counted(v.Files, "file", "files"), text.Brief(first))
	}
	return conflicts
}

// largeCategory is how many active memories of a category are worth a word.
const largeCategory = 100

// checkLimits says how many memories have no room by the configuration, and names categories
// that are large, or in which the next new memory retires another.
func (e *examination) checkLimits(ctx context.Context, root files.Root, o store.Overview) {
	cfg, _, err := root.Config()
	if err != nil {
		return // checkConfig reports it
	}
	w := store.At(root, store.Options{}).WriterWith(root, cfg)
	w.Now = func() time.Time { return e.now }
	if n, err := w.CountOver(ctx); err == nil && n > 0 {
		e.OK("limits", "over the configured limits: %s; run \"memctl gc --limits\" to retire them",
			text.Counted(n, "memory", "memories"))
	}
	for _, info := range schemas.Categories {
		active, limit := o.Memories[info.Category][schemas.Active], cfg.MaxMemoriesPerCategory
		switch {
		case cfg.Categories[info.Category].MaxRetained > 0:
		case limit > 0 && active >= limit:
			e.OK("limits", "%s has %d active memories, so a new one retires the one that was updated longest ago; "+
				"run \"memctl config unset max_memories_per_category\" to remove the limit", info.Category, active)
		case limit == 0 && active > largeCategory:
			e.OK("limits", "%s has %d active memories, and no limit retires any; "+
				"run \"memctl review\" to find outdated ones", info.Category, active)
		}
	}
}

// checkNotes says what becomes of the notes that Claude Code keeps on the project.
func (e *examination) checkNotes(root files.Root) {
	n := clients.CountNotes(root.Project)
	if n == 0 {
		return
	}
	choice := schemas.ReadNotes
	if user, found, err := files.UserRoot(); err == nil && found {
		if cfg, _, err := user.Config(); err == nil {
			choice = cfg.Sources.Notes
		}
	}
	what := `prompts find them; run "memctl adopt ID" to make one a memory`
	switch off := clients.NotesAreOff(root.Project); {
	case !clients.AreNotesOf(root.Project):
		what = "memctl does not read them: no past session shows that they belong to this project alone"
	case choice == schemas.LeaveNotes:
		what = "memctl does not read them (sources.notes)"
	case off:
		what = "memctl does not read them, because Claude Code's own memory is off here"
	case choice == schemas.MoveNotes:
		what += `; run "memctl install --notes move" to make all of them memories`
	}
	e.OK("notes of Claude Code", "%s: %s", text.Counted(n, "note", "notes"), what)
}

// checkReview says what the last review found. A review takes too long to run here.
func (e *examination) checkReview(root files.Root) {
	const name = "review"
	last, err := observe.LastReview(root)
	switch {
	case err != nil:
		e.Warn(name, "check that your state folder can be read", "the record of reviews: %v", err)
	case last.Time.IsZero():
		e.OK(name, `no review has run yet; run "memctl review" to find outdated memories`)
	case last.Findings > 0:
		e.Warn(name, "run memctl review to list them, with a command for each",
			"%s about memories that may be outdated, in the review %s",
			text.Counted(last.Findings, "finding", "findings"), ago(e.now.Sub(last.Time)))
	default:
		e.OK(name, "it found nothing, %s", ago(e.now.Sub(last.Time)))
	}
}

// checkObservations checks whether tools are observed if the configuration says so,
// and whether git leaves observations out.
func (e *examination) checkObservations(ctx context.Context, root files.Root, runs hookRuns, registered registrations) {
	const name = "observations"
	cfg, _, err := root.Config()
	if err != nil {
		return // checkConfig reports it
	}
	switch {
	case runs.recordedErr != nil:
		e.Warn(name, "move the file in the way", "nothing can be recorded: %v", runs.recordedErr)
	case !runs.recorded.IsZero() && e.checkSessionsInGit(ctx, root):
	case !cfg.Observations.Enabled:
		e.OK(name, "off")
	case !runs.recorded.IsZero():
		e.OK(name, "on, the last %s", ago(e.now.Sub(runs.recorded)))
	case len(runs.tallies)+len(runs.clients) > 0:
		fix := "restart the agent, so that it runs the hooks after its tools"
		if len(runs.clients) == 0 && !registered.has(observe.AfterTool) {
			fix = registered.install + "; then " + fix
		}
		e.Warn(name, fix, "on, but nothing has been recorded, though other hooks have run")
	default:
		e.OK(name, "on, nothing recorded yet")
	}
}

// lastRecorded is when a session was last written to. It is zero if there is none.
func lastRecorded(root files.Root) (last time.Time, err error) {
	files, err := root.SessionFiles()
	for _, f := range files {
		if at := time.Unix(0, f.MtimeNS); at.After(last) {
			last = at
		}
	}
	return last, err
}
