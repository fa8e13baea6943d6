package schemas

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"memctl/privacy"
	"memctl/text"
)

// InitialConfig is the memory-config.json of a new memory root: the defaults that a file without
// their keys does not have. A test generates it from Config.
//
//go:embed memory-config.default.json
var InitialConfig []byte

// InitialConfigInGit returns that of a root whose history is git's.
func InitialConfigInGit() []byte {
	for _, s := range Settings() {
		if s.Key == "git.history" {
			if data, err := s.Set(InitialConfig, json.RawMessage("true")); err == nil {
				return data
			}
		}
	}
	return InitialConfig
}

// The ranking strategies. TitleTags weighs title tokens and whole tags; Hybrid is
// full-text search (docs/how-it-finds.md).
const (
	TitleTags = "title_tags"
	Hybrid    = "hybrid"
)

// Strategies lists the values of retrieval.match_strategy.
var Strategies = []string{TitleTags, Hybrid}

// Config is memory-config.json with every key resolved. Its fields are the settings in
// the order of the schema, and their tags say what each takes; settings.txt says what
// each is for. A map has a value for each category.
//
//	json     the name in the file
//	default  the value where the file says nothing, and the default as people see it
//	<name>   the default of the category of that name, where it is another one
//	min, max the range of a number
//	words    the only values of a string or of the items of a list, divided by "|";
//	         a setting with a single one is fixed
//	         (<folder>, <model> and <purpose> are those of CategoryInfo)
//	case     "any": the words are also accepted in upper case, with a warning
//	items    how many items a list has at most
//	format   "regex": the items of a list are regular expressions
//	new      the default as people see it, where it is another one: the file of a new root has it,
//	         and nothing else
//	only     when the setting, or those of the section, take effect: "KEY=VALUE" with that value of
//	         another setting, "user" in the user's own configuration
//	always   the category for which only does not hold
type Config struct {
	MemoryRoot    string `json:"memory_root" words:".claude/memory"`
	SchemaVersion string `json:"schema_version" words:"1.0"`

	Categories             map[Category]CategoryConfig `json:"categories"`
	AutoCommit             bool                        `json:"auto_commit" default:"false"`
	MaxMemoriesPerCategory int                         `json:"max_memories_per_category" default:"0" max:"1000000"`

	Retrieval RetrievalConfig `json:"retrieval"`
	// Moments are when an agent gets memories besides prompts.
	Moments struct {
		Tools     bool `json:"tools" default:"true"`
		Subagents bool `json:"subagents" default:"true"`
		Ask       bool `json:"ask" default:"false"` // counts once the user has confirmed it
		Pause     bool `json:"pause" default:"true"`
		Again     int  `json:"again" default:"30" max:"1000"` // in turns; 0 for never
		End       bool `json:"end" default:"true"`
	} `json:"moments"`
	Triage  TriageConfig `json:"triage"`
	Capture struct {
		Review bool `json:"review" default:"false"` // changes of agents wait for a person
	} `json:"capture"`
	Delete struct { // the fate of retired memories
		GracePeriodDays int  `json:"grace_period_days" default:"30" max:"36500"`
		ArchiveRetired  bool `json:"archive_retired" default:"true"`
	} `json:"delete"`
	Privacy      privacy.Options    `json:"privacy"`
	Observations ObservationsConfig `json:"observations"`
	Git          struct {           // left to git
		History bool `json:"history" default:"false"`
	} `json:"git"`
	Catalogue struct {
		Enabled bool     `json:"enabled" default:"true"`
		Exclude []string `json:"exclude" items:"1000" only:"user"`
	} `json:"catalogue"`
	Review struct {
		Announce bool `json:"announce" default:"true"` // to an agent, at a session's start
	} `json:"review"`

	// Sources are the sources that are searched besides the project.
	Sources struct {
		AgentAll bool     `json:"agent_all" default:"false"`
		Notes    string   `json:"notes" default:"read" words:"read|move|leave"`
		Roots    []string `json:"roots" items:"16"`
	} `json:"sources" only:"user"`
	Sessions struct { // past ones, to search
		Enabled bool     `json:"enabled" default:"true"`
		Exclude []string `json:"exclude" items:"1000"`
		Keep    bool     `json:"keep" default:"false"`
	} `json:"sessions" only:"user"`
	Hub struct {
		URL       string `json:"url"`
		TimeoutMS int    `json:"timeout_ms" default:"1000" min:"50" max:"60000"`
	} `json:"hub" only:"user"`
	Meaning MeaningConfig `json:"meaning" only:"user"`
	Trust   struct {
		Team []string `json:"team" items:"1000"` // remotes of repositories whose memories are never new
	} `json:"trust" only:"user"`

	// Descriptions holds every category description of the file, including those
	// of unknown categories, sorted by category.
	Descriptions []Description `json:"-"`
}

