package privacy

import (
	"cmp"
	"slices"
	"strings"
)

// span is a secret's place in a text.
type span struct {
	start, end int
	kind       string
}

// Kinds of secrets that are told by the name beside them; shapes.go has the rest.
const (
	kindPassword = "password"
	kindSecret   = "secret"
	kindAPIKey   = "api_key"
	kindToken    = "token"
	kindBearer   = "bearer_token"
	kindBasic    = "basic_auth"
	kindURL      = "url_credentials"
	kindCookie   = "cookie"
	kindPEM      = "private_key"
	kindPattern  = "pattern" // the user's own
)

// withoutSecrets puts RedactedMarker in the place of every secret, in code too.
func (f *Filter) withoutSecrets(s string, r *Report) string {
	spans := f.secrets(s)
	if len(spans) == 0 {
		return s
	}
	var kept strings.Builder
	at := 0
	for _, found := range merged(spans) {
		kept.WriteString(s[at:found.start])
		kept.WriteString(f.hidden(s[found.start:found.end], RedactedMarker))
		at = found.end
		r.secret(found.kind, 1)
	}
	kept.WriteString(s[at:])
	return kept.String()
}

// secrets finds secrets in every way there is. What is told by its own shape comes
// first: where ways agree, it names the kind.
func (f *Filter) secrets(s string) []span {
	spans := append(keyBlocks(s), puttyKeys(s)...)
	spans = append(spans, shaped(s)...)
	spans = append(spans, urlCredentials(s)...)
	spans = append(spans, sourceNames(s)...)
	spans = append(spans, cookies(s)...)
	spans = append(spans, piped(s)...)
	spans = append(spans, passfile(s)...)
	spans = append(spans, named(s)...)
	return append(spans, f.excluded(s)...)
}

// merged sorts spans and makes one of those that overlap.
func merged(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	all := spans[:1]
	for _, next := range spans[1:] {
		last := &all[len(all)-1]
		if next.start >= last.end {
			all = append(all, next)
			continue
		}
		last.end = max(last.end, next.end)
	}
	return all
}

// excluded finds what the user's own patterns match. Markers stay, alone; with
// other text around them they go, so that each pass leaves less.
func (f *Filter) excluded(s string) []span {
	var spans []span
	for _, pattern := range f.patterns {
		for _, at := range pattern.FindAllStringIndex(s, -1) {
			found := span{at[0], at[1], kindPattern}
			if found.start < found.end && !found.withinMarker(s) {
				spans = append(spans, found.aroundMarkers(s))
			}
		}
	}
	return spans
}

// withinMarker tells whether a span covers nothing but (parts of) one marker.
func (p span) withinMarker(s string) bool {
	return markerAround(s, p.start, p.end) != span{}
}

// aroundMarkers widens a span to the markers that it cuts through.
func (p span) aroundMarkers(s string) span {
	if m := markerAround(s, p.start, p.start+1); m != (span{}) {
		p.start = m.start
	}
	if m := markerAround(s, p.end-1, p.end); m != (span{}) {
		p.end = m.end
	}
	return p
}

// markerAround returns the marker that covers a stretch.
func markerAround(s string, start, end int) span {
	for _, marker := range []string{RedactedMarker, PrivateMarker} {
		for at := max(0, end-len(marker)); at <= start; at++ {
			if strings.HasPrefix(s[at:], marker) {
				return span{start: at, end: at + len(marker)}
			}
		}
	}
	return span{}
}
