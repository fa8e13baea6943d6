package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

const (
	// maxRemedy is how many commands a remedy has.
	maxRemedy = 2
	// maxRemedyCommand is how long a command is, in bytes, that is worth to be run again.
	maxRemedyCommand = 300
	// maxApart is how many runs may lie between a failure and its remedy.
	maxApart = 100
	// RemedyLife is how long a remedy is kept.
	RemedyLife = 90 * 24 * time.Hour
	// maxRemedies is how many are kept, maxRemediesFile the size of their file in bytes.
	maxRemedies     = 50
	maxRemediesFile = 256 << 10
	remediesPrefix  = "remedies-"
	// maxLine is how many code points of a command line are looked at.
	maxLine = 64 << 10
)

// remedy returns the last commands of runs that did something before a command worked, nil if a file was edited:
// then the edit was the remedy, which is of no use another time.
func remedy(runs []schemas.Run, fixed schemas.Run) (commands []string) {
	if len(runs) > maxApart || !isRepeatable(fixed) {
		return nil
	}
	for _, r := range slices.Backward(runs) {
		list, edits := deeds(r.Command)
		switch {
		case r.Session != fixed.Session:
		case edits || slices.Contains(editors, r.Tool) && (r.Success || r.Unsettled):
			return nil
		case len(list) > 0 && r.Success && len(commands) < maxRemedy && !slices.Contains(commands, subjectOf(r)):
			if !isRepeatable(r) {
				return nil
			}
			commands = append([]string{subjectOf(r)}, commands...)
		}
	}
	return commands
}

// isRepeatable reports whether a run is that of a command that does something and may be run again: of one line.
func isRepeatable(r schemas.Run) bool {
	line := strings.TrimSpace(r.Command)
	list, edits := deeds(line)
	return len(line) <= maxRemedyCommand && !strings.Contains(line, "\n") && len(list) > 0 && !edits
}

// Remedies are the fixes of a root that have a remedy, the newest first. A file of the user's state folder keeps
// them, so that the hooks about a tool open no index. Deleting it loses nothing: the next session's start reads the
// observations again.
type Remedies struct {
	Read  time.Time // the sessions' files that were written since then have not been read
	Fixes []Fix
}

// The file has a line with the time, then one for each fix: the last thing that its command does, so that the hook
// before a tool decodes few of them, and the fix as JSON, parted by a tab.

// ReadRemedies returns the remedies that Keep stored, none if they cannot be read.
func ReadRemedies(root files.Root) (remedies Remedies) {
	data := readRemedies(root)
	first, _, _ := bytes.Cut(data, []byte("\n"))
	remedies.Read, _ = time.Parse(time.RFC3339Nano, string(first))
	for line := range bytes.Lines(data) {
		if f, ok := decodeFix(line); ok {
			remedies.Fixes = append(remedies.Fixes, f)
		}
	}
	return remedies
}

func readRemedies(root files.Root) []byte {
	data, _ := files.ReadStateFile(remediesPrefix+root.Key(), maxRemediesFile) // without it there are none
	return data
}

func decodeFix(line []byte) (f Fix, ok bool) {
	_, data, found := bytes.Cut(line, []byte("\t"))
	return f, found && json.Unmarshal(data, &f) == nil && len(f.Remedy) > 0
}

// Keep keeps the remedies of a root in place of those before.
func (r Remedies) Keep(root files.Root) error {
	return files.WriteStateFile(remediesPrefix+root.Key(), string(r.encode()))
}

// ForgetRemedies removes the stored remedies.
func ForgetRemedies(root files.Root) error {
	_, err := files.RemoveState(remediesPrefix + root.Key())
	return err
}

func (r Remedies) encode() []byte {
	data := []byte(r.Read.UTC().Format(time.RFC3339Nano) + "\n")
	for _, f := range r.Fixes {
		list, _ := deeds(f.Subject)
		line, err := schemas.EncodeJSON(f)
		if len(list) > 0 && err == nil {
			data = append(append(append(data, fixKey(list[len(list)-1])+"\t"...), line...), '\n')
		}
	}
	return data
}

