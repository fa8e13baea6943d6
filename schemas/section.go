package schemas

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Warning is one thing wrong with memory-config.json and what holds instead.
type Warning struct {
	Key     string `json:"key"` // dotted, e.g. "retrieval.max_inject"; "" is the whole file
	Problem string `json:"problem"`
	Used    string `json:"used"`
}

func (w Warning) String() string {
	if w.Key == "" {
		return fmt.Sprintf("memory-config.json: %s; using %s", w.Problem, w.Used)
	}
	return fmt.Sprintf("memory-config.json: %s: %s; using %s", w.Key, w.Problem, w.Used)
}

// section reads one object of the configuration key by key: a getter leaves the
// default alone where its key is absent or wrong, and done warns of the keys
// that no getter asked for.
type section struct {
	path     string
	fields   Object
	read     map[string]bool
	warnings *[]Warning
}

func (s *section) warn(key, problem, used string) {
	*s.warnings = append(*s.warnings, Warning{s.key(key), problem, used})
}

func (s *section) key(key string) string {
	if s.path == "" || key == "" {
		return s.path + key
	}
	return s.path + "." + key
}

// foldKeys lower-cases the keys, for objects whose keys are category names.
func (s *section) foldKeys() {
	for i := range s.fields {
		s.fields[i].key = strings.ToLower(s.fields[i].key)
	}
}

// value returns the last value of a key, nil where it is absent.
func (s *section) value(key string) json.RawMessage {
	if s.read == nil {
		s.read = map[string]bool{}
	}
	s.read[key] = true
	return s.fields.Get(key)
}

func (s *section) done() {
	for _, f := range s.fields {
		if !s.read[f.key] && !strings.HasPrefix(f.key, "$") { // "$schema" is for editors
			s.warn(f.key, "unknown key", "nothing of it")
			s.read[f.key] = true
		}
	}
}

func (s *section) section(key string) *section {
	raw := s.value(key)
	if raw == nil {
		return nil
	}
	return s.member(field{key, raw})
}

func (s *section) member(f field) *section {
	if s.read == nil {
		s.read = map[string]bool{}
	}
	s.read[f.key] = true
	if kind := kindOf(f.value); kind != "an object" {
		s.warn(f.key, "expected an object, got "+kind, "the defaults")
		return nil
	}
	return &section{path: s.key(f.key), fields: ObjectOf(f.value), warnings: s.warnings}
}

func (s *section) bool(key string, into *bool) {
	raw := s.value(key)
	switch string(raw) {
	case "":
	case "true", "false":
		*into = string(raw) == "true"
	default:
		s.warn(key, "expected true or false, got "+kindOf(raw), fmt.Sprint(*into))
	}
}

func (s *section) text(key string, into *string, allowed ...string) {
	raw := s.value(key)
	if raw == nil {
		return
	}
	got := stringOf(raw)
	if kindOf(raw) != "a string" {
		s.warn(key, "expected a string, got "+kindOf(raw), strconv.Quote(*into))
		return
	}
	if len(allowed) > 0 && !slices.Contains(allowed, got) {
		s.warn(key, fmt.Sprintf("expected %s, got %q", oneOf(allowed), got), strconv.Quote(*into))
		return
	}
	*into = got
}

// texts takes a list of strings; what of it is something else is left out, unless
// nothing would be left.
func (s *section) texts(key string, into *[]string, allowed ...string) {
	raw := s.value(key)
	if raw == nil {
		return
	}
	if kind := kindOf(raw); kind != "a list" {
		s.warn(key, "expected a list of strings, got "+kind, "the default")
		return
	}
	list, n := []string{}, 0
	for item := range items(raw) {
		n++
		got := stringOf(item)
		switch {
		case kindOf(item) != "a string":
			s.warn(key, "expected a list of strings, found "+kindOf(item)+" in it", "the rest of it")
		case len(allowed) > 0 && !slices.Contains(allowed, got):
			s.warn(key, fmt.Sprintf("expected some of %s, found %q", strings.Join(allowed, ", "), got), "the rest of it")
		default:
			list = append(list, got)
		}
	}
	if len(list) > 0 || n == 0 {
		*into = list
	}
}

// word takes one of the allowed words, which are in lower case; in any other case
// it is taken too.
func (s *section) word(key string, into *string, allowed []string) {
	got := *into
	s.text(key, &got)
	folded := strings.ToLower(got)
	switch {
	case !slices.Contains(allowed, folded):
		s.warn(key, fmt.Sprintf("expected %s, got %q", oneOf(allowed), got), strconv.Quote(*into))
	case folded != got:
		s.warn(key, fmt.Sprintf("%q in upper case", got), strconv.Quote(folded))
		*into = folded
	default:
		*into = got
	}
}

// fixedText is for a key that older tools wrote and that has one value only.
func (s *section) fixedText(key string, into *string) {
	got := *into
	s.text(key, &got)
	if got != *into {
		s.warn(key, fmt.Sprintf("%q is not supported", got), strconv.Quote(*into))
	}
}

func (s *section) int(key string, into *int, lowest, highest int) {
	value := float64(*into)
	s.number(key, &value, float64(lowest), float64(highest))
	if whole := math.Trunc(value); whole != value {
		s.warn(key, "expected a whole number, got "+formatNumber(value), formatNumber(whole))
		value = whole
	}
	*into = int(value)
}

// number takes a number within [lowest, highest] and brings one outside to the
// nearer end. A number in quotes is taken too.
func (s *section) number(key string, into *float64, lowest, highest float64) {
	raw := s.value(key)
	if raw == nil {
		return
	}
	got, ok := parseNumber(raw)
	if !ok {
		kind := kindOf(raw)
		if kind == "a number" { // such as 1e999
			kind = "one that is out of range"
		}
		s.warn(key, "expected a number, got "+kind, formatNumber(*into))
		return
	}
	*into = max(lowest, min(got, highest))
	switch {
	case *into != got:
		s.warn(key, fmt.Sprintf("%s is outside %s to %s", formatNumber(got), formatNumber(lowest), formatNumber(highest)), formatNumber(*into))
	case raw[0] == '"':
		s.warn(key, "a number in quotes", formatNumber(*into))
	}
}

func parseNumber(raw json.RawMessage) (float64, bool) {
	if kind := kindOf(raw); kind != "a number" && kind != "a string" {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(raw), `"`)), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
