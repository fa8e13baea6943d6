package retrieve

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// Searcher turns prompts into queries by a project's settings.
type Searcher struct {
	Config   schemas.Config
	synonyms text.Synonyms
	// Had is what a session has got, for Explain; nil for no session.
	Had map[memdir.Version]bool
}

// NewSearcher reads the project's synonyms, if its strategy uses them. It skips bad
// lines. If the file cannot be read, it returns the error and a Searcher without
// synonyms.
func NewSearcher(root memdir.Root, cfg schemas.Config) (Searcher, error) {
	s := Searcher{Config: cfg}
	if cfg.Retrieval.MatchStrategy != schemas.Hybrid {
		return s, nil
	}
	data, err := root.ReadSynonyms()
	s.synonyms, _ = text.ParseSynonyms(string(data))
	return s, err
}

// Query asks for at most limit memories, however weak their evidence.
func (s Searcher) Query(prompt string, limit int) Query {
	if s.Config.Retrieval.MatchStrategy == schemas.Hybrid {
		return NewHybridQuery(prompt, s.synonyms, limit)
	}
	return NewQuery(prompt, s.Config.Descriptions, limit, time.Now())
}

// Prompt asks for what the prompt hook injects.
func (s Searcher) Prompt(prompt string) Query {
	q := s.Query(prompt, s.Config.Retrieval.MaxInject)
	q.UserShare = s.Config.Retrieval.UserShare
	if q.Strategy == schemas.Hybrid {
		q.MaxTokens = s.Config.Retrieval.MaxTokens
		q.Floor = s.Config.Retrieval.Hybrid.MinEvidence
	}
	return q
}

// Silence says why the prompt hook injects nothing for a prompt and its query, whatever
// memories there are. It returns "" if the hook searches.
func (s Searcher) Silence(prompt string, q Query) string {
	if reason := Unsearched(prompt); reason != "" {
		return reason
	}
	if q.Strategy == schemas.TitleTags && utf8.RuneCountInString(strings.TrimSpace(prompt)) < minPrompt {
		return tooShort
	}
	if !s.Config.Retrieval.Enabled || s.Config.Retrieval.MaxInject == 0 {
		return SwitchedOff
	}
	if q.Empty() {
		return NoWords
	}
	return ""
}

const (
	// minPrompt is the shortest prompt that says enough, in letters. For title_tags a
	// syllable counts as a letter.
	minPrompt = 10
	// maxPrompt is the longest prompt, in bytes. A longer one is pasted data that
	// mentions everything.
	maxPrompt = 1 << 20
)

// Reasons of Silence that lie in the settings and in the words of a prompt.
const (
	SwitchedOff = "retrieval is switched off in memory-config.json"
	NoWords     = "the prompt has no words to search for"
	tooShort    = "the prompt is shorter than 10 characters" // minPrompt
)

// Unsearched says why the prompt hook does not search for a prompt: the user did
// not type it, or it says too little. It returns "" for any other prompt.
func Unsearched(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	switch {
	case len(prompt) > maxPrompt:
		size := float64(len(prompt)) / 1e6
		return fmt.Sprintf("the prompt is %.1f MB, more than %d MB are not searched", size, maxPrompt>>20)
	case letters(prompt) < minPrompt:
		return tooShort
	case isSlashCommand(prompt):
		return "the prompt is a slash command"
	case strings.HasPrefix(prompt, "<task-notification>"):
		return "the prompt is a task notification"
	}
	return ""
}

// letters counts the characters of s: a syllable or an ideograph as three, because it says
// as much as three letters. 커밋해줘 is as long as "commit this".
func letters(s string) int {
	n := 0
	for _, r := range s {
		n++
		if unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			n += 2
		}
	}
	return n
}

// isSlashCommand distinguishes "/memplug:hello there" from "/usr/bin/env is missing".
func isSlashCommand(prompt string) bool {
	name, found := strings.CutPrefix(prompt, "/")
	name, _, _ = strings.Cut(name, " ")
	name, _, _ = strings.Cut(name, "\n")
	return found && name != "" && !strings.ContainsAny(name, "/.")
}