// fixKey begins the line of a command's fix.
func fixKey(words []string) string {
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// Update replaces the fixes of the sessions that runs are of, and removes those of sessions that are gone and those
// that are too old. Of a command the newest fix counts, and none if the command has failed since although its
// remedy had just run.
func (r *Remedies) Update(runs []schemas.Run, isMissing func(session string) bool, now time.Time) {
	again := map[string]bool{}
	for _, run := range runs {
		again[run.Session] = true
	}
	list := slices.DeleteFunc(r.Fixes, func(f Fix) bool { return again[f.Session] || isMissing(f.Session) })
	for _, f := range Fixes(runs) {
		if f.Error, f.Between = "", nil; len(f.Remedy) > 0 {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b Fix) int { return strings.Compare(b.FixedAt, a.FixedAt) })
	newest := map[string]*Fix{}
	for i, f := range list {
		fixed, ok := schemas.ParseTime(f.FixedAt)
		if ok && now.Sub(fixed) < RemedyLife && newest[f.Subject] == nil && len(newest) < maxRemedies {
			newest[f.Subject] = &list[i]
		}
	}
	dropRefuted(newest, runs)
	r.Fixes = nil
	for i, f := range list {
		if newest[f.Subject] == &list[i] {
			r.Fixes = append(r.Fixes, f)
		}
	}
}

// dropRefuted removes the fixes, by the command, that runs refute: the command failed, in the same session or later,
// and all of its remedy had been run since the command was run before.
func dropRefuted(fixes map[string]*Fix, runs []schemas.Run) {
	type command struct{ session, subject string }
	last, worked := map[command]int{}, map[command]int{} // runs, counted from 1
	for i, r := range runs {
		if r.Command == "" || r.Unsettled {
			continue
		}
		of := command{r.Session, subjectOf(r)}
		f := fixes[of.subject]
		if f != nil && !r.Success && (r.Session == f.Session || r.Timestamp > f.FixedAt) &&
			!slices.ContainsFunc(f.Remedy, func(name string) bool {
				return worked[command{r.Session, name}] <= last[of]
			}) {
			delete(fixes, of.subject)
		}
		if last[of] = i + 1; r.Success {
			worked[of] = i + 1
		}
	}
}

// FixOf returns the newest fix of a command that a line runs, without its remedy.
func FixOf(root files.Root, line string) (Fix, bool) { return fixOf(readRemedies(root), line) }

func fixOf(data []byte, line string) (Fix, bool) {
	if !bytes.Contains(data, []byte("\t")) {
		return Fix{}, false
	}
	commands, _ := deeds(text.Truncate(line, maxLine))
	var keys []string
	for _, words := range commands {
		keys = append(keys, fixKey(words))
	}
	for line := range bytes.Lines(data) {
		if key, _, _ := bytes.Cut(line, []byte("\t")); !slices.Contains(keys, string(key)) {
			continue
		}
		if f, ok := decodeFix(line); ok && runsAll(commands, f.Subject) &&
			!runsAll(commands, f.Remedy[len(f.Remedy)-1]) {
			return f, true
		}
	}
	return Fix{}, false
}

// runsAll reports whether all that a line does is among commands, word for word.
func runsAll(commands [][]string, line string) bool {
	required, _ := deeds(line)
	for _, words := range required {
		if !slices.ContainsFunc(commands, func(command []string) bool { return slices.Equal(command, words) }) {
			return false
		}
	}
	return len(required) > 0
}

// Sentence names a failure and its remedy, on a line of at most 200 code points.
func (f Fix) Sentence() string {
	const most, one, two = 50, 80, 38 // code points of the command, of a remedy, and of each of two
	width := one
	if len(f.Remedy) > 1 {
		width = two
	}
	names := make([]string, len(f.Remedy))
	for i, command := range f.Remedy {
		names[i] = quoted(command, width)
	}
	day, _, _ := strings.Cut(f.FixedAt, "T")
	return fmt.Sprintf("memctl: %s failed %s on %s and worked after %s.", quoted(f.Subject, most),
		text.Plural(f.Failures, "time", "times"), text.Printable(day), strings.Join(names, " and "))
}

// safeQuote keeps a command within its backquotes, and from looking like markup. A command keeps its ampersands.
var safeQuote = strings.NewReplacer("`", "'", "<", "&lt;", ">", "&gt;")

func quoted(command string, width int) string {
	return "`" + safeQuote.Replace(text.OneLine(command, width)) + "`"
}
