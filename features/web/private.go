package web

import (
	"cmp"
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

// privatePage says how much is private, and never what.
type privatePage struct {
	Locked     []lockedMemory // the ones with most first
	More       int            // that are not shown
	Sections   int            // in all of them
	Secrets    int
	Rules      []privateRule
	Redactions []retrieve.Redaction // of observations
}

// lockedMemory is a memory from which something was removed before it reached the disk.
type lockedMemory struct {
	memoryLink
	Sections, Secrets int
}

// privateRule is a setting that says what is private.
type privateRule struct {
	schemas.Setting
	Value string // with its entries, of a list
	IsOwn bool   // it is only in the person's own settings
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
		config, isOwn := v.config, strings.HasSuffix(setting.Key, ".exclude")
		if isOwn {
			config = own
		}
		p.Rules = append(p.Rules, privateRule{setting, strings.ReplaceAll(plainValue(setting.In(config).Value), "\n", ", "), isOwn})
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
			data, err := at.ReadFile(path)
			if err != nil || !withheld(string(data)) {
				continue
			}
			if m, err := schemas.Decode(data); err == nil {
				p.add(at, path, m, string(data))
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	slices.SortStableFunc(p.Locked, func(a, b lockedMemory) int {
		return cmp.Compare(b.Sections+b.Secrets, a.Sections+a.Secrets)
	})
	p.More = max(len(p.Locked)-shownLocked, 0)
	p.Locked = p.Locked[:len(p.Locked)-p.More]
	return nil
}

// add counts what was removed from a memory, in its history only if it says nothing of it now.
func (p *privatePage) add(at place, path string, m schemas.Memory, file string) {
	text := m.Title + "\n" + m.Text()
	if !withheld(text) {
		text = file
	}
	one := lockedMemory{memoryLink{m.Title, at.address(path)}, strings.Count(text, privacy.PrivateMarker),
		strings.Count(text, privacy.RedactedMarker)}
	p.Sections, p.Secrets = p.Sections+one.Sections, p.Secrets+one.Secrets
	p.Locked = append(p.Locked, one)
}
