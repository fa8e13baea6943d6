package privacy

import (
	"cmp"
	"slices"
	"strings"
)

// finding is the place of a secret in a text.
type finding struct {
	start, end int
	kind       string
}

// Kinds of secrets besides those of rules.txt.
const (
	kindPassword = "password"
	kindAPIKey   = "api_key"
	kindBearer   = "bearer_token"
	kindBasic    = "basic_auth"
	kindURL      = "url_credentials"
	kindCookie   = "cookie"
	kindPEM      = "private_key"
	kindPattern  = "pattern" // of the user
)

// detectors find secrets, each of one sort. Where several find the same one, the
// first names the kind: a secret's own shape says more than its key name.
var detectors = [...]func(string) []finding{
	privateKeys, puttyKeys, vendorTokens, func(s string) []finding { return shapedSecrets(s, "") },
	urlCredentials, cookieValues, pipedPasswords, pgpassPasswords, namedSecrets,
}

// redactSecrets replaces every secret by RedactedMarker, in code too.
func (f *Filter) redactSecrets(s string, r *Report) string {
	findings := f.secrets(s)
	if len(findings) == 0 {
		return s
	}
	var out strings.Builder
	at := 0
	for _, secret := range merge(findings) {
		out.WriteString(s[at:secret.start])
		out.WriteString(f.replacement(s[secret.start:secret.end], RedactedMarker))
		at = secret.end
		r.addSecrets(secret.kind, 1)
	}
	out.WriteString(s[at:])
	return out.String()
}

// secrets finds the secrets of a text as it is written, as a person reads it, broken
// over lines and encoded. What it returns after the deadline is incomplete.
func (f *Filter) secrets(s string) []finding {
	findings := append(f.detect(s), f.patternMatches(s)...)
	shown := newView(s)
	if shown.text != s {
		findings = append(findings, shown.inText(append(f.detect(shown.text), f.patternMatches(shown.text)...))...)
	}
	findings = append(findings, shown.inText(brokenTokens(shown.text))...)
	return append(findings, shown.inText(f.encodedSecrets(shown.text))...)
}

// detect runs all detectors until the deadline.
func (f *Filter) detect(s string) []finding {
	var findings []finding
	for _, detect := range detectors {
		if f.late() {
			break
		}
		findings = append(findings, detect(s)...)
	}
	return findings
}

// merge sorts findings and joins those that overlap.
func merge(findings []finding) []finding {
	slices.SortStableFunc(findings, func(a, b finding) int { return cmp.Compare(a.start, b.start) })
	merged := findings[:1]
	for _, next := range findings[1:] {
		if last := &merged[len(merged)-1]; next.start < last.end {
			last.end = max(last.end, next.end)
		} else {
			merged = append(merged, next)
		}
	}
	return merged
}

// patternMatches finds the matches of the user's patterns. A marker alone stays. One
// with other text around it goes, so that every pass leaves less.
func (f *Filter) patternMatches(s string) []finding {
	var findings []finding
	for _, pattern := range f.patterns {
		for _, at := range f.matches(pattern, s) {
			start, end := at[0], at[1]
			if _, _, within := markerAround(s, start, end); within {
				continue
			}
			if markerStart, _, ok := markerAround(s, start, start+1); ok {
				start = markerStart
			}
			if _, markerEnd, ok := markerAround(s, end-1, end); ok {
				end = markerEnd
			}
			findings = append(findings, finding{start, end, kindPattern})
		}
	}
	return findings
}

// markerAround returns the marker that covers a stretch of text.
func markerAround(s string, start, end int) (markerStart, markerEnd int, ok bool) {
	for _, marker := range []string{RedactedMarker, PrivateMarker} {
		for at := max(0, end-len(marker)); at <= start; at++ {
			if strings.HasPrefix(s[at:], marker) {
				return at, at + len(marker), true
			}
		}
	}
	return 0, 0, false
}
