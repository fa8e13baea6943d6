package web

import (
	"context"
	"slices"
	"strings"

	"memctl/files"
	"memctl/privacy"
	"memctl/retrieve"
	"memctl/schemas"
)

// shownLocked is how many memories with removed text the page lists.
const shownLocked = 50

// privatePage says how much is private, without a word of it.
type privatePage struct {
	Locked     []lockedMemory
	More       int // that are not shown
	Sections   int // in all of them
	Secrets    int
	Rules      []settingInput
	Redactions []retrieve.Redaction // of observations
}

// lockedMemory is a memory from which something was removed before it reached the disk.
type lockedMemory struct {
	memoryLink
	Sections, Secrets int
}

// privateSettings are the settings that say what is private.
var privateSettings = []string{"privacy.formats", "privacy.excludePatterns", "privacy.onUnclosed",
	"observations.enabled", "observations.excluded_tools", "sessions.exclude", "catalogue.exclude"}

// private is the part of the page of trust that reads every memory.
func (s *Server) private(v *visit) (answer, error) {
	p := privatePage{}
	if err := p.read(v.Context(), s.places()); err != nil {
		return answer{}, err
	}
	own, err := files.UserConfig()
	if err != nil {
		return answer{}, err
	}
	for _, setting := range schemas.Settings() {
		if !slices.Contains(privateSettings, setting.Key) {
			continue
		}
		config := v.config
		if strings.HasSuffix(setting.Key, ".exclude") { // only in the person's own settings
			config = own
		}
		p.Rules = append(p.Rules, inputOfSetting(setting, config))
	}
	err = s.use(v.Context(), func(source retrieve.Source) (err error) {
		p.Redactions, err = source.Redactions(v.Context())
		return err
	})
	return answer{page: "private", title: v.t("nav.trust"), data: p}, err
}

// read finds the memories with removed text.
func (p *privatePage) read(ctx context.Context, places []place) error {
	for _, at := range places {
		paths, _ := at.MemoryPaths() // doctor names a folder that cannot be read
		for _, path := range paths {
			data, _ := at.ReadFile(path) // validate says why it cannot be read
			if !withheld(string(data)) {
				continue
			}
			m, err := schemas.Decode(data)
			if err != nil {
				continue
			}
			one := lockedMemory{memoryLink: memoryLink{m.Title, at.address(path)}}
			one.Sections = strings.Count(m.Title+m.Text(), privacy.PrivateMarker)
			one.Secrets = strings.Count(m.Title+m.Text(), privacy.RedactedMarker)
			if p.Sections, p.Secrets = p.Sections+one.Sections, p.Secrets+one.Secrets; one.Sections+one.Secrets == 0 {
				continue // only its history has a lock
			}
			if len(p.Locked) < shownLocked {
				p.Locked = append(p.Locked, one)
			} else {
				p.More++
			}
		}
	}
	return ctx.Err()
}
