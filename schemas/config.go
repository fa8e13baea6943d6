package schemas

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// InitialConfig is the memory-config.json of a new memory root: every setting and
// a description for each category. A test generates it from the table of settings.
//
//go:embed memory-config.default.json
var InitialConfig []byte

// The ranking strategies. TitleTags weighs title tokens and whole tags; Hybrid is
// full-text search (docs/ranking.md).
const (
	TitleTags = "title_tags"
	Hybrid    = "hybrid"
)

// Strategies lists the values of retrieval.match_strategy.
var Strategies = []string{TitleTags, Hybrid}

// Disclosures lists the values of retrieval.disclosure: a prompt receives the
// index, or also details of the memories that it clearly refers to.
var Disclosures = []string{"index", "smart"}

// Models lists the models that may draft or verify a memory.
var Models = []string{"haiku", "sonnet", "opus"}

// Config is memory-config.json with every key resolved. The JSON tags are the names
// in the keys of Settings.
type Config struct {
	MemoryRoot             string                      `json:"memory_root"`
	SchemaVersion          string                      `json:"schema_version"`
	Categories             map[Category]CategoryConfig `json:"categories"`
	AutoCommit             bool                        `json:"auto_commit"`
	MaxMemoriesPerCategory int                         `json:"max_memories_per_category"`
	Retrieval              RetrievalConfig             `json:"retrieval"`
	Triage                 TriageConfig                `json:"triage"`
	Delete                 DeleteConfig                `json:"delete"`
	Privacy                PrivacyConfig               `json:"privacy"`
	Observations           ObservationsConfig          `json:"observations"`
	Catalogue              CatalogueConfig             `json:"catalogue"`
	Review                 ReviewConfig                `json:"review"`
	Sources                SourcesConfig               `json:"sources"`
	Hub                    HubConfig                   `json:"hub"`
	// Descriptions holds every category description of the file, including those
	// of unknown categories, sorted by category.
	Descriptions []Description `json:"-"`
}

// CategoryConfig holds the settings of one category.
type CategoryConfig struct {
	Enabled     bool   `json:"enabled"`
	Folder      string `json:"folder"`
	Description string `json:"description"`
	AutoCapture bool   `json:"auto_capture"`
	// RetentionDays is the age in days at which memories are retired; 0 means never.
	RetentionDays int `json:"retention_days"`
	// MaxRetained is how many memories stay active; 0 means all.
	MaxRetained int `json:"max_retained"`
}

// Description is the purpose of a category, in the user's words.
type Description struct {
	Category string
	Text     string
}

// RetrievalConfig holds the settings of the prompt hook.
type RetrievalConfig struct {
	Enabled bool `json:"enabled"`
	// MaxInject is how many memories one prompt receives, 0 to 20.
	MaxInject int `json:"max_inject"`
	// UserShare is how many of them may come from other roots than the project's.
	UserShare     int    `json:"user_share"`
	MatchStrategy string `json:"match_strategy"`
	// Disclosure is one of Disclosures.
	Disclosure string `json:"disclosure"`
	// Announce shows the person the titles of the memories that a prompt received.
	Announce bool `json:"announce"`
	// Record notes in a file of this user which memories prompts received.
	Record bool         `json:"record"`
	Hybrid HybridConfig `json:"hybrid"`
}

// HybridConfig holds the settings of the strategy "hybrid".
type HybridConfig struct {
	// MinEvidence is the evidence that a memory needs to be injected, 0 to 2. One
	// word of the prompt that only this memory has in its title counts 1.
	MinEvidence float64 `json:"min_evidence"`
}

// TriageConfig holds the settings of the stop hook.
type TriageConfig struct {
	Enabled bool `json:"enabled"`
	// MaxMessages is how many messages of the transcript are read, 10 to 200.
	MaxMessages int                  `json:"max_messages"`
	Thresholds  map[Category]float64 `json:"thresholds"`
	Parallel    ParallelConfig       `json:"parallel"`
	// NoDescriptions is set if the section is not an object: as in version 5, triage
	// then does without the descriptions of the categories.
	NoDescriptions bool `json:"-"`
}

// ParallelConfig holds the models that draft memories in parallel.
type ParallelConfig struct {
	Enabled           bool                `json:"enabled"`
	CategoryModels    map[Category]string `json:"category_models"`
	VerificationModel string              `json:"verification_model"`
	DefaultModel      string              `json:"default_model"`
}

