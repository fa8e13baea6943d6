package observe

import (
	"bytes"
	"encoding/json"
	"strings"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// Finding is a reason why a memory may no longer be true, as a review found it. A finding is
// about one version of the memory's file: whoever changes the memory settles it.
type Finding struct {
	Memory files.Version `json:"memory"`
	Kind   string        `json:"kind"`           // a review.Kind
	File   string        `json:"file,omitempty"` // a related file that is gone, as the memory names it
	To     string        `json:"to,omitempty"`   // its present name, if it was renamed
	// the day since when it is gone: of the commit, or when it was first missed
	Since  string `json:"since,omitempty"`
	Reason string `json:"reason,omitempty"` // for the person, of other kinds
}

// Findings are those about the memories of a root: a line for each, the memory's path and the
// finding as JSON, parted by a tab. A file of the user's state folder keeps them, so that a hook
// runs no git. Deleting it loses nothing that the next review does not find.
type Findings []byte

const (
	findingsPrefix = "findings-"
	maxFindings    = 4 << 20 // bytes
)

// NoteFindings keeps the findings of a root in place of those before.
func NoteFindings(root files.Root, list []Finding) error {
	var lines strings.Builder
	for _, f := range list {
		line, err := schemas.EncodeJSON(f)
		if err != nil {
			return err
		}
		if strings.ContainsAny(f.Memory.Path, "\t\n") || lines.Len()+len(line) > maxFindings/2 {
			continue
		}
		lines.WriteString(f.Memory.Path + "\t" + string(line) + "\n")
	}
	return files.WriteStateFile(findingsPrefix+root.Key(), lines.String())
}

// ReadFindings returns the findings that NoteFindings stored, none if they cannot be read.
func ReadFindings(root files.Root) Findings {
	data, _ := files.ReadStateFile(findingsPrefix+root.Key(), maxFindings)
	return append([]byte("\n"), data...)
}

// Of yields the findings about a version of a memory.
func (f Findings) Of(v files.Version) (list []Finding) {
	begin := []byte("\n" + v.Path + "\t")
	for {
		_, rest, found := bytes.Cut(f, begin)
		if !found {
			return list
		}
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		var finding Finding
		if json.Unmarshal(line, &finding) == nil && finding.Memory == v {
			list = append(list, finding)
		}
		f = rest[len(line):]
	}
}

// All returns the findings about every memory.
func (f Findings) All() (list []Finding) {
	for line := range bytes.Lines(f) {
		var finding Finding
		if _, data, found := bytes.Cut(line, []byte("\t")); found && json.Unmarshal(data, &finding) == nil {
			list = append(list, finding)
		}
	}
	return list
}

// FormerNames returns the names by which memories may name files of the project: those that
// the files, or folders above them, had before they were renamed.
func (f Findings) FormerNames(files []string) (names []string) {
	if !bytes.Contains(f, []byte(`"to":`)) {
		return nil
	}
	for _, finding := range f.All() {
		to, from := text.WithoutPlace(finding.To), text.WithoutPlace(strings.TrimPrefix(finding.File, "./"))
		for _, file := range files {
			if below, inside := strings.CutPrefix(file+"/", to+"/"); to != "" && inside {
				names = append(names, strings.TrimSuffix(from+"/"+below, "/"))
			}
		}
	}
	return names
}
