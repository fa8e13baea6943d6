package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"
)

// maxBroken is how many broken lines of one file of observations get a finding
// each. One more finding counts the rest.
const maxBroken = 3

// twinRule is the rule that names break which some system takes for one.
const twinRule = "twin"

// Validation lists what is wrong with the files of a memory root and its index.
type Validation struct {
	Files    int      `json:"files"`
	Findings []Defect `json:"findings"`
	// Completed are the files that became memories, or with DryRun would.
	Completed []writer.Completed `json:"completed,omitempty"`
	DryRun    bool               `json:"dry_run,omitempty"`
}

// Defect is one thing that is wrong: a violation of a rule, or a difference between the
// index and a file.
type Defect struct {
	Path string `json:"path"`
	*schemas.Violation
	Index   string `json:"index,omitempty"` // missing, stale, changed or damaged
	Message string `json:"message"`         // all of it in one line
}

// Validate checks every file of a root and compares the index with the files. It
// changes nothing.
func Validate(ctx context.Context, root files.Root) (Validation, error) {
	v, err := validateFiles(ctx, root)
	if err != nil {
		return v, err
	}
	return v, v.checkIndex(ctx, root)
}

func validateFiles(ctx context.Context, root files.Root) (Validation, error) {
	v := Validation{Findings: []Defect{}}
	for _, info := range schemas.Categories {
		if err := v.checkFolder(ctx, root, info); err != nil {
			return v, err
		}
	}
	v.checkConfig(root)
	v.checkSynonyms(root)
	v.checkObservations(root)
	return v, nil
}

// lacksField reports that a memory lacks a field, as those do that a person wrote by hand.
func (d Defect) lacksField() bool {
	_, isMemory := schemas.CategoryOfPath(d.Path)
	return isMemory && d.Violation != nil && d.Rule == "required"
}

// fix completes the files that lack fields. Of one that cannot be completed it says why, in place of what it lacks.
func (v *Validation) fix(ctx context.Context, s *store.Store, dryRun bool) error {
	v.DryRun = dryRun
	lacking := map[string]bool{}
	for _, d := range v.Findings {
		lacking[d.Path] = lacking[d.Path] || d.lacksField()
	}
	v.Findings = slices.DeleteFunc(v.Findings, func(d Defect) bool { return lacking[d.Path] })
	maps.DeleteFunc(lacking, func(_ string, is bool) bool { return !is })
	paths := slices.Sorted(maps.Keys(lacking))
	return s.CompleteFiles(ctx, paths, dryRun, func(at string, done writer.Completed, err error) {
		if err == nil {
			v.Completed = append(v.Completed, done)
		}
		refused := new(writer.Error)
		if !errors.As(err, &refused) {
			return
		}
		for _, p := range refused.Problems {
			violation := schemas.Violation{Field: p.Field, Rule: p.Rule, Expected: p.Expected, Got: p.Got}
			if p.Reason != "" {
				violation = schemas.Violation{Rule: "file", Expected: "a file that can be completed", Got: p.Reason}
			}
			v.add(at, violation)
		}
	})
}

func (v *Validation) add(path string, violation schemas.Violation) {
	v.addAs(path, violation, path+": "+violation.String())
}

func (v *Validation) addAs(path string, violation schemas.Violation, message string) {
	v.Findings = append(v.Findings, Defect{Path: path, Violation: &violation, Message: message})
}

func (v *Validation) checkFolder(ctx context.Context, root files.Root, info schemas.CategoryInfo) error {
	folder, err := root.OpenFolder(info.Folder)
	if folder == nil && err == nil {
		return nil
	}
	var names []string
	if err == nil {
		defer folder.Close()
		names, err = folder.List()
	}
	if err != nil {
		v.add(info.Folder, store.Unreadable(err))
		return nil
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.Files++
		for _, violation := range store.CheckFile(root, folder, name, info.Category) {
			v.add(info.Folder+"/"+name, violation)
		}
	}
	v.checkTwins(info.Folder, names)
	v.checkConflicts(folder, info)
	return nil
}