// DeleteConfig holds what happens to retired memories.
type DeleteConfig struct {
	GracePeriodDays int  `json:"grace_period_days"`
	ArchiveRetired  bool `json:"archive_retired"`
}

// PrivacyConfig holds what is removed from text before it reaches the disk, besides
// secrets. Its fields are those of privacy.Options.
type PrivacyConfig struct {
	Formats           []string `json:"formats"`
	Marker            string   `json:"marker"`
	PreserveLineCount bool     `json:"preserveLineCount"`
	OnUnclosed        string   `json:"onUnclosed"`
	ExcludePatterns   []string `json:"excludePatterns"`
}

// ObservationsConfig holds the settings of tool observations.
type ObservationsConfig struct {
	// Enabled is false by default: tools are only observed once the user agreed.
	Enabled bool `json:"enabled"`
	// ExcludedTools are names of tools; one that ends with * is a prefix.
	ExcludedTools []string `json:"excluded_tools"`
	// RetentionDays is the age at which gc removes a session's file; 0 means never.
	RetentionDays int `json:"retention_days"`
	// MaxMB is how much gc leaves, in megabytes of 1,000,000 bytes; 0 means all.
	MaxMB int `json:"max_mb"`
}

// CatalogueConfig holds which projects are in the catalogue.
type CatalogueConfig struct {
	Enabled bool `json:"enabled"` // of the project
	// Exclude holds patterns of folders. It counts in the user's configuration only.
	Exclude []string `json:"exclude"`
}

// ReviewConfig holds what is said of a review.
type ReviewConfig struct {
	// Announce is whether an agent learns at a session's start that there is much to review.
	Announce bool `json:"announce"`
}

// SourcesConfig holds what is searched besides the project. It counts in the user's
// configuration only.
type SourcesConfig struct {
	// AgentAll is whether an agent may search all projects.
	AgentAll bool `json:"agent_all"`
	// Roots are patterns of further projects or roots that questions are asked of.
	Roots []string `json:"roots"`
}

// HubConfig holds which hub is asked. It counts in the user's configuration only.
type HubConfig struct {
	URL string `json:"url"`
	// TimeoutMS is how long a search waits for the hub, in milliseconds.
	TimeoutMS int `json:"timeout_ms"`
}

// configVersion is the version of memory-config.json that this program knows, and the
// only one there has been.
const configVersion = "1.0"

// CheckVersion returns an error if a later memctl wrote the file. Its settings may mean
// something else now, so a person must not work with what is left of them.
func (c Config) CheckVersion() error {
	if c.SchemaVersion == configVersion {
		return nil
	}
	return &NewerError{c.SchemaVersion}
}

// NewerError means that a later memctl wrote memory-config.json.
type NewerError struct{ version string }

func (e *NewerError) Error() string {
	return fmt.Sprintf("memory-config.json: a later version of memctl wrote it: its schema_version is %q, and this memctl knows %s", e.version, configVersion)
}

// Hint says what to do about it.
func (e *NewerError) Hint() string { return "update memctl" }

// DefaultConfig holds what applies if memory-config.json says nothing.
func DefaultConfig() Config {
	return newConfigReader().config()
}

// DecodeConfig reads memory-config.json. It cannot fail: whatever is wrong becomes
// a warning that names the key, and that key keeps its default. The warnings are in
// the order of the file.
func DecodeConfig(data []byte) (Config, []Warning) {
	r := newConfigReader()
	var object json.RawMessage
	if err := decodeObject(data, &object); err != nil {
		r.warn("", err.Error(), "the defaults")
	}
	r.section("", object)
	cfg := r.config()
	if err := cfg.CheckVersion(); err != nil { // the other warnings are probably consequences
		return cfg, []Warning{{"schema_version", "a later version of memctl wrote the file", "the settings that this one knows"}}
	}
	return cfg, r.warnings
}

// ObservationsUndecided reports whether the file, nil for none, does not say if tools
// are observed. The initial file does not: the user has not been asked yet.
func ObservationsUndecided(data []byte) bool {
	var file struct {
		Observations struct {
			Enabled json.RawMessage `json:"enabled"`
		} `json:"observations"`
	}
	return data == nil || decodeObject(data, &file) == nil && file.Observations.Enabled == nil
}
