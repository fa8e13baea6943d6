package schemas

import (
	_ "embed"
	"errors"
	"maps"
	"slices"
	"strings"

	"memctl/patterns"
)

// ConfigSchema is the public statement of memory-config.json: keys, types,
// ranges, defaults. A test holds it and this file equal; the hook does not pay
// for reading it.
//
//go:embed memory-config.schema.json
var ConfigSchema []byte

// InitialConfig is the file that a new memory root starts with: every key, at
// its default, and a description for each category.
//
//go:embed memory-config.default.json
var InitialConfig []byte

// The ranking strategies. TitleTags is DESIGN §4's weights on title tokens and
// whole tags, to the letter; Hybrid is full text (docs/ranking.md).
const (
	TitleTags = "title_tags"
	Hybrid    = "hybrid"
)

// Strategies lists the values of retrieval.match_strategy.
var Strategies = []string{TitleTags, Hybrid}

// Disclosures lists the values of retrieval.disclosure: a prompt receives the
// index, or more of what it certainly means.
var Disclosures = []string{"index", "smart"}

// Models are the models that may draft or verify a memory.
var Models = []string{"haiku", "sonnet", "opus"}

// Config is memory-config.json with every key resolved.
type Config struct {
	MemoryRoot             string                      `json:"memory_root"`
	Categories             map[Category]CategoryConfig `json:"categories"`
	AutoCommit             bool                        `json:"auto_commit"`
	MaxMemoriesPerCategory int                         `json:"max_memories_per_category"`
	Retrieval              RetrievalConfig             `json:"retrieval"`
	Triage                 TriageConfig                `json:"triage"`
	Delete                 DeleteConfig                `json:"delete"`
	Privacy                PrivacyConfig               `json:"privacy"`
	Observations           ObservationsConfig          `json:"observations"`
	// Descriptions holds every category description of the file, those of
	// categories that memctl does not know included, sorted by category.
	Descriptions []Description `json:"-"`
}

// CategoryConfig holds the settings of one category.
type CategoryConfig struct {
	Enabled     bool   `json:"enabled"`
	Folder      string `json:"folder"`
	Description string `json:"description"`
	AutoCapture bool   `json:"auto_capture"`
	// RetentionDays is the age in days at which memories are retired; 0 is never.
	RetentionDays int `json:"retention_days"`
	// MaxRetained is how many memories stay active; 0 is all.
	MaxRetained int `json:"max_retained"`
}

// Description is what a category is for, in the user's words.
type Description struct {
	Category string
	Text     string
}

// RetrievalConfig holds the settings of the prompt hook.
type RetrievalConfig struct {
	Enabled bool `json:"enabled"`
	// MaxInject is how many memories one prompt receives, 0 to 20.
	MaxInject     int    `json:"max_inject"`
	MatchStrategy string `json:"match_strategy"`
	// Disclosure is how much a prompt receives of what it finds.
	Disclosure string       `json:"disclosure"`
	Hybrid     HybridConfig `json:"hybrid"`
}

// HybridConfig holds the settings of the strategy "hybrid".
type HybridConfig struct {
	// MinEvidence is the evidence that a memory needs to be injected, 0 to 2, in
	// units of one word of the prompt that only this memory has in its title.
	MinEvidence float64 `json:"min_evidence"`
}

// TriageConfig holds the settings of the stop hook.
type TriageConfig struct {
	Enabled bool `json:"enabled"`
	// MaxMessages is how many messages of the transcript are read, 10 to 200.
	MaxMessages int                  `json:"max_messages"`
	Thresholds  map[Category]float64 `json:"thresholds"`
	Parallel    ParallelConfig       `json:"parallel"`
	// NoDescriptions is set where the section is no object: as in v5, triage then
	// does without the categories' descriptions too.
	NoDescriptions bool `json:"-"`
}

// ParallelConfig names the models that draft memories side by side.
type ParallelConfig struct {
	Enabled           bool                `json:"enabled"`
	CategoryModels    map[Category]string `json:"category_models"`
	VerificationModel string              `json:"verification_model"`
	DefaultModel      string              `json:"default_model"`
}