// CategoryConfig holds the settings of one category.
type CategoryConfig struct {
	Enabled       bool   `json:"enabled" default:"true"`
	Folder        string `json:"folder" words:"<folder>"` // that of the category
	Description   string `json:"description"`
	AutoCapture   bool   `json:"auto_capture" default:"true"` // at the end of a session
	RetentionDays int    `json:"retention_days" default:"0" session_summary:"90" max:"36500"`
	MaxRetained   int    `json:"max_retained" default:"0" session_summary:"5" max:"1000000"`
}

// Captures reports whether an agent is asked for memories of a category.
func (c Config) Captures(category Category) bool {
	settings := c.Categories[category]
	return settings.Enabled && settings.AutoCapture
}

// Off lists the categories that are not in use.
func (c Config) Off() (off []Category) {
	for _, info := range Categories {
		if !c.Categories[info.Category].Enabled {
			off = append(off, info.Category)
		}
	}
	return off
}

// OwnPurpose says what a category is for in the user's words, "" if they are those of memctl.
func (c Config) OwnPurpose(category Category) string {
	info, _ := category.Info()
	if own := c.Categories[category].Description; own != info.Purpose {
		return own
	}
	return ""
}

// Description is the purpose of a category, in the user's words.
type Description struct {
	Category string
	Text     string
}

// RetrievalConfig holds the settings of the prompt hook.
type RetrievalConfig struct {
	Enabled   bool `json:"enabled" default:"true"`
	MaxInject int  `json:"max_inject" default:"5" new:"8" max:"20"`
	UserShare int  `json:"user_share" default:"2" max:"20"`
	// A file without the key keeps the ranking that it was written for.
	MatchStrategy string `json:"match_strategy" default:"title_tags" new:"hybrid" words:"title_tags|hybrid"`
	Disclosure    string `json:"disclosure" default:"index" words:"index|smart"`
	Announce      bool   `json:"announce" default:"true"`
	Record        bool   `json:"record" default:"true"`
	MaxTokens     int    `json:"max_tokens" default:"400" max:"10000" only:"retrieval.match_strategy=hybrid"`
	StartTokens   int    `json:"start_tokens" default:"1500" max:"10000"`
	OnceASession  bool   `json:"once_a_session" default:"true" only:"retrieval.match_strategy=hybrid"`
	RepeatLoaded  bool   `json:"repeat_loaded" default:"false"`
	Hybrid        struct {
		MinStrength float64 `json:"min_strength" default:"0.075" max:"1"`
	} `json:"hybrid" only:"retrieval.match_strategy=hybrid"`
	LimitSet bool `json:"-"` // the file has a max_inject
}

// maxLines is how many memories a prompt receives by default with the strategy "hybrid".
const maxLines = 8

// Limit returns how many memories one prompt receives at most: MaxInject, but maxLines for
// hybrid where the file does not say.
func (r RetrievalConfig) Limit() int {
	if r.MatchStrategy == Hybrid && !r.LimitSet {
		return maxLines
	}
	return r.MaxInject
}

// GivesOnce reports whether a session gets a memory only once. title_tags gives what
// version 5 gave.
func (r RetrievalConfig) GivesOnce() bool { return r.OnceASession && r.MatchStrategy == Hybrid }

