package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// Scrub filters the existing lines of a session's file and reports the removed text.
// Lines that are not observations are filtered as text. Of a key that stands twice in an
// object, readers see the last value. Scrub removes the other values and warns of it.
func Scrub(data []byte, hide *privacy.Filter) ([]byte, privacy.Report) {
	var scrubbed bytes.Buffer
	var sum privacy.Report
	number, twice, first := 0, 0, 0 // of lines; twice counts those with repeated keys
	for line := range bytes.Lines(data) {
		number++
		scrubbedLine, r, repeats := scrubLine(line, hide)
		scrubbed.Write(scrubbedLine)
		if r.Found() {
			sum.Add(r)
		}
		if repeats {
			if twice++; twice == 1 {
				first = number
			}
		}
	}
	if twice > 0 {
		warning := fmt.Sprintf("a key occurs twice in %s, first in line %d; only its last value stays",
			text.Plural(twice, "line", "lines"), first)
		sum.Warnings = append(sum.Warnings, warning)
	}
	return scrubbed.Bytes(), sum
}

func scrubLine(line []byte, hide *privacy.Filter) (result []byte, report privacy.Report, repeats bool) {
	_, _, torn, err := schemas.DecodeObservation(bytes.TrimSpace(line))
	if err != nil || torn {
		rest, r := hide.Lines(string(line))
		return []byte(rest), r, false
	}
	v, fields := hide.Value(decodeAny(line), exempt)
	report = privacy.Sum(slices.DeleteFunc(slices.Clone(fields), repeated))
	if !report.Found() {
		report = privacy.Sum(fields)
	}
	repeats = schemas.RepeatsKeys(line)
	if !report.Found() && !repeats {
		return line, report, false
	}
	var o schemas.Observation
	_ = json.Unmarshal(encode(v), &o) // the same as before but for its strings and keys
	if report.Found() {
		o.Payload.Metadata.Privacy = withReport(o.Payload.Metadata.Privacy, report)
	}
	return schemas.EncodeObservation(o), report, repeats
}

// exempt reports whether a string of an observation stays as it is: its type, an id or a
// time in its proper form. All other strings are filtered.
func exempt(path, s string) bool {
	switch path {
	case "event_type":
		return s == schemas.ToolObservation
	case "event_id", "session_id",
		"payload.metadata.toolUseId", "payload.metadata.promptId", "payload.metadata.agentId":
		return isUUID(s)
	case "timestamp":
		_, ok := schemas.ParseTime(s)
		return ok
	}
	return false
}

// repeated reports whether a field repeats a part of the input.
func repeated(f privacy.Field) bool {
	switch f.Path {
	case "payload.metadata.filePath", "payload.metadata.command", "payload.metadata.pattern", "payload.metadata.url":
		return true
	}
	return false
}

// withReport adds to the report stored with an observation.
func withReport(stored json.RawMessage, added privacy.Report) json.RawMessage {
	var r privacy.Report
	_ = json.Unmarshal(stored, &r) // stays empty if there is none
	r.Add(added)
	data, _ := json.Marshal(r) // of numbers and strings: cannot fail
	return data
}