// Encode renders the settings, categories by name.
func (p ParallelConfig) Encode() []byte {
	var b ObjectWriter
	b.Open("")
	b.Bool("enabled", p.Enabled)
	b.Open("category_models")
	for _, category := range slices.Sorted(maps.Keys(p.CategoryModels)) {
		b.Text(string(category), p.CategoryModels[category])
	}
	b.Close()
	b.Text("verification_model", p.VerificationModel)
	b.Text("default_model", p.DefaultModel)
	b.Close()
	return b.Bytes()
}

// DeleteConfig says what becomes of retired memories.
type DeleteConfig struct {
	GracePeriodDays int  `json:"grace_period_days"`
	ArchiveRetired  bool `json:"archive_retired"`
}

// PrivacyConfig says what is taken out of text before it reaches the disk. Secrets
// always are. Its fields are those of privacy.Options.
type PrivacyConfig struct {
	Formats           []string `json:"formats"`
	Marker            string   `json:"marker"`
	PreserveLineCount bool     `json:"preserveLineCount"`
	OnUnclosed        string   `json:"onUnclosed"`
	ExcludePatterns   []string `json:"excludePatterns"`
}

// The values of the privacy settings.
var (
	privacyFormats    = []string{"xml", "bracket", "comment"}
	privacyMarkers    = []string{"[PRIVATE]", "[REDACTED]", ""}
	privacyOnUnclosed = []string{"keep", "redact"}
)

func defaultPrivacy() PrivacyConfig {
	return PrivacyConfig{
		Formats:         slices.Clone(privacyFormats),
		Marker:          privacyMarkers[0],
		OnUnclosed:      privacyOnUnclosed[0],
		ExcludePatterns: []string{},
	}
}

// DefaultConfig is what holds where memory-config.json says nothing.
func DefaultConfig() Config {
	c := Config{
		MemoryRoot:             ".claude/memory",
		Categories:             map[Category]CategoryConfig{},
		MaxMemoriesPerCategory: 100,
		Retrieval:              RetrievalConfig{Enabled: true, MaxInject: 5, MatchStrategy: TitleTags, Disclosure: Disclosures[0], Hybrid: HybridConfig{MinEvidence: 0.45}},
		Triage: TriageConfig{
			Enabled:     true,
			MaxMessages: 50,
			Thresholds:  map[Category]float64{},
			Parallel: ParallelConfig{
				Enabled:           true,
				CategoryModels:    map[Category]string{},
				VerificationModel: "sonnet",
				DefaultModel:      "haiku",
			},
		},
		Delete:       DeleteConfig{GracePeriodDays: 30, ArchiveRetired: true},
		Privacy:      defaultPrivacy(),
		Observations: defaultObservations(),
	}
	for _, info := range Categories {
		c.Categories[info.Category] = CategoryConfig{Enabled: true, Folder: info.Folder, AutoCapture: true}
		c.Triage.Thresholds[info.Category] = 0.4
		c.Triage.Parallel.CategoryModels[info.Category] = "haiku"
	}
	sessions := c.Categories[SessionSummary]
	sessions.RetentionDays, sessions.MaxRetained = 90, 5
	c.Categories[SessionSummary] = sessions
	c.Triage.Thresholds[Constraint], c.Triage.Thresholds[SessionSummary] = 0.5, 0.6
	c.Triage.Parallel.CategoryModels[Decision] = "sonnet"
	c.Triage.Parallel.CategoryModels[Constraint] = "sonnet"
	return c
}