// checkTwins reports names that some system takes for one.
func (v *Validation) checkTwins(folder string, names []string) {
	for _, twins := range files.Collisions(names) {
		for i, name := range twins {
			other := twins[(i+1)%len(twins)]
			v.add(folder+"/"+name, schemas.Violation{Rule: twinRule,
				Expected: "a name that no system takes for another one",
				Got: fmt.Sprintf("macOS and Windows take it and %s for the same file: rename one of them, for "+
					"example with git mv", text.Printable(other))})
		}
	}
}

func (v *Validation) checkConfig(root files.Root) {
	data, err := root.ReadConfig()
	if err != nil {
		v.add(files.ConfigName, schemas.Violation{Rule: "file", Expected: "a readable file",
			Got: text.Printable(err.Error())})
	}
	if data == nil {
		return
	}
	_, warnings := schemas.DecodeConfig(data)
	for _, w := range warnings {
		violation := schemas.Violation{Field: w.Key, Rule: "config",
			Expected: "a setting that can be used (in use now: " + w.Used + ")", Got: w.Problem}
		v.addAs(files.ConfigName, violation, w.String())
	}
}

func (v *Validation) checkSynonyms(root files.Root) {
	data, err := root.ReadSynonyms()
	if err != nil {
		v.add(files.SynonymsName, store.Unreadable(err))
	}
	_, problems := text.ParseSynonyms(string(data))
	for _, p := range problems {
		violation := schemas.Violation{Rule: "synonyms", Expected: "words or phrases with commas between them",
			Got: p.Reason}
		v.addAs(files.SynonymsName, violation, files.SynonymsName+": "+p.String())
	}
}

// checkIndex compares the index with the files. An index that is missing or of
// another version is in order: memctl makes it when it needs it.
func (v *Validation) checkIndex(ctx context.Context, root files.Root) error {
	check, err := store.CheckIndex(ctx, root)
	add := func(path, state string) {
		v.Findings = append(v.Findings, Defect{Path: path, Index: state, Message: path + ": index: " + state})
	}
	if check.Damaged {
		add(files.IndexName, "damaged")
	}
	for _, d := range check.Differences {
		add(d.Path, d.State)
	}
	return err
}

// checkObservations checks every line that a tool left. Readers skip broken lines,
// and nothing can repair them.
func (v *Validation) checkObservations(root files.Root) {
	sessions, err := root.OpenSessions()
	if err != nil {
		v.add(files.SessionsFolder, store.Unreadable(err))
	}
	if sessions == nil {
		return
	}
	defer sessions.Close()
	list, strays, err := sessions.ListAll()
	if err != nil {
		v.add(files.SessionsFolder, store.Unreadable(err))
	}
	for _, stray := range strays {
		v.add(files.SessionsFolder+"/"+stray.Name, store.Unreadable(stray.Err))
	}
	for _, f := range list {
		v.Files++
		v.checkSession(sessions, f)
	}
}

func (v *Validation) checkSession(sessions *files.Sessions, f files.SessionFile) {
	file, size, err := sessions.Open(f.Name)
	if err != nil {
		v.add(f.Path(), store.Unreadable(err))
		return
	}
	defer file.Close()
	number, broken := 0, 0
	read, err := files.Lines(file, func(_ int64, line []byte) error {
		number++
		if line != nil && strings.TrimSpace(string(line)) == "" {
			return nil
		}
		if _, _, torn, err := schemas.DecodeObservation(line); torn {
			if broken++; broken <= maxBroken {
				v.add(f.Path(), notAnObservation(brokenLine(number, line, err)))
			}
		}
		return nil
	})
	if err != nil {
		v.add(f.Path(), store.Unreadable(err))
	}
	if broken > maxBroken {
		v.add(f.Path(), notAnObservation(fmt.Sprintf("%d more broken lines", broken-maxBroken)))
	}
	if read < size && err == nil {
		v.add(f.Path(), schemas.Violation{Rule: "line", Expected: "a line feed at the end",
			Got: fmt.Sprintf("half a line of %d bytes (a process died, or the disk was full); the next one begins a "+
				"new line", size-read)})
	}
}

func notAnObservation(got string) schemas.Violation {
	return schemas.Violation{Rule: "line", Expected: "one observation a line", Got: got}
}

func brokenLine(number int, line []byte, err error) string {
	switch {
	case line == nil:
		return fmt.Sprintf("line %d: more than %d bytes", number, files.MaxLine)
	case err != nil:
		return fmt.Sprintf("line %d: %v", number, err)
	}
	return fmt.Sprintf("line %d: half a line before it", number)
}

