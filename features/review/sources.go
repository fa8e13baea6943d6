package review

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// reviewSources reports memories that were imported, and whose source is gone or says something
// else now. Of many memories of one file, only the first is named.
func (v *reviewer) reviewSources() {
	if !v.wants(Source) {
		return
	}
	list, err := v.root.Sources()
	if err != nil {
		v.note("%s: %v", files.SourcesName, err)
		return
	}
	of := map[string]*memory{}
	for _, m := range v.memories {
		of[m.path] = m
	}
	seen := map[gate.Named]bool{}
	for _, s := range list {
		m, file := of[s.Memory], s.Path()
		if m == nil || !s.InProject() {
			continue
		}
		if data, err := v.root.ReadFile(m.path); err == nil && s.Conflict && s.Made == files.MadeOf(data) {
			source, own := text.OneLine(v.saidBy(s), 300), text.OneLine(strings.TrimSpace(m.text), 300)
			v.add(m, Finding{Kind: Source, Do: Correct, Command: edit(m), source: file.String(),
				Evidence: []string{source, own},
				Parts: why("its source and it have both changed. The source says: %s The memory says: %s", source,
					own)})
		}
		if seen[file] {
			continue
		}
		seen[file] = true
		content, err := v.root.ReadSource(s)
		name := file.String()
		switch {
		case errors.Is(err, fs.ErrNotExist) && slices.Contains(m.RelatedFiles, name):
			// a file that is gone is another finding
		case errors.Is(err, fs.ErrNotExist) && v.isConfirmed(m):
		case errors.Is(err, fs.ErrNotExist):
			reason := text.Say("its source %s is gone", name)
			v.add(m, Finding{Kind: Source, Do: End, Parts: []text.Phrase{reason}, Command: retire(m, reason.String()),
				source: file.String(), Evidence: []string{name}})
		case err == nil && !s.SaysTheSame(content):
			v.add(m, Finding{Kind: Source, Parts: why("its source %s changed since it was imported", name),
				Command: "memctl import --update", source: file.String(), Evidence: []string{name}})
		}
	}
}

// isConfirmed reports whether a person confirmed an imported memory, which then needs no source.
func (v *reviewer) isConfirmed(m *memory) bool {
	data, err := v.root.ReadFile(m.path)
	if err != nil {
		return false
	}
	doc, err := schemas.Decode(data)
	return err == nil && writer.IsConfirmed(&doc)
}

// saidBy returns what a source says, without private text. Of a part of a file, that is where it stands.
func (v *reviewer) saidBy(s files.ImportRecord) string {
	if s.Text != "" { // in a line of an earlier version
		return s.Text
	}
	content, err := v.root.ReadSource(s)
	if err != nil || s.Path() != s.Origin {
		return "see " + s.Origin.String()
	}
	cfg, _, err := v.root.Config()
	if err != nil {
		return "see " + s.Origin.String()
	}
	said, _ := cfg.Privacy.Filter().Lines(string(content))
	return strings.TrimSpace(said)
}
