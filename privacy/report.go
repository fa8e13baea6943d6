package privacy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Report says what was taken out of a text, and nothing of what it was. Lengths
// are in code points.
type Report struct {
	HasPrivateSections bool           `json:"hasPrivateSections"`
	PrivateCount       int            `json:"privateCount"`
	Secrets            map[string]int `json:"secrets,omitempty"` // by kind
	OriginalLength     int            `json:"originalLength"`
	FilteredLength     int            `json:"filteredLength"`
	Warnings           []string       `json:"warnings,omitempty"` // each once
}

// Found tells whether anything was taken out.
func (r Report) Found() bool { return r.PrivateCount > 0 || len(r.Secrets) > 0 }

// SecretCount is how many secrets were taken out.
func (r Report) SecretCount() int {
	n := 0
	for _, count := range r.Secrets {
		n += count
	}
	return n
}

// Add sums up reports.
func (r *Report) Add(other Report) {
	r.HasPrivateSections = r.HasPrivateSections || other.HasPrivateSections
	r.PrivateCount += other.PrivateCount
	for kind, n := range other.Secrets {
		r.secret(kind, n)
	}
	r.OriginalLength += other.OriginalLength
	r.FilteredLength += other.FilteredLength
	for _, warning := range other.Warnings {
		r.warn(warning)
	}
}

// String says what was taken out: "2 private sections, 3 secrets (1 jwt, 2
// password)"; "" for nothing.
func (r Report) String() string {
	var parts []string
	if r.PrivateCount > 0 {
		parts = append(parts, count(r.PrivateCount, "private section"))
	}
	if n := r.SecretCount(); n > 0 {
		parts = append(parts, count(n, "secret")+" ("+r.kinds()+")")
	}
	return strings.Join(parts, ", ")
}

// Told are the sentences for the user about what was taken out; Warnings are those
// about what was not.
func (r Report) Told() []string {
	var told []string
	if r.PrivateCount > 0 {
		told = append(told, count(r.PrivateCount, "private section")+" excluded from memory")
	}
	if n := r.SecretCount(); n > 0 {
		told = append(told, count(n, "secret")+" redacted: "+r.kinds())
	}
	return told
}

func (r Report) kinds() string {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(r.Secrets)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", r.Secrets[kind], kind))
	}
	return strings.Join(kinds, ", ")
}

func (r *Report) private() {
	r.HasPrivateSections = true
	r.PrivateCount++
}

func (r *Report) secret(kind string, n int) {
	if r.Secrets == nil {
		r.Secrets = map[string]int{}
	}
	r.Secrets[kind] += n
}

func (r *Report) warn(warning string) {
	if !slices.Contains(r.Warnings, warning) {
		r.Warnings = append(r.Warnings, warning)
	}
}

func (r Report) of(filtered string) Report {
	r.FilteredLength = utf8.RuneCountInString(filtered)
	return r
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
