package writer

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Code is the kind of a refusal.
type Code string

// The codes that agents branch on.
const (
	ValidationError       Code = "VALIDATION_ERROR"
	MergeError            Code = "MERGE_ERROR"
	OCCConflict           Code = "OCC_CONFLICT"
	PathError             Code = "PATH_ERROR"
	AntiResurrectionError Code = "ANTI_RESURRECTION_ERROR"
	CreateError           Code = "CREATE_ERROR"
	UpdateError           Code = "UPDATE_ERROR"
	RetireError           Code = "RETIRE_ERROR"
	ArchiveError          Code = "ARCHIVE_ERROR"
	UnarchiveError        Code = "UNARCHIVE_ERROR"
	RestoreError          Code = "RESTORE_ERROR"
	MoveError             Code = "MOVE_ERROR"
	ResolveError          Code = "RESOLVE_ERROR"
	ScrubError            Code = "SCRUB_ERROR"
	ReadError             Code = "READ_ERROR"
	InputError            Code = "INPUT_ERROR"
	LockTimeout           Code = "LOCK_TIMEOUT"
	LimitError            Code = "LIMIT_ERROR"
	ConfigError           Code = "CONFIG_ERROR"
	StageError            Code = "STAGE_ERROR"
)

// Detail is one line of an Error.
type Detail struct{ Key, Value string }

// Error is a change that was refused. Nothing was written.
type Error struct {
	Code    Code
	Details []Detail
}

// failed takes the details as pairs of key and value.
func failed(code Code, details ...string) *Error {
	e := &Error{Code: code}
	for pair := range slices.Chunk(details, 2) {
		e.Details = append(e.Details, Detail{pair[0], pair[1]})
	}
	return e
}

// Error returns the code on the first line, then "key: value" lines.
func (e *Error) Error() string {
	lines := []string{string(e.Code)}
	for _, d := range e.Details {
		lines = append(lines, d.Key+": "+text.Printable(d.Value))
	}
	return strings.Join(lines, "\n")
}

// reasonOf returns the reason of a refusal in one line.
func reasonOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		for _, d := range e.Details {
			if d.Key == "error" {
				return d.Value
			}
		}
	}
	return err.Error()
}

// invalid lists the violations of a document, field by field. It is nil if there
// are none.
func invalid(found []schemas.Violation) error {
	if len(found) == 0 {
		return nil
	}
	var details []string
	for _, v := range found {
		field := cmp.Or(v.Field, "document")
		details = append(details, "field", field, "rule", v.Rule, "expected", v.Expected, "got", v.Got, "fix", fixFor(v))
	}
	return failed(ValidationError, details...)
}

func fixFor(v schemas.Violation) string {
	switch v.Rule {
	case "required":
		return "add " + v.Field + ": " + v.Expected
	case "additionalProperties":
		return "remove " + v.Field + ", or use " + v.Expected
	}
	return "give " + cmp.Or(v.Field, "the document") + " " + v.Expected
}