// DecodeConfig reads memory-config.json. It cannot fail: whatever is wrong is
// a warning that names the key, and that key's default holds.
func DecodeConfig(data []byte) (Config, []Warning) {
	c := DefaultConfig()
	root := &section{warnings: new([]Warning)}
	object, err := objectIn(data)
	if err != nil {
		root.warn("", err.Error(), "the defaults")
		return c, *root.warnings
	}
	root.fields = ObjectOf(object)
	root.fixedText("memory_root", &c.MemoryRoot)
	root.bool("auto_commit", &c.AutoCommit)
	root.int("max_memories_per_category", &c.MaxMemoriesPerCategory, 0, 1_000_000)
	if s := root.section("categories"); s != nil {
		c.readCategories(s)
	}
	if s := root.section("retrieval"); s != nil {
		s.bool("enabled", &c.Retrieval.Enabled)
		s.int("max_inject", &c.Retrieval.MaxInject, 0, 20)
		s.text("match_strategy", &c.Retrieval.MatchStrategy, Strategies...)
		if sub := s.section("hybrid"); sub != nil {
			sub.number("min_evidence", &c.Retrieval.Hybrid.MinEvidence, 0, 2)
			sub.done()
		}
		s.text("disclosure", &c.Retrieval.Disclosure, Disclosures...)
		s.done()
	}
	if s := root.section("triage"); s != nil {
		c.Triage.read(s)
	} else if root.value("triage") != nil {
		c.Triage.NoDescriptions = true
	}
	if s := root.section("delete"); s != nil {
		s.int("grace_period_days", &c.Delete.GracePeriodDays, 0, 36_500)
		s.bool("archive_retired", &c.Delete.ArchiveRetired)
		s.done()
	}
	if s := root.section("privacy"); s != nil {
		c.Privacy.read(s)
	}
	if s := root.section("observations"); s != nil {
		c.Observations.read(s)
	}
	root.done()
	return c, *root.warnings
}

// readCategories accepts category names in any case; of two spellings of one
// name the last wins. An unknown category keeps its description, which a prompt
// is shown, and is warned about.
func (c *Config) readCategories(s *section) {
	described := map[string]string{}
	s.foldKeys()
	for _, f := range s.fields {
		name := f.key
		category := Category(name)
		settings, known := c.Categories[category]
		sub := s.member(f)
		if sub == nil {
			continue
		}
		if !known {
			s.warn(f.key, "unknown category", "its description only")
			settings.Folder = name
		}
		sub.bool("enabled", &settings.Enabled)
		sub.fixedText("folder", &settings.Folder)
		sub.text("description", &settings.Description)
		sub.bool("auto_capture", &settings.AutoCapture)
		sub.int("retention_days", &settings.RetentionDays, 0, 36_500)
		sub.int("max_retained", &settings.MaxRetained, 0, 1_000_000)
		sub.done()
		described[name] = settings.Description
		if known {
			c.Categories[category] = settings
		}
	}
	for name, text := range described {
		if text != "" {
			c.Descriptions = append(c.Descriptions, Description{name, text})
		}
	}
	slices.SortFunc(c.Descriptions, func(a, b Description) int { return strings.Compare(a.Category, b.Category) })
}

func (t *TriageConfig) read(s *section) {
	s.bool("enabled", &t.Enabled)
	s.int("max_messages", &t.MaxMessages, 10, 200)
	if sub := s.section("thresholds"); sub != nil {
		sub.foldKeys()
		for _, info := range Categories {
			threshold := t.Thresholds[info.Category]
			sub.number(string(info.Category), &threshold, 0, 1)
			t.Thresholds[info.Category] = threshold
		}
		sub.done()
	}
	if sub := s.section("parallel"); sub != nil {
		t.Parallel.read(sub)
	}
	s.done()
}

func (p *PrivacyConfig) read(s *section) {
	s.texts("formats", &p.Formats, privacyFormats...)
	s.text("marker", &p.Marker, privacyMarkers...)
	s.bool("preserveLineCount", &p.PreserveLineCount)
	s.text("onUnclosed", &p.OnUnclosed, privacyOnUnclosed...)
	s.texts("excludePatterns", &p.ExcludePatterns)
	p.ExcludePatterns = slices.DeleteFunc(p.ExcludePatterns, func(pattern string) bool {
		_, err := patterns.Compile(pattern)
		if errors.Is(err, patterns.ErrNone) {
			return false // another will see
		}
		if err != nil {
			s.warn("excludePatterns", err.Error(), "the rest of it")
		}
		return err != nil
	})
	s.done()
}

func (p *ParallelConfig) read(s *section) {
	s.bool("enabled", &p.Enabled)
	s.word("verification_model", &p.VerificationModel, Models)
	s.word("default_model", &p.DefaultModel, Models)
	if sub := s.section("category_models"); sub != nil {
		for _, info := range Categories {
			model := p.CategoryModels[info.Category]
			sub.word(string(info.Category), &model, Models)
			p.CategoryModels[info.Category] = model
		}
		sub.done()
	}
	s.done()
}
