package writer

import (
	"fmt"
	"slices"

	"memctl/privacy"
	"memctl/schemas"
)

// Withheld is what a change removed before writing: numbers and kinds only.
type Withheld struct {
	privacy.Report
	Message string `json:"message"`
}

// Filter returns the privacy filter that all text passes before it reaches the disk.
func (w *Writer) Filter() *privacy.Filter {
	if w.filter == nil {
		w.filter = w.Config.Privacy.Filter()
	}
	return w.filter
}

// redact is schemas.Memory.RedactValid with the writer's filter.
func (w *Writer) redact(doc *schemas.Memory) []privacy.Field { return doc.RedactValid(w.Filter()) }

// withheld reports what was removed, with prefix before the names of fields, and
// returns it for the answer; nil if nothing was.
func (w *Writer) withheld(prefix string, fields []privacy.Field) *Withheld {
	w.warnOfFields(prefix, fields)
	sum := privacy.Sum(fields)
	if !sum.Found() {
		return nil
	}
	for _, sentence := range sum.Sentences() {
		w.notify(Removed, "", "%s", sentence)
	}
	return &Withheld{sum, sum.String()}
}

func (w *Writer) warnOfFields(prefix string, fields []privacy.Field) {
	for _, field := range fields {
		for _, warning := range field.Report.Warnings {
			w.warnOf(prefix+field.Path, "%s", warning)
		}
		if field.Emptied {
			w.warnOf(prefix+field.Path, "nothing of it is left")
		}
	}
}

// checkTitle refuses a memory whose whole title was removed.
func checkTitle(doc *schemas.Memory, fields []privacy.Field) error {
	if !slices.ContainsFunc(fields, func(f privacy.Field) bool { return f.Path == "title" && f.Emptied }) {
		return nil
	}
	return &Error{Code: ValidationError, Problems: []Problem{{
		Field: "title", Rule: "private", Expected: "words that may be stored",
		Got: fmt.Sprintf("nothing but %q", doc.Title),
		Fix: "give a title without what is private or secret",
	}}}
}
