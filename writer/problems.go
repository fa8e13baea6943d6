package writer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"memctl/schemas"
)

// Problem is one thing that is wrong with the text of a memory.
type Problem struct {
	Line    int    // from 1; 0 if the message names the place
	Field   string // dotted; "" for the text as a whole
	Message string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Message
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Message)
}

// Problems returns what a refusal finds wrong with a text, by line. It returns nil for
// a refusal of another kind, such as an OCCConflict.
func Problems(err error, text []byte) []Problem {
	var refused *Error
	if !errors.As(err, &refused) {
		return nil
	}
	switch refused.Code {
	case InputError, LimitError:
		return []Problem{{Message: reasonOf(refused)}}
	case ValidationError, MergeError:
	default:
		return nil
	}
	var found []Problem
	for i, d := range refused.Details {
		if d.Key == "field" {
			found = append(found, problemAt(d.Value, refused.Details[i+1:], text))
		}
	}
	slices.SortStableFunc(found, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return found
}

// problemAt describes the violation of a field, whose details come up to the next field.
func problemAt(field string, details []Detail, text []byte) Problem {
	says := map[string]string{}
	for _, d := range details {
		if d.Key == "field" {
			break
		}
		says[d.Key] = d.Value
	}
	message := field + ": expected " + says["expected"] + ", got " + says["got"]
	if says["expected"] == "" {
		message = field + ": " + says["rule"] + "; " + says["fix"]
	}
	return Problem{schemas.LineOf(text, field), field, message}
}
