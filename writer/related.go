package writer

import (
	"path/filepath"
	"slices"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// placeRelated writes the related files that a memory did not have before as they are below the project, and refuses
// those outside of it, which nothing would ever match. It warns of those that are not there.
func (w *Writer) placeRelated(doc *schemas.Memory, before []string) error {
	if w.Root.Scope == files.UserScope {
		return nil // its files are no project's
	}
	for i, name := range doc.RelatedFiles {
		if slices.Contains(before, name) {
			continue
		}
		if below := w.Root.Part(name); filepath.IsAbs(name) && below != "" {
			w.fixed("related_files", "%s written as %q", name, below)
			name, doc.RelatedFiles[i] = below, below
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return &Error{Code: ValidationError, Problems: []Problem{{Field: "related_files",
				Reason: name + " is outside of this project", Fix: "name files by their paths below the project"}}}
		}
		if w.Root.Gone(name) && w.Root.Gone(text.WithoutPlace(name)) {
			w.warnOf("related_files", "%s is not a file or folder of this project, so no file recalls the memory", name)
		}
	}
	return nil
}
