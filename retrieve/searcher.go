package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// Searcher turns prompts into queries by a project's settings.
type Searcher struct {
	Config   schemas.Config
	synonyms text.Synonyms
	// Model is the user's, nil for none.
	Model Model
	// Strict keeps Search to the strategy, because somebody asked for that one.
	Strict bool
	// Had lists the memories that were injected into a session, for Explain; nil for no session.
	Had map[files.Version]bool
	// Loaded reports what the client loads by itself, for Explain; nil for nothing.
	Loaded func(Result) bool
	// Cwd is Query.Cwd.
	Cwd string
}

// NewSearcher reads the project's synonyms, if its strategy uses them. It skips bad
// lines. If the file cannot be read, it returns the error and a Searcher without
// synonyms.
func NewSearcher(root files.Root, cfg schemas.Config) (Searcher, error) {
	s := Searcher{Config: cfg}
	if cfg.Retrieval.MatchStrategy != schemas.Hybrid {
		return s, nil
	}
	data, err := root.ReadSynonyms()
	s.synonyms, _ = text.ParseSynonyms(string(data))
	return s, err
}

// Query asks for at most limit memories, however weak.
func (s Searcher) Query(prompt string, limit int) Query {
	if s.Config.Retrieval.MatchStrategy == schemas.Hybrid {
		return s.hybrid(prompt, limit, SearchTime)
	}
	q := NewQuery(prompt, s.Config.Descriptions, limit, time.Now())
	q.Cwd = s.Cwd
	return q
}

func (s Searcher) hybrid(words string, limit int, patience time.Duration) Query {
	q := NewHybridQuery(words, s.synonyms, limit)
	q.Cwd = s.Cwd
	if s.Model != nil {
		q.Meaning = s.Model.Ask(words, s.Config.Privacy, patience)
	}
	return q
}

// Search ranks the memories that f selects for words. It is the search of every door: the prompt
// hook and explain ask the same query of what a person wrote, and leave out what is not relevant
// enough. If titles and tags find nothing, the full text is asked, unless s is strict.
func (s Searcher) Search(ctx context.Context, sources Sources, words string, f Filter) (Query, []Result, error) {
	q, results, err := s.ask(words, f, func(q Query) ([]Result, error) { return sources.Fresh(ctx, q) })
	results = results[:min(len(results), f.Limit)]
	if err == nil {
		err = sources.markNew(ctx, len(results), func(i int) (*Entry, files.Root) {
			return &results[i].Entry, results[i].Root
		})
	}
	return q, results, err
}

// ask ranks by the project's strategy, and by full text if that finds nothing. If no memory has the words, it asks for
// the phrases of the function words, and for two of the words written as one.
func (s Searcher) ask(words string, f Filter, rank func(Query) ([]Result, error)) (Query, []Result, error) {
	q := s.Query(words, f.Limit)
	q.Filter = f
	results, err := rank(q)
	if err == nil && len(results) == 0 && q.Strategy == schemas.TitleTags && !s.Strict {
		q = s.hybrid(words, f.Limit, SearchTime)
		q.Filter = f
		results, err = rank(q)
	}
	if err == nil && len(results) == 0 && q.Strategy == schemas.Hybrid {
		phrases := text.FunctionPhrases(words)
		for _, pair := range q.Prompt.Pairs {
			phrases = append(phrases, strings.ReplaceAll(pair, " ", ""))
		}
		q.Terms.Pairs, q.Prompt.Pairs = phrases, phrases
		results, err = rank(q)
	}
	return q, results, err
}

// Rows is Search as the first layer: see Sources.Index.
func (s Searcher) Rows(ctx context.Context, sources Sources, words string, f Filter) ([]Row, error) {
	if !f.AsOf.IsZero() {
		return s.rowsAsOf(ctx, sources, words, f)
	}
	q, results, err := s.Search(ctx, sources, words, f)
	if err != nil {
		return nil, err
	}
	return sources.Index(ctx, q, results)
}

// Prompt asks for the memories that the prompt hook injects.
func (s Searcher) Prompt(prompt string) Query {
	cfg := s.Config.Retrieval
	var q Query
	if cfg.MatchStrategy == schemas.Hybrid {
		own := text.Own(searched(prompt))
		q = s.hybrid(own, cfg.Limit(), 0)
		q.Chance, q.Off = cfg.Hybrid.MinStrength, s.Config.Off()
	} else {
		q = s.Query(prompt, cfg.Limit())
	}
	q.UserShare, q.Current = cfg.UserShare, true
	return q
}

// Silence says why the prompt hook injects nothing for a prompt and its query, whatever
// memories there are. It returns "" if the hook searches.
func (s Searcher) Silence(prompt string, q Query) string {
	if !s.Config.Retrieval.Enabled || s.Config.Retrieval.MaxInject == 0 {
		return SwitchedOff
	}
	if reason := Unsearched(prompt); reason != "" {
		return reason
	}
	switch {
	case q.Strategy == schemas.TitleTags && utf8.RuneCountInString(strings.TrimSpace(prompt)) < minPrompt:
		return tooShort
	case q.Strategy == schemas.TitleTags && isCommand(prompt):
		return slashCommand
	case q.Strategy == schemas.Hybrid && letters(strings.TrimSpace(text.Own(prompt))) < minPrompt:
		return pasted
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
	// slashCommand is the reason of a command without arguments, or of the client.
	slashCommand = "the prompt is a slash command"
	pasted       = "nearly all of the prompt is pasted"
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
	case isCommand(prompt) && searched(prompt) == "":
		return slashCommand
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

// isCommand distinguishes "/memplug:hello there" from "/usr/bin/env is missing".
func isCommand(prompt string) bool {
	name, _, found := cutCommand(prompt)
	return found && name != "" && !strings.ContainsAny(name, "/.")
}

// cutCommand divides a slash command into its name and its arguments.
func cutCommand(prompt string) (name, arguments string, found bool) {
	rest, found := strings.CutPrefix(strings.TrimSpace(prompt), "/")
	end := strings.IndexAny(rest, " \t\n")
	if end < 0 {
		end = len(rest)
	}
	return strings.TrimSpace(rest[:end]), strings.TrimSpace(rest[end:]), found
}

// builtIn are the commands of clients themselves, whose arguments are for the client.
var builtIn = strings.Fields(`
	add-dir agents approvals bashes bug chat clear color compact config context copy cost diff doctor effort exit
	export extensions fast feedback fork help hooks ide init install-github-app keybindings login logout mcp
	memories memory model new output-style permissions plan plugin plugins privacy-settings quit release-notes
	reload-plugins remote-control rename resume rewind sandbox settings skills stats status statusline theme tools
	upgrade usage vim`)

// searched returns what is searched for of a prompt: all of it, or the words of a custom
// slash command that has arguments.
func searched(prompt string) string {
	if !isCommand(prompt) {
		return prompt
	}
	name, arguments, _ := cutCommand(prompt)
	if arguments == "" || slices.Contains(builtIn, strings.ToLower(name)) {
		return ""
	}
	return strings.NewReplacer(":", " ", "-", " ").Replace(name) + " " + arguments
}
