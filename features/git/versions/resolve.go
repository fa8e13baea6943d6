package versions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// MergeTexts merges two versions of a memory. It first removes private text and secrets
// from all of them, by the settings of a writer, so that no version restores what another one lost. It
// returns an error if ours or theirs is not a memory, and ignores a base that is not one.
func MergeTexts(w *writer.Writer, v schemas.Texts) (Result, error) {
	ours, err := decode(w, "ours", v.Ours)
	if err != nil {
		return Result{}, err
	}
	theirs, err := decode(w, "theirs", v.Theirs)
	if err != nil {
		return Result{}, err
	}
	base, err := schemas.DecodeExact(v.Base)
	if err == nil {
		base.RedactValid(w.Filter())
	}
	return Merge(base, ours, theirs), nil
}

func decode(w *writer.Writer, side string, data []byte) (*schemas.Memory, error) {
	doc, err := schemas.DecodeExact(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not a memory: %w", side, err)
	}
	w.Redact(side+": ", doc)
	return doc, nil
}

// lockTimeout is how long RecordConflict waits for another writer.
const lockTimeout = 5 * time.Second

// RecordConflict writes the file that names the conflicts of a memory, given by
// its path below the root. It writes nothing if the memory's folder does not exist, as in
// a bare repository.
func RecordConflict(ctx context.Context, root files.Root, at string, conflicts []schemas.Conflict) error {
	folder, err := root.OpenFolder(path.Dir(at))
	if folder == nil || err != nil {
		return err
	}
	defer folder.Close()
	lock, err := root.LockExclusive(ctx, files.WriteLock, lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := root.RemoveTemps(); err != nil {
		return err
	}
	return writeRecord(folder, at, conflicts)
}

// writeRecord replaces the record of a memory. Without conflicts it removes it.
func writeRecord(folder *files.Folder, at string, conflicts []schemas.Conflict) error {
	name := recordName(at)
	if len(conflicts) == 0 {
		return folder.RemoveIfThere(name)
	}
	data, err := schemas.ConflictRecord{Memory: at, Conflicts: conflicts}.Encode()
	if err != nil {
		return err
	}
	return folder.Replace(name, data)
}

// recordName is the name of the record in the folder of a memory's path.
func recordName(at string) string {
	return strings.TrimSuffix(path.Base(at), ".json") + files.ConflictSuffix
}

// Choice says whose values Resolve takes.
type Choice string

const (
	Undecided  Choice = ""
	TakeOurs   Choice = "ours"   // those that the file has now
	TakeTheirs Choice = "theirs" // those of the branch that was merged
	TakeValue  Choice = "value"  // another one, of Answer
)

// Answer says how fields are decided: those that it names, or all if it names none.
type Answer struct {
	Choice
	Fields []string
	Value  any  // of TakeValue, nil for no value
	Look   bool // decide nothing and write nothing
}

// Resolved is the answer of Resolve.
type Resolved struct {
	Status    string             `json:"status"` // resolved or conflict
	Target    string             `json:"target"`
	Merged    bool               `json:"merged"` // the file had git's conflict markers
	Fields    []string           `json:"fields"` // that a choice decided
	Conflicts []schemas.Conflict `json:"conflicts"`
	Notices   []string           `json:"notices,omitempty"`
	Privacy   *writer.Withheld   `json:"privacy,omitempty"`
}

// Resolve ends the conflict of a memory. If git left markers in the file, Resolve merges
// the versions that git kept of it or, if there are none, those between the markers. It
// decides fields by the answer. What is left undecided stays in ID.conflict.
func Resolve(ctx context.Context, w *writer.Writer, target string, a Answer) (Resolved, error) {
	resolved := Resolved{Fields: []string{}, Conflicts: []schemas.Conflict{}}
	err := w.Change(ctx, target, writer.ResolveError, func(f *writer.File) error {
		resolved.Target = f.Target
		doc, conflicts, err := inConflict(ctx, w, f, &resolved)
		if err != nil {
			return err
		}
		left, err := a.choose(doc, conflicts, &resolved)
		if err != nil {
			return err
		}
		resolved.Conflicts = append(resolved.Conflicts, left...)
		resolved.Status = "resolved"
		if len(resolved.Conflicts) > 0 {
			resolved.Status = "conflict"
		}
		if a.Look {
			return nil
		}
		if resolved.Privacy, err = f.Replace(doc, resolved.Merged); err != nil { // theirs came from a file
			return err
		}
		return writeRecord(f.Folder, f.Path, resolved.Conflicts)
	})
	return resolved, err
}

// inConflict returns the memory, merged if need be, and its open conflicts.
func inConflict(
	ctx context.Context, w *writer.Writer, f *writer.File, resolved *Resolved,
) (*schemas.Memory, []schemas.Conflict, error) {
	if schemas.ConflictLine(f.Data) > 0 {
		versions, found, err := stages(ctx, w.Root, f.Path)
		if err != nil || !found { // without git there are the markers
			versions = schemas.Sides(f.Data)
		}
		result, err := MergeTexts(w, versions)
		if err != nil {
			return nil, nil, f.Unreadable(err)
		}
		if err := result.keepByHand(f.Data); err != nil {
			return nil, nil, err
		}
		resolved.Merged, resolved.Notices = true, result.Notices
		return result.Memory, result.Conflicts, nil
	}
	name := recordName(f.Path)
	data, _, err := f.Folder.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, refusal(writer.ResolveError, f.Target, writer.Problem{Reason: "it is not in conflict",
			Fix: `"memctl validate" names the memories that are`})
	}
	if err != nil {
		return nil, nil, err
	}
	record, err := schemas.DecodeConflictRecord(data)
	if err != nil {
		return nil, nil, refusal(writer.ReadError, name, writer.Problem{Reason: name + ": " + err.Error(),
			Fix: "remove the file if the memory is as you want it"})
	}
	doc, err := f.Decode()
	return doc, record.Conflicts, err
}

