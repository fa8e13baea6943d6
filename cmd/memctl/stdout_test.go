package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"memctl/cmd/command"
	"memctl/cmd/console"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// If the answer cannot be written, every command fails.
func TestAnswerThatCannotBeWrittenIsAFailure(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	p.put("decisions/broken.json", "")
	for _, args := range []string{"list", "list --json", "search kafka", "show kafka", "doctor --memories", "validate", "reindex", "config", "--help", "help list", "init"} {
		t.Run(args, func(t *testing.T) {
			var errOut bytes.Buffer
			line := append([]string{"memctl", "--root", p.dir}, strings.Fields(args)...)
			code := run(line, command.Streams{In: strings.NewReader(""), Out: fullDisk{}, Err: &errOut}.With(features()))
			if code != console.ExitFailed || !strings.Contains(errOut.String(), "memctl: error: the disk is full") {
				t.Errorf("exit status %d, stderr %q", code, errOut.String())
			}
		})
	}
}
