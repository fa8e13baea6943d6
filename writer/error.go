package writer

import (
	"cmp"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Code says what kind of refusal an Error is.
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
	ScrubError            Code = "SCRUB_ERROR"
	ReadError             Code = "READ_ERROR"
	InputError            Code = "INPUT_ERROR"
	SecurityError         Code = "SECURITY_ERROR"
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

func failed(code Code, details ...Detail) *Error { return &Error{code, details} }

// Error is the code on a line of its own, then "key: value" lines.
func (e *Error) Error() string {
	lines := []string{string(e.Code)}
	for _, d := range e.Details {
		lines = append(lines, d.Key+": "+text.Printable(d.Value))
	}
	return strings.Join(lines, "\n")
}

// invalid lists what is wrong with a document, field by field.
func invalid(found []schemas.Violation) *Error {
	e := failed(ValidationError)
	for _, v := range found {
		e.Details = append(e.Details,
			Detail{"field", cmp.Or(v.Field, "document")},
			Detail{"rule", v.Rule},
			Detail{"expected", v.Expected},
			Detail{"got", v.Got},
			Detail{"fix", fixFor(v)})
	}
	return e
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

// broken refuses to merge, in the words of one rule.
func broken(field, rule string, details ...Detail) *Error {
	return failed(MergeError, append([]Detail{{"field", field}, {"rule", rule}}, details...)...)
}
