package files

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"memctl/schemas"
)

// NoteExt ends the names of Claude Code's notes. A memory that is made of one has its name for
// an id.
const NoteExt = ".md"

const (
	// madeOf is the file of a root of notes that says of what its memories were made.
	madeOf = "notes.txt"
	// maxMadeOf bounds it, in bytes.
	maxMadeOf = 1 << 20
)

// NotesRoot returns the root for the memories that are made of the notes in a folder. It lies
// in this user's state folder, where nobody else can read it, and deleting it loses nothing.
func NotesRoot(folder, project string) (Root, error) {
	state, err := OpenState()
	if err != nil {
		return Root{}, err
	}
	defer state.Close()
	dir, err := privateFolder(state.dir, notesName(folder))
	if err != nil {
		return Root{}, err
	}
	path := resolve(filepath.Join(state.path, notesName(folder)))
	return Root{Path: path, Shown: fromHome(folder), Project: project, Scope: NotesScope}, dir.Close()
}

// RemoveNotes removes the root that NotesRoot makes for a folder.
func RemoveNotes(folder string) error {
	return InState(func(state *Staged) error { return state.dir.RemoveAll(notesName(folder)) })
}

func notesName(folder string) string { return "notes-" + Root{Path: folder}.Key() }

// IsMadeOf reports whether the memories of a root of notes were made of what a list says, and
// so long after the last change of a note that another one would show.
func (r Root) IsMadeOf(list []byte, last time.Time) bool {
	top, err := FolderAt(r.Path)
	if err != nil {
		return false
	}
	defer top.Close()
	old, stat, err := top.ReadUpTo(madeOf, maxMadeOf)
	return err == nil && bytes.Equal(old, list) && Settled(last.UnixNano(), stat.MtimeNS)
}

// Hold makes the memories of a root of notes those that are given by their paths below it, and
// no others. If ctx ends, the next call does the rest.
func (r Root) Hold(ctx context.Context, list []byte, files map[string][]byte) error {
	lock, err := r.LockExclusive(ctx, WriteLock, time.Second)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	err = r.RemoveTemps()
	for _, info := range schemas.Categories {
		if err == nil {
			err = r.hold(ctx, info.Folder, files)
		}
	}
	if err != nil {
		return err
	}
	top, err := FolderAt(r.Path)
	if err != nil {
		return err
	}
	defer top.Close()
	return top.Replace(madeOf, list)
}

func (r Root) hold(ctx context.Context, name string, files map[string][]byte) error {
	folder, err := r.MakeFolder(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	there, err := folder.List()
	for _, file := range there {
		if _, wanted := files[name+"/"+file]; !wanted {
			err = errors.Join(err, folder.Remove(file))
		}
	}
	for path, data := range files {
		file, isHere := strings.CutPrefix(path, name+"/")
		if !isHere || err != nil {
			continue
		}
		old, _, readErr := folder.Read(file)
		switch {
		case readErr == nil && bytes.Equal(old, data):
		case readErr != nil && !errors.Is(readErr, fs.ErrNotExist):
			err = readErr
		case ctx.Err() != nil:
			err = ctx.Err()
		default:
			err = folder.Replace(file, data)
		}
	}
	return err
}
