package main

import (
	"fmt"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/writer"
)

// maxBroken is how many broken lines of one file are told one by one.
const maxBroken = 3

// checkObservations looks at every line that tools left. Broken ones are passed
// over by whoever reads; nobody mends them, for what they lack is gone.
func (r *validateReport) checkObservations(root memdir.Root) {
	sessions, err := root.OpenSessions()
	if err != nil {
		r.add(memdir.SessionsFolder, writer.Unreadable(err))
	}
	if sessions == nil {
		return
	}
	defer sessions.Close()
	files, strays, err := sessions.Look()
	if err != nil {
		r.add(memdir.SessionsFolder, writer.Unreadable(err))
	}
	for _, stray := range strays {
		r.add(memdir.SessionsFolder+"/"+stray.Name, writer.Unreadable(stray.Err))
	}
	for _, f := range files {
		r.Files++
		r.checkSession(sessions, f)
	}
}

func (r *validateReport) checkSession(sessions *memdir.Sessions, f memdir.SessionFile) {
	file, size, err := sessions.Open(f.Name)
	if err != nil {
		r.add(f.Path(), writer.Unreadable(err))
		return
	}
	defer file.Close()
	at, broken := 0, 0
	read, err := memdir.Lines(file, func(line []byte) error {
		at++
		if line != nil && strings.TrimSpace(string(line)) == "" {
			return nil
		}
		if _, _, torn, err := schemas.DecodeObservation(line); torn {
			if broken++; broken <= maxBroken {
				r.add(f.Path(), brokenLine(at, line, err))
			}
		}
		return nil
	})
	if err != nil {
		r.add(f.Path(), writer.Unreadable(err))
	}
	if broken > maxBroken {
		r.add(f.Path(), schemas.Violation{Rule: "line", Expected: "one observation a line", Got: fmt.Sprintf("%d more broken lines", broken-maxBroken)})
	}
	if read < size && err == nil {
		r.add(f.Path(), schemas.Violation{Rule: "line", Expected: "a line feed at the end", Got: fmt.Sprintf("half a line of %d bytes (a process died, or the disk was full); the next one begins a new line", size-read)})
	}
}

func brokenLine(at int, line []byte, err error) schemas.Violation {
	got := fmt.Sprintf("line %d: half a line before it", at)
	switch {
	case line == nil:
		got = fmt.Sprintf("line %d: more than %d bytes", at, memdir.MaxLine)
	case err != nil:
		got = fmt.Sprintf("line %d: %v", at, err)
	}
	return schemas.Violation{Rule: "line", Expected: "one observation a line", Got: got}
}
