package clients

import (
	"io"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/triage"
)

// Score scores the end of a transcript of any client.
func Score(transcript io.ReaderAt, size int64, cfg schemas.Config) (triage.Report, error) {
	client := OfTranscript(io.NewSectionReader(transcript, 0, size))
	source := triage.Source{In: transcript, Size: size, Messages: client.Messages}
	t, err := triage.Read(source, triage.Window{Messages: cfg.Triage.MaxMessages}, privacy.New(privacy.Options(cfg.Privacy)))
	if err != nil {
		return triage.Report{}, err
	}
	return t.Report(cfg), nil
}
