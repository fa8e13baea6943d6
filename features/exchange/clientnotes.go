package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// Bounds of the notes that are a source. Claude Code asks its agent for short ones.
const (
	maxNotes    = 200
	maxNoteSize = 32 << 10 // bytes
	notesTime   = time.Second
	noteForm    = 2 // raised when the same note gives another memory
)

// Notes returns the root of what Claude Code's notes on a project say: a memory for each file,
// as an import makes it. If the size or the time of a note has changed, they are read again.
// The root has no Path if there are none. If they are not wanted, or the client's own memory is
// off, or if they may be another project's, what was made of them goes. The notes themselves are never written.
func Notes(project string, wanted bool, cfg schemas.Config) (files.Root, error) {
	folder := clients.ProjectNotes(project)
	dir, err := gate.Place{Folder: folder, Owner: gate.User}.Enter(folder)
	if errors.Is(err, syscall.EIO) {
		return files.Root{}, err
	}
	if err != nil {
		return files.Root{}, nil // there are none
	}
	defer dir.Close()
	if !wanted || clients.NotesAreOff(project) {
		return files.Root{}, files.RemoveNotes(folder)
	}
	notes, err := notesIn(dir)
	if err != nil {
		return files.Root{}, err
	}
	root, err := files.NotesRoot(folder, project)
	if err != nil {
		return root, err
	}
	var list bytes.Buffer
	var last time.Time
	fmt.Fprintf(&list, "%d %+v\n%q %s\n", noteForm, cfg.Privacy, project,
		text.Hash(fmt.Append(nil, clients.NotesOwners(project)), 8))
	for _, note := range notes {
		fmt.Fprintf(&list, "%q %d %d\n", note.Name(), note.Size(), note.ModTime().UnixNano())
		if note.ModTime().After(last) {
			last = note.ModTime()
		}
	}
	if root.IsMadeOf(list.Bytes(), last) {
		return root, nil
	}
	if !clients.AreNotesOf(project) {
		return files.Root{}, files.RemoveNotes(folder)
	}
	ctx, cancel := context.WithTimeout(context.Background(), notesTime)
	defer cancel()
	src := &source{dir: dir, shown: root.Shown}
	files, unread := memoriesOfNotes(ctx, src, root, cfg, notes)
	if unread != nil {
		list.WriteString("read them again\n")
	}
	return root, errors.Join(unread, root.Hold(ctx, list.Bytes(), files))
}

// notesIn lists the notes of a folder, the latest if there are too many.
func notesIn(dir *gate.Dir) ([]fs.FileInfo, error) {
	notes, err := clients.ListNotes(dir)
	notes = slices.DeleteFunc(notes, func(f fs.FileInfo) bool {
		return !f.Mode().IsRegular() || f.Size() > maxNoteSize
	})
	slices.SortFunc(notes, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	return notes[:min(len(notes), maxNotes)], err
}

// memoriesOfNotes returns the memories of a root of notes by their paths. The error names the notes that the disk did
// not give.
func memoriesOfNotes(
	ctx context.Context, src *source, root files.Root, cfg schemas.Config, notes []fs.FileInfo,
) (contents map[string][]byte, unread error) {
	contents = map[string][]byte{}
	w := store.At(root, store.Options{}).WriterWith(root, cfg)
	o := Options{fallback: schemas.Constraint}
	read := textOf(func(r *reader, f *file) {
		meta, body, _ := cutFront(f.text)
		if meta == nil {
			meta = front{}
		}
		r.topic(f, meta, body)
	})
	for _, note := range notes {
		r := &reader{Import: &Import{Format: "auto-memory", options: o, w: w}, ctx: ctx, src: src}
		read(r, note.Name())
		if r.failed != nil {
			unread = errors.Join(unread, fmt.Errorf("%s: %w", note.Name(), gate.Reason(r.failed)))
		}
		if len(r.Items) != 1 || r.Items[0].doc == nil {
			continue // it says nothing, or cannot be read
		}
		e, id := r.Items[0], strings.TrimSuffix(note.Name(), files.NoteExt)
		e.doc.Title = cmp.Or(e.doc.Title, titleFrom(strings.TrimSpace(e.raw)), id)
		r.redact(e)
		e.hash = hashOf(e.raw)
		e.doc.ID, e.doc.Changes = id, r.history(e)
		e.doc.Changes[0].Summary = "Made of the note " + e.Origin
		if e.doc.Tags = slices.DeleteFunc(e.doc.Tags, func(tag string) bool {
			return tag == imported
		}); len(e.doc.Tags) == 0 {
			e.doc.Tags = []string{schemas.Untagged}
		}
		if data, err := e.doc.Encode(); err == nil {
			info, _ := e.Category.Info()
			contents[info.Folder+"/"+id+".json"] = data
		}
	}
	return contents, unread
}