// checkConflicts reports the conflicts that merges recorded in a folder.
func (v *Validation) checkConflicts(folder *files.Folder, info schemas.CategoryInfo) {
	ids, err := folder.Conflicts()
	if err != nil {
		v.add(info.Folder, store.Unreadable(err))
	}
	for _, id := range ids {
		name := id + files.ConflictSuffix
		v.add(info.Folder+"/"+name, openConflict(folder, id, name))
	}
}

func openConflict(folder *files.Folder, id, name string) schemas.Violation {
	violation := schemas.Violation{Rule: schemas.ConflictRule, Expected: "no conflict that is left open"}
	data, _, err := folder.Read(name)
	if err != nil {
		return store.Unreadable(err)
	}
	record, err := schemas.DecodeConflictRecord(data)
	if err != nil {
		violation.Got = fmt.Sprintf("not the record of a conflict (%v): remove it if the memory is as you want it", err)
		return violation
	}
	if _, err := folder.Stat(id + ".json"); err != nil {
		violation.Got = "the conflict of a memory that is gone: remove the file"
		return violation
	}
	violation.Got = fmt.Sprintf("both sides of a merge changed %s, and the memory has ours; run \"memctl resolve %s\"",
		text.Brief(schemas.ConflictFields(record.Conflicts)), text.ShellWord(id))
	return violation
}

// The verdicts of a HealthReport.
const (
	GoodHealth     = "GOOD"
	NeedsAttention = "NEEDS ATTENTION"
)

// RetiredDays is how many days a HealthReport looks back for retired memories.
const RetiredDays = 7

// HealthReport says what a memory root holds and which settings are in force, and judges it.
type HealthReport struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"` // none if the verdict is GoodHealth
	store.Overview
	HeavilyUpdated  []retrieve.ListEntry `json:"heavily_updated"`
	RecentlyRetired []retrieve.ListEntry `json:"recently_retired"`
	Observations    ObservationsStatus   `json:"observations"`
	Config          schemas.Config       `json:"config"` // the settings in force
}

// Health brings the index of a root up to date and judges the root by what Run finds in its
// files and its index.
func Health(ctx context.Context, root files.Root, now time.Time) (HealthReport, error) {
	h := HealthReport{Verdict: GoodHealth, Reasons: []string{}, Config: schemas.DefaultConfig()}
	if cfg, _, err := root.Config(); err == nil { // checkConfig reports the error
		h.Config = cfg
	}
	e := &examination{Report: Report{Project: root.Project}, now: now}
	var err error
	h.Overview, err = e.checkIndex(ctx, root, func(source retrieve.Source) error {
		return h.readNews(ctx, source, now)
	})
	e.checkConfig(root)
	for _, f := range e.Findings {
		if f.reason != "" {
			h.Verdict, h.Reasons = NeedsAttention, append(h.Reasons, f.reason)
		}
	}
	o := h.Config.Observations
	h.Observations.Enabled, h.Observations.RetentionDays, h.Observations.MaxMB = o.Enabled, o.RetentionDays, o.MaxMB
	due, dueErr := observe.Collect(root, o, now, true)
	h.Observations.Due = len(due.Files)
	if dueErr != nil {
		h.Observations.Problem = dueErr.Error()
	}
	return h, err
}

func (h *HealthReport) readNews(ctx context.Context, source retrieve.Source, now time.Time) error {
	heavy, err := source.HeavilyUpdated(ctx)
	if err != nil {
		return err
	}
	retired, err := source.RetiredSince(ctx, now.AddDate(0, 0, -RetiredDays))
	h.HeavilyUpdated, h.RecentlyRetired = retrieve.ListItems(heavy), retrieve.ListItems(retired)
	if err == nil {
		h.Observations.ObservationTotals, err = source.CountObservations(ctx)
	}
	return err
}

// ObservationsStatus says what the root keeps of tools, and for how long.
type ObservationsStatus struct {
	Enabled bool `json:"enabled"`
	retrieve.ObservationTotals
	RetentionDays int    `json:"retention_days"`
	MaxMB         int    `json:"max_mb"`
	Due           int    `json:"due_sessions"`      // sessions that "memctl gc" would remove
	Problem       string `json:"problem,omitempty"` // why the folder cannot be read
}
