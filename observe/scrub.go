package observe

import (
	"bytes"
	"encoding/json"

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
	o, _, torn, err := schemas.DecodeObservation(bytes.TrimSpace(line))
	if err != nil || torn {
		kept, r := hide.Lines(string(line))
		return []byte(kept), r
	}
	f := &filter{Filter: hide}
	p := &o.Payload
	p.ToolInput = f.stored(p.ToolInput)
	for _, s := range []*string{&p.ToolOutput, &p.ErrorMessage, &p.Metadata.ToolUseID, &p.Metadata.PromptID, &p.Metadata.AgentID} {
		var r privacy.Report
		*s, r = f.Text(*s)
		f.add(r)
	}
	if !f.report.Found() { // the metadata repeats the input
		return line, f.report
	}
	for _, s := range []*string{&p.Metadata.FilePath, &p.Metadata.Command, &p.Metadata.Pattern, &p.Metadata.URL} {
		*s, _ = f.Text(*s)
	}
	p.Metadata.Privacy = withReport(p.Metadata.Privacy, f.report)
	return schemas.EncodeObservation(o), f.report
}

// stored filters a stored input, which has been cut already.
func (f *filter) stored(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	v, fields := f.Value("", decodeAny(raw))
	f.add(privacy.Sum(fields))
	return encode(v)
}

// withReport adds to the report stored with an observation.
func withReport(stored json.RawMessage, found privacy.Report) json.RawMessage {
	var r privacy.Report
	_ = json.Unmarshal(stored, &r) // stays empty if there is none
	r.Add(found)
	data, _ := json.Marshal(r) // of numbers and strings: cannot fail
	return data
}
