package schemas

import (
	"encoding/json"
	"slices"
	"strings"

	"memctl/privacy"
)

// Setting is one key of memory-config.json. The table of settings is the only
// statement of what the file takes: DecodeConfig, the config command and the
// generated files memory-config.schema.json and memory-config.default.json follow it.
type Setting struct {
	Key         string // dotted, e.g. "retrieval.max_inject"
	Description string // in one to three sentences
	// Default is a bool, int, float64, string or []string, and its type is that of
	// the setting. It is nil for a section.
	Default any

	min, max float64  // the range of a number
	maxItems int      // of a list; 0 for any number
	values   []string // the only values of a string, or of the items of a list
	fixed    bool     // the default is the only value
	anyCase  bool     // values are accepted in upper case, with a warning
	patterns bool     // the items are regular expressions

	initial any  // the value in the file of a new root; nil means the default
	unasked bool // the file of a new root leaves the key out
}

const (
	maxDays  = 36_500
	maxCount = 1_000_000
	// maxExcluded bounds catalogue.exclude.
	maxExcluded = 1000
	// maxSources bounds sources.roots.
	maxSources = 16
)

// Settings lists every setting in the order of the schema.
func Settings() []Setting {
	return slices.DeleteFunc(settingsTable(), Setting.isSection)
}

func (s Setting) isSection() bool { return s.Default == nil }

