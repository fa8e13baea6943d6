package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"memctl/privacy"
)

// Warning is one mistake in memory-config.json and what applies instead.
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

// configReader checks memory-config.json against the table of settings. A setting
// keeps its default if its key is absent or wrong.
type configReader struct {
	table        []Setting
	settings     map[string]*Setting // by key: the table and sections of unknown categories
	values       map[string]any      // by key, of the type of the default
	descriptions map[string]string   // by category, unknown ones included
	notObject    map[string]bool     // sections that are of another type
	warnings     []Warning
}

func newConfigReader() *configReader {
	table := settingsTable()
	r := &configReader{
		table:        table,
		settings:     make(map[string]*Setting, len(table)),
		values:       make(map[string]any, len(table)),
		descriptions: map[string]string{},
		notObject:    map[string]bool{},
	}
	r.add(r.table)
	return r
}

func (r *configReader) add(settings []Setting) {
	for i := range settings {
		s := &settings[i]
		r.settings[s.Key] = s
		if !s.isSection() {
			r.values[s.Key] = s.Default
		}
	}
}

func (r *configReader) warn(key, problem, used string) {
	r.warnings = append(r.warnings, Warning{key, problem, used})
}

// section reads the members of a section, "" for the whole file. Of a repeated key
// the last valid value counts.
func (r *configReader) section(path string, object json.RawMessage) {
	for name, raw := range Members(object) {
		if foldsCase(path) {
			name = strings.ToLower(name)
		}
		// A name with a dot is quoted, so it never reads like a path.
		key := strings.TrimPrefix(path+"."+dotted([]string{name}), ".")
		if path == "categories" {
			r.category(key, name, raw)
		} else {
			r.member(key, name, raw)
		}
	}
}

func (r *configReader) member(key, name string, raw json.RawMessage) {
	s, known := r.settings[key]
	switch {
	case !known && strings.HasPrefix(name, "$"): // "$schema" is for editors
	case !known:
		r.warn(key, "unknown key", "nothing of it")
	case !s.isSection():
		r.setting(s, raw)
	case kindOf(raw) != "an object":
		r.warn(key, "expected an object, got "+kindOf(raw), "the defaults")
		r.notObject[key] = true
	default:
		r.section(key, raw)
	}
}

// category reads the section of a category. The prompt hook shows the description
// of an unknown category, so that is kept.
func (r *configReader) category(key, name string, raw json.RawMessage) {
	if _, known := r.settings[key]; !known {
		if kindOf(raw) == "an object" {
			r.warn(key, "unknown category", "its description only")
		}
		r.add(categorySettings(key, name, "", 0, 0))
	}
	r.member(key, name, raw)
	r.descriptions[name], _ = r.values[key+".description"].(string)
}

func (r *configReader) setting(s *Setting, raw json.RawMessage) {
	switch s.Default.(type) {
	case bool:
		r.bool(s, raw)
	case int, float64:
		r.number(s, raw)
	case string:
		r.text(s, raw)
	case []string:
		r.texts(s, raw)
	}
}

func (r *configReader) bool(s *Setting, raw json.RawMessage) {
	switch string(raw) {
	case "true", "false":
		r.values[s.Key] = string(raw) == "true"
	default:
		r.warn(s.Key, "expected true or false, got "+kindOf(raw), fmt.Sprint(r.values[s.Key]))
	}
}

// number takes a number, also in quotes, and moves one outside the range to the
// nearer end.
func (r *configReader) number(s *Setting, raw json.RawMessage) {
	got, ok := parseNumber(raw)
	if !ok {
		kind := kindOf(raw)
		if kind == "a number" { // such as 1e999
			kind = "one that is out of range"
		}
		r.warn(s.Key, "expected a number, got "+kind, fmt.Sprint(r.values[s.Key]))
		return
	}
	n := max(s.min, min(got, s.max))
	switch {
	case n != got:
		r.warn(s.Key, fmt.Sprintf("%s is outside %s to %s", formatNumber(got), formatNumber(s.min), formatNumber(s.max)), formatNumber(n))
	case raw[0] == '"':
		r.warn(s.Key, "a number in quotes", formatNumber(n))
	}
	if _, fraction := s.Default.(float64); fraction {
		r.values[s.Key] = n
		return
	}
	whole := math.Trunc(n)
	if whole != n {
		r.warn(s.Key, "expected a whole number, got "+formatNumber(n), formatNumber(whole))
	}
	r.values[s.Key] = int(whole)
}

func (r *configReader) text(s *Setting, raw json.RawMessage) {
	used, _ := r.values[s.Key].(string)
	if kindOf(raw) != "a string" {
		r.warn(s.Key, "expected a string, got "+kindOf(raw), strconv.Quote(used))
		return
	}
	got := String(raw)
	folded := strings.ToLower(got)
	switch {
	case s.Key == "schema_version": // CheckVersion
	case s.fixed && got != used:
		r.warn(s.Key, fmt.Sprintf("%q is not supported", got), strconv.Quote(used))
		return
	case s.values == nil || slices.Contains(s.values, got):
	case s.anyCase && slices.Contains(s.values, folded):
		r.warn(s.Key, fmt.Sprintf("%q in upper case", got), strconv.Quote(folded))
		got = folded
	default:
		r.warn(s.Key, fmt.Sprintf("expected %s, got %q", oneOf(s.values), got), strconv.Quote(used))
		return
	}
	r.values[s.Key] = got
}

