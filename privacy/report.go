package privacy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// Report says how much was removed from a text, and never quotes it. Lengths
// are in code points.
type Report struct {
	HasPrivateSections bool           `json:"hasPrivateSections"`
	PrivateCount       int            `json:"privateCount"`
	Secrets            map[string]int `json:"secrets,omitempty"` // by kind
	OriginalLength     int            `json:"originalLength"`
	FilteredLength     int            `json:"filteredLength"`
	Warnings           []string       `json:"warnings,omitempty"` // each once
}

// Found reports whether anything was removed.
func (r Report) Found() bool { return r.PrivateCount > 0 || len(r.Secrets) > 0 }

// SecretCount is the number of secrets that were taken out.
func (r Report) SecretCount() int {
	n := 0
	for _, count := range r.Secrets {
		n += count
	}
	return n
}

// Add adds another report to this one.
func (r *Report) Add(other Report) {
	r.HasPrivateSections = r.HasPrivateSections || other.HasPrivateSections
	r.PrivateCount += other.PrivateCount
	for kind, n := range other.Secrets {
		r.addSecrets(kind, n)
	}
	r.OriginalLength += other.OriginalLength
	r.FilteredLength += other.FilteredLength
	for _, warning := range other.Warnings {
		r.warn(warning)
	}
}

// String describes the removed text, such as "2 private sections, 3 secrets (1 jwt,
// 2 password)"; "" for nothing.
func (r Report) String() string {
	var parts []string
	if r.PrivateCount > 0 {
		parts = append(parts, text.Plural(r.PrivateCount, "private section", "private sections"))
	}
	if n := r.SecretCount(); n > 0 {
		parts = append(parts, text.Plural(n, "secret", "secrets")+" ("+r.kinds()+")")
	}
	return strings.Join(parts, ", ")
}

// Sentences describe the removed text to the user. Warnings describe private text that stays.
func (r Report) Sentences() []string {
	var sentences []string
	if r.PrivateCount > 0 {
		sections := text.Plural(r.PrivateCount, "private section", "private sections")
		sentences = append(sentences, sections+" excluded from memory")
	}
	if n := r.SecretCount(); n > 0 {
		sentences = append(sentences, text.Plural(n, "secret", "secrets")+" redacted: "+r.kinds())
	}
	return sentences
}

// Lines lists the removed text and the warnings.
func (r Report) Lines() []string { return append(r.Sentences(), r.Warnings...) }

func (r Report) kinds() string {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(r.Secrets)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", r.Secrets[kind], kind))
	}
	return strings.Join(kinds, ", ")
}

func (r *Report) addSection() {
	r.HasPrivateSections = true
	r.PrivateCount++
}

func (r *Report) addSecrets(kind string, n int) {
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

func (r Report) withFilteredLength(s string) Report {
	r.FilteredLength = utf8.RuneCountInString(s)
	return r
}