// settingsTable lists every setting. A section precedes the settings in it.
func settingsTable() []Setting {
	formats := privacy.Formats()
	return slices.Concat(
		[]Setting{
			{Key: "memory_root", Default: ".claude/memory", fixed: true,
				Description: "Where the memories live, relative to the project. It is fixed; the key exists for files that older tools wrote."},

			{Key: "schema_version", Default: configVersion, fixed: true, unasked: true,
				Description: "The version of the file's format, 1.0 where the key is missing. A later memctl may write another one; this one then refuses the file, and its hooks use the settings that they know."},

			{Key: "categories", Description: "Settings by category; names in any case."},
		},
		categorySettings("categories.decision", "decisions", "Decisions with their rationale and the rejected alternatives", 0, 0),
		categorySettings("categories.constraint", "constraints", "Limitations, quotas and policies imposed by platforms or vendors", 0, 0),
		categorySettings("categories.preference", "preferences", "Conventions and preferences: style, naming, tooling", 0, 0),
		categorySettings("categories.runbook", "runbooks", "Troubleshooting runbooks: symptoms, diagnosis, remedies", 0, 0),
		categorySettings("categories.tech_debt", "tech-debt", "Technical debt: deferred refactoring, shortcuts, workarounds", 0, 0),
		categorySettings("categories.session_summary", "sessions", "Session summaries: goals, outcomes, unfinished business", 90, 5),
		[]Setting{
			{Key: "auto_commit", Default: false,
				Description: "Whether saving a memory also commits it to git."},
			{Key: "max_memories_per_category", Default: 100, max: maxCount,
				Description: "How many active memories a category may hold."},

			{Key: "retrieval", Description: "The prompt hook."},
			{Key: "retrieval.enabled", Default: true,
				Description: "Whether prompts receive memories."},
			{Key: "retrieval.max_inject", Default: 5, max: 20,
				Description: "How many memories one prompt receives at most."},
			{Key: "retrieval.user_share", Default: 2, max: 20, unasked: true,
				Description: "How many of them may come from other roots than the project's: from the user's own and from sources.roots. With 0, prompts ask the project alone."},
			// A file without the key keeps the ranking that it was written for.
			{Key: "retrieval.match_strategy", Default: TitleTags, initial: Hybrid, values: Strategies,
				Description: "How memories are ranked. title_tags: by the words of titles and by whole tags, as claude-memory v5 does. hybrid: by full text in any script, and nothing where nothing is relevant."},
			{Key: "retrieval.disclosure", Default: "index", values: Disclosures,
				Description: "What a prompt receives. index: a line for each memory. smart: also the timeline or all of what is certainly meant."},
			{Key: "retrieval.announce", Default: true,
				Description: "Whether the person sees a line with the titles of the memories that a prompt received."},
			{Key: "retrieval.record", Default: true,
				Description: "Whether a file of this user notes which memories prompts received, for memctl stats --memories. It holds ids, times and sessions, no prompts."},
			{Key: "retrieval.hybrid", Description: "Settings of the strategy hybrid."},
			{Key: "retrieval.hybrid.min_evidence", Default: 0.45, max: 2,
				Description: "The evidence that a memory needs to be injected. 1 is one word of the prompt that only this memory has in its title; lower finds more, higher stays silent more often."},

			{Key: "triage", Description: "The stop hook."},
			{Key: "triage.enabled", Default: true,
				Description: "Whether the end of a session is looked through for memories."},
			{Key: "triage.max_messages", Default: 50, min: 10, max: 200,
				Description: "How many messages from the end of the transcript are read."},
			{Key: "triage.thresholds", Description: "The score, 0 to 1, from which a category is proposed."},
			thresholdSetting(Decision, 0.4),
			thresholdSetting(Constraint, 0.5),
			thresholdSetting(Preference, 0.4),
			thresholdSetting(Runbook, 0.4),
			thresholdSetting(TechDebt, 0.4),
			thresholdSetting(SessionSummary, 0.6),
			{Key: "triage.parallel", Description: "Drafting memories in subagents side by side."},
			{Key: "triage.parallel.enabled", Default: true,
				Description: "Whether drafts are written side by side."},
			{Key: "triage.parallel.category_models", Description: "The model that drafts each category."},
			modelSetting("category_models.decision", "sonnet", "Model of decision."),
			modelSetting("category_models.constraint", "sonnet", "Model of constraint."),
			modelSetting("category_models.preference", "haiku", "Model of preference."),
			modelSetting("category_models.runbook", "haiku", "Model of runbook."),
			modelSetting("category_models.tech_debt", "haiku", "Model of tech_debt."),
			modelSetting("category_models.session_summary", "haiku", "Model of session_summary."),
			modelSetting("verification_model", "sonnet", "The model that checks the drafts."),
			modelSetting("default_model", "haiku", "The model of a category that names none."),

			{Key: "delete", Description: "What becomes of retired memories."},
			{Key: "delete.grace_period_days", Default: 30, max: maxDays,
				Description: "Days during which a retired memory can be restored."},
			{Key: "delete.archive_retired", Default: true,
				Description: "Whether a retired memory past its grace period is archived instead of deleted."},

			{Key: "privacy", Description: "What is taken out of text before it reaches the disk. Secrets always are."},
			{Key: "privacy.formats", Default: formats, values: formats,
				Description: "How private sections are written. xml: <private>…</private>; bracket: [private]…[/private]; comment: <!-- private -->…<!-- /private -->."},
			{Key: "privacy.marker", Default: privacy.PrivateMarker, values: []string{privacy.PrivateMarker, privacy.RedactedMarker, ""},
				Description: "What stands in the place of a private section."},
			{Key: "privacy.preserveLineCount", Default: false,
				Description: "Whether line breaks stay where they are, those of what is taken out too."},
			{Key: "privacy.onUnclosed", Default: privacy.KeepUnclosed, values: []string{privacy.KeepUnclosed, privacy.RedactUnclosed},
				Description: "What becomes of the text after an opening tag that nothing closes. keep: it stays, with a warning; redact: all of it goes."},
			{Key: "privacy.excludePatterns", Default: []string{}, patterns: true, maxItems: privacy.MaxPatterns,
				Description: "Regular expressions (RE2); what they match is redacted like a secret."},

			{Key: "observations", Description: "What the agent's tools did, session by session."},
			{Key: "observations.enabled", Default: false, unasked: true,
				Description: "Whether tools are observed."},
			{Key: "observations.excluded_tools", Default: []string{},
				Description: "Names of tools that are not observed; one that ends with * stands for all that begin so."},
			{Key: "observations.retention_days", Default: 30, max: maxDays,
				Description: "Days after which gc removes the observations of a session; 0 keeps them for ever."},
			{Key: "observations.max_mb", Default: 64, max: maxCount,
				Description: "Megabytes (of 1,000,000 bytes) above which gc removes the oldest sessions' observations; 0 is no bound."},

			{Key: "catalogue", Description: "The list of all projects of a user, which \"memctl search --all\" searches."},
			{Key: "catalogue.enabled", Default: true, unasked: true,
				Description: "Whether the project is in the catalogue."},
			{Key: "catalogue.exclude", Default: []string{}, unasked: true, maxItems: maxExcluded,
				Description: "Folders whose projects are not in the catalogue, with those below them; * stands for any part of a name, ~ for the home folder. Only the user's own configuration counts."},

			{Key: "review", Description: "What \"memctl review\" finds."},
			{Key: "review.announce", Default: true, unasked: true,
				Description: "Whether a session starts with a line for the agent, once a day, if there is more to review than a few memories."},

			{Key: "sources", Description: "What is searched besides the project."},
			{Key: "sources.agent_all", Default: false, unasked: true,
				Description: "Whether an agent may search all projects. Only the user's own configuration counts."},
			{Key: "sources.roots", Default: []string{}, unasked: true, maxItems: maxSources,
				Description: "Further projects or memory roots that every question is asked of; * stands for any part of a name, ~ for the home folder. memctl changes no memory there. Only the user's own configuration counts."},

			{Key: "hub", Description: "The hub: the memories of many repositories on a server."},
			{Key: "hub.url", Default: "", unasked: true,
				Description: "The address of the hub that memctl search --hub asks, such as https://hub.acme.example; empty for none. Only the user's own configuration counts."},
			{Key: "hub.timeout_ms", Default: 1000, min: 50, max: 60_000, unasked: true,
				Description: "How long a search waits for the hub, in milliseconds. Only the user's own configuration counts."},
		},
	)
}

