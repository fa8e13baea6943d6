package clients

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/gate"
)

// Claude Code names the folder of a project's transcripts and notes by the project's path, with a dash for every other
// character: /x/a/b and /x/a-b share one. Only the transcripts say where their sessions ran.

// maxOwners is how many transcripts are asked whose a folder is, the first by name: names are random.
const maxOwners = 200

// NotesOwners lists the transcripts beside Claude Code's notes on a project. While it stays as it is, so does the
// answer of AreNotesOf.
func NotesOwners(project string) []string {
	dir, err := gate.Enter(ProjectTranscripts(project))
	if err != nil {
		return nil
	}
	defer dir.Close()
	handle, err := dir.Open(".")
	if err != nil {
		return nil
	}
	defer handle.Close()
	names, err := handle.Readdirnames(maxNoteEntries)
	if err != nil && err != io.EOF {
		return nil
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".jsonl") })
	slices.Sort(names)
	return names[:min(len(names), maxOwners)]
}

// AreNotesOf reports whether the notes in ProjectNotes are known to be this project's: the user chose their folder, or
// of the sessions beside them some ran in the project, and none in another one that shares the folder.
func AreNotesOf(project string) bool {
	folder := ProjectTranscripts(project)
	if ProjectNotes(project) != filepath.Join(folder, "memory") {
		return true
	}
	found := false
	for _, name := range NotesOwners(project) {
		switch ranIn(filepath.Join(folder, name), project) {
		case ownProject:
			found = true
		case otherProject:
			return false
		}
	}
	return found
}

// IsOfAnother reports whether a transcript in the folder of a project is that of another project, which shares it.
func IsOfAnother(transcript, project string) bool { return ranIn(transcript, project) == otherProject }

// place says where a session ran.
type place int

const (
	somewhere place = iota // it is not known, or does not matter
	ownProject
	otherProject // another that shares the folder
)

func ranIn(transcript, project string) place {
	head, err := Transcript{Client: Claude, Path: transcript}.Head()
	if err != nil || head.Folder == "" {
		return somewhere
	}
	ran := Resolved(head.Folder)
	if gate.Contains(Resolved(project), ran) {
		return ownProject
	}
	shared := ProjectTranscripts(project)
	for parent := filepath.Dir(ran); ran != parent; ran, parent = parent, filepath.Dir(parent) {
		if ProjectTranscripts(ran) == shared {
			return otherProject
		}
	}
	return somewhere
}
