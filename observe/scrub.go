package observe

import (
	"bytes"
	"encoding/json"
	"slices"

	"memctl/privacy"
	"memctl/schemas"
)

// Scrub filters the existing lines of a session's file and reports what it removed.
// Lines that are no observations are filtered as text.
func Scrub(data []byte, hide *privacy.Filter) ([]byte, privacy.Report) {
	var scrubbed bytes.Buffer
	var sum privacy.Report
	for line := range bytes.Lines(data) {
		kept, r := scrubLine(line, hide)
		scrubbed.Write(kept)
		if r.Found() {
			sum.Add(r)
		}
	}
	return scrubbed.Bytes(), sum
}

func scrubLine(line []byte, hide *privacy.Filter) ([]byte, privacy.Report) {
	_, _, torn, err := schemas.DecodeObservation(bytes.TrimSpace(line))
	if err != nil || torn {
		kept, r := hide.Lines(string(line))
		return []byte(kept), r
	}
	v, fields := hide.Value(decodeAny(line), exempt)
	found := privacy.Sum(slices.DeleteFunc(slices.Clone(fields), repeated))
	if !found.Found() {
		found = privacy.Sum(fields)
	}
	if !found.Found() {
		return line, found
	}
	var o schemas.Observation
	_ = json.Unmarshal(encode(v), &o) // the same as before but for its strings and keys
	o.Payload.Metadata.Privacy = withReport(o.Payload.Metadata.Privacy, found)
	return schemas.EncodeObservation(o), found
}

// exempt reports whether a string of an observation stays as it is: its type, an id or a
// time in its proper form. All other strings are filtered.
func exempt(path, s string) bool {
	switch path {
	case "event_type":
		return s == schemas.ToolObservation
	case "event_id", "session_id", "payload.metadata.toolUseId", "payload.metadata.promptId", "payload.metadata.agentId":
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
func withReport(stored json.RawMessage, found privacy.Report) json.RawMessage {
	var r privacy.Report
	_ = json.Unmarshal(stored, &r) // stays empty if there is none
	r.Add(found)
	data, _ := json.Marshal(r) // of numbers and strings: cannot fail
	return data
}