// TriageConfig holds the settings of the stop hook.
type TriageConfig struct {
	Enabled     bool                 `json:"enabled" default:"true"`
	Strategy    string               `json:"strategy" default:"keywords" new:"moments" words:"keywords|moments"`
	Hint        bool                 `json:"hint" default:"true" only:"triage.strategy=moments"`
	MaxMessages int                  `json:"max_messages" default:"50" min:"10" max:"200" only:"triage.strategy=keywords"`
	Thresholds  map[Category]float64 `json:"thresholds" default:"0.4" constraint:"0.5" session_summary:"0.6" max:"1" only:"triage.strategy=keywords" always:"session_summary"`
	Parallel    ParallelConfig       `json:"parallel" only:"triage.strategy=keywords"`
	// NoDescriptions is set if the section is not an object: as in version 5, triage
	// then does without the descriptions of the categories.
	NoDescriptions bool `json:"-"`
}

// Moments is the triage.strategy that counts what people and agents say, and asks seldom.
const Moments = "moments"

// Hints reports whether an agent is told when to save a memory.
func (t TriageConfig) Hints() bool { return t.Enabled && t.Hint && t.Strategy == Moments }

// ParallelConfig holds the models that draft memories in parallel.
type ParallelConfig struct {
	Enabled bool `json:"enabled" default:"true"`

	CategoryModels map[Category]string `json:"category_models" default:"<model>" words:"haiku|sonnet|opus" case:"any"`

	VerificationModel string `json:"verification_model" default:"sonnet" words:"haiku|sonnet|opus" case:"any"`
	DefaultModel      string `json:"default_model" default:"haiku" words:"haiku|sonnet|opus" case:"any"`
}

// ObservationsConfig holds the settings of tool observations.
type ObservationsConfig struct {
	// Enabled is false by default: tools are only observed once the user agreed.
	Enabled       bool     `json:"enabled" default:"false"`
	ExcludedTools []string `json:"excluded_tools"`
	RetentionDays int      `json:"retention_days" default:"30" max:"36500"`
	MaxMB         int      `json:"max_mb" default:"64" max:"1000000"`
}

// What Config.Sources.Notes says of the notes that Claude Code keeps.
const (
	ReadNotes  = "read"  // prompts and searches find them
	MoveNotes  = "move"  // likewise; install makes memories of them, and switches the client's own memory off
	LeaveNotes = "leave" // memctl does not read them
)

// MeaningConfig holds which server makes vectors of texts.
type MeaningConfig struct {
	Endpoint       string `json:"endpoint"`
	API            string `json:"api" default:"openai" words:"openai|ollama"`
	Model          string `json:"model"`
	QueryPrefix    string `json:"query_prefix"`
	DocumentPrefix string `json:"document_prefix"`
	BudgetMS       int    `json:"budget_ms" default:"150" min:"10" max:"5000"`
	Rerank         string `json:"rerank"`
	RerankModel    string `json:"rerank_model"`
}

// OllamaAPI is the MeaningConfig.API of Ollama's own protocol.
const OllamaAPI = "ollama"

// configVersion is the version of memory-config.json that this program knows, and the
// only one there has been.
const configVersion = "1.0"

// CheckVersion returns an error if a later memctl wrote the file. Its settings may mean
// something else now, so a person must not work with what is left of them.
func (c Config) CheckVersion() error {
	if c.SchemaVersion == configVersion {
		return nil
	}
	return text.WithHint(fmt.Errorf("memory-config.json: a later version of memctl wrote it: "+
		"its schema_version is %q, and this memctl knows %s", c.SchemaVersion, configVersion), "update memctl")
}

// Undecided reports whether the file, nil for none, does not have a setting SECTION.NAME.
func Undecided(data []byte, key string) bool {
	var sections map[string]json.RawMessage
	if data != nil && decodeObject(data, &sections) != nil {
		return false
	}
	section, name, _ := strings.Cut(key, ".")
	var settings map[string]json.RawMessage
	_ = json.Unmarshal(sections[section], &settings) // one that is no object says nothing
	return settings[name] == nil
}