// categorySettings are the section of a category and the settings in it.
func categorySettings(key, folder, description string, retentionDays, maxRetained int) []Setting {
	return []Setting{
		{Key: key, Description: "Settings of the category " + strings.TrimPrefix(key, "categories.") + "."},
		{Key: key + ".enabled", Default: true,
			Description: "Whether the category is in use."},
		{Key: key + ".folder", Default: folder, fixed: true,
			Description: "The category's folder below the memory root. It is fixed; the key exists for files that older tools wrote."},
		{Key: key + ".description", Default: "", initial: description,
			Description: "What the category is for. The question before a stop shows its first 120 characters. With title_tags so does each prompt's block, and its first 500 characters help the ranking."},
		{Key: key + ".auto_capture", Default: true,
			Description: "Whether the end of a session may propose memories of this category."},
		{Key: key + ".retention_days", Default: retentionDays, max: maxDays,
			Description: "Age in days after which a memory is retired; 0 keeps it for ever."},
		{Key: key + ".max_retained", Default: maxRetained, max: maxCount,
			Description: "How many memories of the category stay active; 0 keeps all."},
	}
}

func thresholdSetting(c Category, score float64) Setting {
	return Setting{Key: "triage.thresholds." + string(c), Default: score, max: 1,
		Description: "Threshold of " + string(c) + "."}
}

func modelSetting(key, model, description string) Setting {
	return Setting{Key: "triage.parallel." + key, Default: model, values: Models, anyCase: true, Description: description}
}

// foldsCase reports whether the keys of a section are names of categories, which
// may be written in any case.
func foldsCase(section string) bool {
	return section == "categories" || section == "triage.thresholds"
}

// Values lists the only values of a string, or of the items of a list; nil for any. A
// setting with a single value cannot be changed.
func (s Setting) Values() []string {
	if only, ok := s.Default.(string); ok && s.fixed {
		return []string{only}
	}
	return s.values
}

// Range returns the least and the greatest value of a number.
func (s Setting) Range() (least, greatest float64) { return s.min, s.max }

// schema states what the setting takes as JSON Schema.
func (s Setting) schema() *schema {
	d := &schema{Description: s.Description, Default: s.encodedDefault()}
	switch value := s.Default.(type) {
	case bool:
		d.Type = "boolean"
	case int:
		d.Type, d.Minimum, d.Maximum = "integer", &s.min, &s.max
	case float64:
		d.Type, d.Minimum, d.Maximum = "number", &s.min, &s.max
	case string:
		if s.fixed {
			d.Const = &value
			break
		}
		d.Type, d.Enum = "string", s.values
	case []string:
		d.Type, d.Items = "array", &schema{Type: "string", Enum: s.values}
		if s.patterns {
			longest := privacy.MaxPatternLength
			d.Items.Format, d.Items.MaxLength = "regex", &longest
		}
		if s.maxItems > 0 {
			d.MaxItems = &s.maxItems
		}
	}
	return d
}

// SettingValue is a setting with its value in a configuration.
type SettingValue struct {
	Key         string          `json:"key"`
	Value       json.RawMessage `json:"value"`
	Default     json.RawMessage `json:"default"`
	Description string          `json:"description"`
}

// SettingChange is a setting that was changed in the file.
type SettingChange struct {
	Status string          `json:"status"` // "set" or "unset"
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Before json.RawMessage `json:"before"`
}

// In returns the setting with its value in a configuration.
func (s Setting) In(c Config) SettingValue {
	value, _ := json.Marshal(c) // strings, numbers and booleans: cannot fail
	for name := range strings.SplitSeq(s.Key, ".") {
		var section map[string]json.RawMessage
		_ = json.Unmarshal(value, &section) // Config has every section of the table
		value = section[name]
	}
	return SettingValue{s.Key, value, s.encodedDefault(), s.Description}
}

func (s Setting) encodedDefault() json.RawMessage {
	value, _ := EncodeJSON(s.Default) // of the table: cannot fail
	return value
}
