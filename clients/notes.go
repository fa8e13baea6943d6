package clients

import (
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"memctl/gate"
	"memctl/memdir"
)

// maxNoteEntries is how many entries of a folder of notes are looked at.
const maxNoteEntries = 4096

// ListNotes lists what a folder has under the name of a note of Claude Code, as far as it is
// listed. MEMORY.md is the index of the notes, which the client loads.
func ListNotes(dir *os.Root) ([]fs.FileInfo, error) {
	handle, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer handle.Close()
	list, err := handle.Readdir(maxNoteEntries) // it follows no links
	if err == io.EOF {
		err = nil
	}
	return slices.DeleteFunc(list, func(f fs.FileInfo) bool {
		return !strings.HasSuffix(f.Name(), memdir.NoteExt) || f.Name() == "MEMORY.md"
	}), err
}

// CountNotes returns how many notes Claude Code keeps on a project, as far as they are listed, those
// that cannot be read too.
func CountNotes(project string) int {
	dir, err := gate.Enter(ProjectNotes(project))
	if err != nil {
		return 0
	}
	defer dir.Close()
	notes, _ := ListNotes(dir) // as many as could be listed
	return len(notes)
}
