package web

import (
	"html/template"
	"net/url"
	"time"

	"memctl/observe"
	"memctl/schemas"
)

// recordDelay is how long after a prompt was sent its hook may have recorded what it received.
const recordDelay = 30 * time.Second

// recalled is what the record has of a prompt that is explained with the memories of now.
type recalled struct {
	At      time.Time // of the prompt; zero if it is no past one
	Then    []memoryLink
	earlier map[string]time.Time // when the session was given a memory before, by ShownPath
}

// whyQuery is the query of the address that explains a prompt of a session.
func whyQuery(prompt, session string, at time.Time) template.URL {
	query := "prompt=" + url.QueryEscape(prompt)
	if session != "" && !at.IsZero() {
		query += "&session=" + url.QueryEscape(session) + "&at=" + at.UTC().Format(time.RFC3339)
	}
	return template.URL(query)
}

// recall reads what a session had been given when a prompt was sent.
func recall(session, stamp string, places []place) (r recalled) {
	at, ok := schemas.ParseTime(stamp)
	if !ok || session == "" {
		return r
	}
	r.At, r.earlier = at, map[string]time.Time{}
	for _, root := range places {
		record, _ := observe.ReadInjections(root.Root) // without it nothing is known
		for _, in := range record {
			if in.Session != observe.SessionKey(session) || in.GivenAt() == "" {
				continue
			}
			late := in.Time.Sub(at)
			isThen := in.GivenAt() == observe.AtPrompt && -time.Second <= late && late <= recordDelay
			for _, path := range in.Memories {
				if isThen {
					r.Then = append(r.Then, memoryLink{titleAt(root, path), root.address(path)})
				} else if _, known := r.earlier[root.ShownPath(path)]; !known && late < 0 {
					r.earlier[root.ShownPath(path)] = in.Time
				}
			}
		}
	}
	return r
}

// titleAt is the title of a memory, its path if it cannot be read.
func titleAt(at place, path string) string {
	if data, err := at.ReadFile(path); err == nil {
		if m, err := schemas.Decode(data); err == nil {
			return m.Title
		}
	}
	return path
}
