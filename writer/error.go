package writer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

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
	ProposalError         Code = "PROPOSAL_ERROR"
)

// Detail is one line of an Error.
type Detail struct{ Key, Value string }

// Error is a change that was refused. Nothing was written.
type Error struct {
	Code     Code
	Target   string    // the memory, as the caller named it
	Path     string    // of the file that is the cause, if that is no memory
	Problems []Problem // at least one
}

// Problem is one thing that stands in the way of a change.
type Problem struct {
	Line     int    // of the field in the text, from 1; 0 if it is not known
	Field    string // dotted; "" for the memory as a whole
	Rule     string
	Expected string
	Got      string
	Facts    []Detail // what else there is to know
	Reason   string
	Fix      string
}

// refuse returns the error for a change of a target.
func refuse(code Code, target, reason, fix string) *Error {
	return &Error{Code: code, Target: target, Problems: []Problem{{Reason: reason, Fix: fix}}}
}

// Error returns the code on the first line, then "key: value" lines.
func (e *Error) Error() string { return e.Words(func(Detail) bool { return true }) }

// Words is Error with those details only that show accepts.
func (e *Error) Words(show func(Detail) bool) string {
	words := string(e.Code)
	for _, d := range e.Details() {
		if show(d) {
			words += "\n" + d.Key + ": " + text.Printable(d.Value)
		}
	}
	return words
}

// Details returns what the error says, line by line.
func (e *Error) Details() (list []Detail) {
	add := func(key, value string) {
		if value != "" {
			list = append(list, Detail{key, value})
		}
	}
	add("target", e.Target)
	add("path", e.Path)
	for _, p := range e.Problems {
		add("field", p.Field)
		add("rule", p.Rule)
		add("expected", p.Expected)
		add("got", p.Got)
		list = append(list, p.Facts...)
		add("error", p.Reason)
		add("fix", p.Fix)
	}
	return list
}

// Reason returns the reason of a refusal in one line.
func Reason(err error) string {
	if e := new(Error); errors.As(err, &e) && e.Problems[0].Reason != "" {
		return e.Problems[0].Reason
	}
	return err.Error()
}

// Problems returns what a refusal finds wrong with a text, by line. It returns nil for
// a refusal of another kind, such as an OCCConflict.
func Problems(err error, text []byte) []Problem {
	e := new(Error)
	if !errors.As(err, &e) || !slices.Contains([]Code{InputError, LimitError, ValidationError, MergeError}, e.Code) {
		return nil
	}
	problems := slices.Clone(e.Problems)
	for i := range problems {
		if problems[i].Field != "" {
			problems[i].Line = schemas.LineOf(text, problems[i].Field)
		}
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return problems
}

func (p Problem) String() string {
	words := p.Message()
	if p.Field != "" {
		words = p.Field + ": " + words
	}
	if p.Line > 0 {
		words = fmt.Sprintf("line %d: %s", p.Line, words)
	}
	return words
}

// Message is the problem without its place.
func (p Problem) Message() string {
	switch {
	case p.Reason != "":
		return p.Reason
	case p.Expected != "":
		return "expected " + p.Expected + ", got " + p.Got
	}
	return p.Rule + "; " + p.Fix
}

// invalid lists the violations of a memory, field by field. It is nil if there
// are none.
func invalid(violations []schemas.Violation) error {
	if len(violations) == 0 {
		return nil
	}
	e := &Error{Code: ValidationError}
	for _, v := range violations {
		e.Problems = append(e.Problems, Problem{
			Field: cmp.Or(v.Field, "document"), Rule: v.Rule, Expected: v.Expected, Got: v.Got, Fix: fixFor(v),
		})
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

// Kind is the kind of a Notice, and the mark before it where agents read it.
type Kind string

const (
	AutoFixed Kind = "[AUTO-FIX]" // something of the draft was fixed
	Warned    Kind = "[WARN]"     // it is allowed, but may be a mistake
	Removed   Kind = "[PRIVACY]"  // private text or a secret was removed
	Resembles Kind = "[SIMILAR]"  // another memory is similar, and both are kept
	Waits     Kind = "[PROPOSED]" // nothing was saved: the change waits for a person
	Unchecked Kind = "WARNING:"   // the change may overwrite another one
)

// Notice is a message of a writer about a change, also if that is refused in the end.
type Notice struct {
	Kind    Kind
	Field   string // dotted; "" for the change as a whole
	Message string
}

// String is the notice in one line, with its mark.
func (n Notice) String() string { return string(n.Kind) + " " + n.Text() }

// Text is the notice in one line, as a person reads it.
func (n Notice) Text() string {
	if n.Field == "" {
		return text.Printable(n.Message)
	}
	return text.Printable(n.Field + ": " + n.Message)
}

func (w *Writer) notify(kind Kind, field, format string, args ...any) {
	if w.Notify != nil {
		w.Notify(Notice{kind, field, fmt.Sprintf(format, args...)})
	}
}

// fixed reports what was fixed in a field of the draft.
func (w *Writer) fixed(field, format string, args ...any) {
	w.notify(AutoFixed, field, format, args...)
}

// warn reports what is allowed but may be a mistake.
func (w *Writer) warn(format string, args ...any) { w.notify(Warned, "", format, args...) }

// warnOf is warn for a field.
func (w *Writer) warnOf(field, format string, args ...any) { w.notify(Warned, field, format, args...) }