// texts takes a list of strings without its invalid items. A list of nothing but
// invalid items counts as absent.
func (r *configReader) texts(s *Setting, raw json.RawMessage) {
	if kind := kindOf(raw); kind != "a list" {
		r.warn(s.Key, "expected a list of strings, got "+kind, "the default")
		return
	}
	all, list := items(raw), []string{}
	if s.maxItems > 0 && len(all) > s.maxItems {
		r.warn(s.Key, fmt.Sprintf("at most %d items, got %d", s.maxItems, len(all)), fmt.Sprintf("the first %d", s.maxItems))
		all = all[:s.maxItems]
	}
	for _, item := range all {
		if problem := s.itemProblem(item); problem != "" {
			r.warn(s.Key, problem, "the rest of it")
			continue
		}
		list = append(list, String(item))
	}
	if len(list) > 0 || len(all) == 0 {
		r.values[s.Key] = list
	}
}

// itemProblem says why a list of strings does not take an item, "" if it does.
func (s Setting) itemProblem(item json.RawMessage) string {
	got := String(item)
	switch {
	case kindOf(item) != "a string":
		return "expected a list of strings, found " + kindOf(item) + " in it"
	case s.values != nil && !slices.Contains(s.values, got):
		return fmt.Sprintf("expected some of %s, found %q", strings.Join(s.values, ", "), got)
	case s.patterns:
		if err := privacy.CheckPattern(got); err != nil {
			return err.Error()
		}
	}
	return ""
}

// config returns the typed result. A test compares it with the table.
func (r *configReader) config() Config {
	c := Config{
		MemoryRoot:             get[string](r, "memory_root"),
		SchemaVersion:          get[string](r, "schema_version"),
		Categories:             map[Category]CategoryConfig{},
		AutoCommit:             get[bool](r, "auto_commit"),
		MaxMemoriesPerCategory: get[int](r, "max_memories_per_category"),
		Retrieval: RetrievalConfig{
			Enabled:       get[bool](r, "retrieval.enabled"),
			MaxInject:     get[int](r, "retrieval.max_inject"),
			UserShare:     get[int](r, "retrieval.user_share"),
			MatchStrategy: get[string](r, "retrieval.match_strategy"),
			Disclosure:    get[string](r, "retrieval.disclosure"),
			Announce:      get[bool](r, "retrieval.announce"),
			Record:        get[bool](r, "retrieval.record"),
			Hybrid:        HybridConfig{get[float64](r, "retrieval.hybrid.min_evidence")},
		},
		Triage: TriageConfig{
			Enabled:     get[bool](r, "triage.enabled"),
			MaxMessages: get[int](r, "triage.max_messages"),
			Thresholds:  map[Category]float64{},
			Parallel: ParallelConfig{
				Enabled:           get[bool](r, "triage.parallel.enabled"),
				CategoryModels:    map[Category]string{},
				VerificationModel: get[string](r, "triage.parallel.verification_model"),
				DefaultModel:      get[string](r, "triage.parallel.default_model"),
			},
			NoDescriptions: r.notObject["triage"],
		},
		Delete: DeleteConfig{
			GracePeriodDays: get[int](r, "delete.grace_period_days"),
			ArchiveRetired:  get[bool](r, "delete.archive_retired"),
		},
		Privacy: PrivacyConfig{
			Formats:           get[[]string](r, "privacy.formats"),
			Marker:            get[string](r, "privacy.marker"),
			PreserveLineCount: get[bool](r, "privacy.preserveLineCount"),
			OnUnclosed:        get[string](r, "privacy.onUnclosed"),
			ExcludePatterns:   get[[]string](r, "privacy.excludePatterns"),
		},
		Observations: ObservationsConfig{
			Enabled:       get[bool](r, "observations.enabled"),
			ExcludedTools: get[[]string](r, "observations.excluded_tools"),
			RetentionDays: get[int](r, "observations.retention_days"),
			MaxMB:         get[int](r, "observations.max_mb"),
		},
		Catalogue: CatalogueConfig{
			Enabled: get[bool](r, "catalogue.enabled"),
			Exclude: get[[]string](r, "catalogue.exclude"),
		},
		Review: ReviewConfig{Announce: get[bool](r, "review.announce")},
		Sources: SourcesConfig{
			AgentAll: get[bool](r, "sources.agent_all"),
			Roots:    get[[]string](r, "sources.roots"),
		},
		Hub: HubConfig{
			URL:       get[string](r, "hub.url"),
			TimeoutMS: get[int](r, "hub.timeout_ms"),
		},
	}
	for _, info := range Categories {
		name := string(info.Category)
		section := "categories." + name
		c.Categories[info.Category] = CategoryConfig{
			Enabled:       get[bool](r, section+".enabled"),
			Folder:        get[string](r, section+".folder"),
			Description:   get[string](r, section+".description"),
			AutoCapture:   get[bool](r, section+".auto_capture"),
			RetentionDays: get[int](r, section+".retention_days"),
			MaxRetained:   get[int](r, section+".max_retained"),
		}
		c.Triage.Thresholds[info.Category] = get[float64](r, "triage.thresholds."+name)
		c.Triage.Parallel.CategoryModels[info.Category] = get[string](r, "triage.parallel.category_models."+name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.descriptions)) {
		if text := r.descriptions[name]; text != "" {
			c.Descriptions = append(c.Descriptions, Description{name, text})
		}
	}
	return c
}

// get returns the value of a setting, which has the type of its default.
func get[T any](r *configReader, key string) T {
	value, _ := r.values[key].(T)
	return value
}

func parseNumber(raw json.RawMessage) (float64, bool) {
	if kind := kindOf(raw); kind != "a number" && kind != "a string" {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(raw), `"`)), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
