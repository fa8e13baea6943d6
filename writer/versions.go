package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
)

// MergeVersions merges two versions of a memory. It first removes private text and secrets
// from all of them, so that no version brings back what another one lost. It returns an
// error if ours or theirs is not a memory, and ignores a base that is not one.
func (w *Writer) MergeVersions(v git.Texts) (git.Result, error) {
	ours, err := w.version("ours", v.Ours)
	if err != nil {
		return git.Result{}, err
	}
	theirs, err := w.version("theirs", v.Theirs)
	if err != nil {
		return git.Result{}, err
	}
	base, err := schemas.DecodeExact(v.Base)
	if err == nil {
		w.redact(base)
	}
	return git.Merge(base, ours, theirs), nil
}

func (w *Writer) version(side string, data []byte) (*schemas.Memory, error) {
	doc, err := schemas.DecodeExact(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not a memory: %w", side, err)
	}
	w.withheld(side+": ", w.redact(doc))
	return doc, nil
}

// RecordConflict writes the file that says what is in conflict in a memory, given by
// its path below the root. It writes nothing if the memory's folder does not exist, as in
// a bare repository.
func (w *Writer) RecordConflict(ctx context.Context, at string, conflicts []git.Conflict) error {
	folder, err := w.Root.OpenFolder(path.Dir(at))
	if folder == nil || err != nil {
		return err
	}
	defer folder.Close()
	lock, err := w.Root.LockExclusive(ctx, files.WriteLock, lockTimeout)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := w.Root.RemoveTemps(); err != nil {
		return err
	}
	return writeRecord(folder, at, conflicts)
}

// writeRecord replaces the record of a memory. Without conflicts it removes it.
func writeRecord(folder *files.Folder, at string, conflicts []git.Conflict) error {
	name := recordName(at)
	if len(conflicts) == 0 {
		return folder.RemoveIfThere(name)
	}
	data, err := git.Record{Memory: at, Conflicts: conflicts}.Encode()
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
)

// Resolved is the answer of Resolve.
type Resolved struct {
	Status    string         `json:"status"` // resolved or conflict
	Target    string         `json:"target"`
	Merged    bool           `json:"merged"` // the file had git's conflict markers
	Fields    []string       `json:"fields"` // that a choice decided
	Conflicts []git.Conflict `json:"conflicts"`
	Notices   []string       `json:"notices,omitempty"`
	Privacy   *Withheld      `json:"privacy,omitempty"`
}

// Resolve ends the conflict of a memory. If git left markers in the file, Resolve merges
// the versions that stages returns or, if there are none, those between the markers. It
// takes the choice for the named fields, or for all if none is named. What is left
// undecided stays in ID.conflict.
func (w *Writer) Resolve(
	ctx context.Context, target string, choice Choice, fields []string, stages func(path string) (git.Texts, bool),
) (Resolved, error) {
	done := Resolved{Fields: []string{}, Conflicts: []git.Conflict{}}
	err := w.lockedMemory(ctx, target, ResolveError, func(m *memory) ([]string, error) {
		done.Target = m.shown
		doc, conflicts, err := w.inConflict(m, &done, stages)
		if err != nil {
			return nil, err
		}
		left, err := choose(doc, conflicts, choice, fields, &done)
		if err != nil {
			return nil, err
		}
		done.Conflicts = append(done.Conflicts, left...)
		return w.writeResolved(m, doc, &done)
	})
	return done, err
}

// inConflict returns the memory, merged if need be, and its open conflicts.
func (w *Writer) inConflict(
	m *memory, done *Resolved, stages func(string) (git.Texts, bool),
) (*schemas.Memory, []git.Conflict, error) {
	if schemas.ConflictLine(m.data) > 0 {
		versions, found := stages(m.path())
		if !found {
			versions = git.Sides(m.data)
		}
		result, err := w.MergeVersions(versions)
		if err != nil {
			return nil, nil, unreadable(m.place, err)
		}
		done.Merged, done.Notices = true, result.Notices
		return result.Memory, result.Conflicts, nil
	}
	data, _, err := m.folder.Read(recordName(m.path()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, refuse(ResolveError, m.shown, "it is not in conflict",
			`"memctl validate" names the memories that are`)
	}
	if err != nil {
		return nil, nil, err
	}
	record, err := git.DecodeRecord(data)
	if err != nil {
		return nil, nil, refuse(ReadError, recordName(m.path()), err.Error(),
			"remove the file if the memory is as you want it")
	}
	doc, err := m.decode()
	return doc, record.Conflicts, err
}

// choose applies a choice and returns the conflicts that it leaves.
func choose(
	doc *schemas.Memory, conflicts []git.Conflict, choice Choice, fields []string, done *Resolved,
) (left []git.Conflict, err error) {
	named := map[string]bool{}
	for _, field := range fields {
		named[field] = true
	}
	for _, c := range conflicts {
		if choice == Undecided || len(fields) > 0 && !named[c.Field] {
			left = append(left, c)
			continue
		}
		delete(named, c.Field)
		if choice == TakeTheirs {
			if err := c.TakeTheirs(doc); err != nil {
				return nil, err
			}
		}
		done.Fields = append(done.Fields, c.Field)
	}
	for field := range named {
		return nil, &Error{Code: ResolveError, Problems: []Problem{{
			Field: field, Reason: "it is not in conflict", Fix: "name one of " +
				text.Printable(git.Fields(conflicts)),
		}}}
	}
	return left, nil
}

// writeResolved writes the memory if it changed, and what is still in conflict.
func (w *Writer) writeResolved(m *memory, doc *schemas.Memory, done *Resolved) ([]string, error) {
	done.Status = "resolved"
	if len(done.Conflicts) > 0 {
		done.Status = "conflict"
	}
	done.Privacy = w.withheld(m.path()+": ", w.redact(doc)) // theirs came from a file
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	if found := schemas.Validate(data); len(found) > 0 && !done.Merged {
		return nil, invalid(found)
	}
	if string(data) == string(m.data) {
		return nil, writeRecord(m.folder, m.path(), done.Conflicts)
	}
	m.rewrote(data)
	if err := m.folder.Replace(m.file(), data); err != nil {
		return nil, err
	}
	return []string{m.path()}, writeRecord(m.folder, m.path(), done.Conflicts)
}