// keepByHand keeps what was resolved by hand in a file that still has other markers.
func (r *Result) keepByHand(data []byte) error {
	now, err := schemas.DecodeExact(schemas.Sides(data).Ours)
	open := schemas.MarkedConflicts(data)
	if err != nil || len(open) == 0 {
		return nil
	}
	settled := map[string]any{} // apart from ours
	for _, d := range schemas.Differences(r.Memory, now) {
		settled[d.Field] = d.New
	}
	var left []schemas.Conflict
	for _, c := range r.Conflicts {
		value, other := settled[c.Field]
		switch {
		case slices.ContainsFunc(open, func(o schemas.Conflict) bool { return o.Field == c.Field }):
			left = append(left, c)
		case other:
			c.Theirs = value
			if err := SetTheirs(r.Memory, c); err != nil {
				return err
			}
		}
	}
	r.Conflicts = left
	return nil
}

func refusal(code writer.Code, target string, problem writer.Problem) error {
	return &writer.Error{Code: code, Target: target, Problems: []writer.Problem{problem}}
}

// choose applies a choice and returns the conflicts that it leaves.
func (a Answer) choose(doc *schemas.Memory, conflicts []schemas.Conflict, resolved *Resolved) (
	left []schemas.Conflict, err error) {
	named := map[string]bool{}
	for _, field := range a.Fields {
		named[field] = true
	}
	for _, c := range conflicts {
		if a.Choice == Undecided || len(a.Fields) > 0 && !named[c.Field] {
			left = append(left, c)
			continue
		}
		delete(named, c.Field)
		if a.Choice == TakeValue {
			c.Theirs = a.Value
		}
		if a.Choice != TakeOurs {
			if err := SetTheirs(doc, c); err != nil {
				return nil, err
			}
		}
		resolved.Fields = append(resolved.Fields, c.Field)
	}
	for field := range named {
		return nil, refusal(writer.ResolveError, "", writer.Problem{Field: field, Reason: "it is not in conflict",
			Fix: "name one of " + text.Printable(schemas.ConflictFields(conflicts))})
	}
	return left, nil
}
