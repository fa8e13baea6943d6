package web

import (
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
)

// questions are the settings that people choose, each asked as a question, by what a person wants. Their words are in
// texts.json, from ask.KEY on: the question, ".about" what changes, ".is.VALUE" a choice, ".unit" of a number, and
// ".said" and ".said.VALUE" the sentence after a change.
var questions = []struct {
	name string // the end of a text's key
	keys []string
}{
	{"told", []string{"retrieval.enabled", "retrieval.max_inject", "retrieval.start_tokens", "retrieval.user_share",
		"retrieval.announce"}},
	{"acts", []string{"moments.tools", "moments.pause", "moments.ask"}},
	{"saved", []string{"triage.enabled", "capture.review"}},
	{"kept", []string{"git.history", "auto_commit", "delete.grace_period_days"}},
	{"sessions", []string{"observations.enabled", "sessions.enabled"}},
	{"finds", []string{"retrieval.hybrid.min_strength", "sources.notes", "meaning.endpoint"}},
}

// isQuestion reports whether a setting is one of the questions.
func isQuestion(key string) bool {
	for _, group := range questions {
		if slices.Contains(group.keys, key) {
			return true
		}
	}
	return false
}

// settingText returns a text of a setting, "" if it has none.
func settingText(lang, key, part string) string {
	if texts()["ask."+key+part] == nil {
		return ""
	}
	return translate(lang, "ask."+key+part)
}

// namesOf names a setting in a language, and says what it changes: a question in the words of texts.json, any other
// setting in those of the schema.
func namesOf(lang string, s schemas.Setting) (name, about string) {
	name, about, _ = strings.Cut(inLanguage(lang)(s.Purpose), ". ")
	if own := settingText(lang, s.Key, ""); own != "" {
		name = own
	}
	if own := settingText(lang, s.Key, ".about"); own != "" {
		about = own
	} else if condition := s.Condition(); condition != "" {
		about += " " + inLanguage(lang)(condition)
	}
	name = strings.TrimSuffix(name, ".")
	if path := strings.Split(s.Key, "."); path[0] == "categories" {
		name = translate(lang, "category."+path[1]) + ": " + name
	}
	return name, about
}

// searched is what a setting is found by in any language.
func searched(s schemas.Setting) string {
	all := []string{s.Key, strings.NewReplacer("_", " ", ".", " ").Replace(s.Key)}
	for _, lang := range languages {
		name, about := namesOf(lang, s)
		all = append(all, name, about, inLanguage(lang)(s.Purpose))
	}
	return strings.Join(all, " ")
}

// valueInWords returns a value of a setting as a person says it.
func valueInWords(lang string, s schemas.Setting, value string) string {
	if own := settingText(lang, s.Key, ".is."+value); own != "" {
		return own
	}
	if _, isBool := s.Default.(bool); isBool {
		return translate(lang, "settings.is."+value)
	}
	if value == "" {
		return translate(lang, "nothing")
	}
	return value + settingText(lang, s.Key, ".unit")
}

// saidOf says that a setting now has a value.
func saidOf(v *visit, s schemas.Setting, value string) string {
	if own := settingText(v.lang, s.Key, ".said."+value); own != "" {
		return own
	}
	if key := "ask." + s.Key + ".said"; texts()[key] != nil {
		return translate(v.lang, key, value)
	}
	name, _ := namesOf(v.lang, s)
	return v.t("settings.saved", name, valueInWords(v.lang, s, value))
}

// savedSentences say what a change of the file has changed. A preset that was chosen is one sentence.
func savedSentences(v *visit, root files.Root, after []byte, keys []string, preset string) (notes []string) {
	c, _ := schemas.DecodeConfig(after)
	ofPreset := preset != "" && presetOf(c) == preset
	if ofPreset {
		changed := len(presetMoves(preset, v.config))
		notes = append(notes, v.t("settings.said."+preset), v.t("settings.changes", changed))
	}
	for _, s := range schemas.Settings() {
		if !slices.Contains(keys, s.Key) || ofPreset && s.Preset(preset) != nil {
			continue
		}
		note := saidOf(v, s, inputOfSetting(s, c).Value)
		if v.PostFormValue("unset") == s.Key {
			note += " " + v.t("settings.as-new")
		} else if s.NoEffect(c, root.Scope == files.UserScope) != "" {
			note += " " + v.t("settings.idle")
		}
		notes = append(notes, note)
	}
	return notes
}

// ownMix is the state of settings that match no preset.
const ownMix = "mix"

// presetOf names the preset that a configuration matches, ownMix if there is none.
func presetOf(c schemas.Config) string {
	for _, name := range schemas.Presets {
		if len(presetMoves(name, c)) == 0 {
			return name
		}
	}
	return ownMix
}

// presetMoves lists the settings that a preset changes, each with its value in the preset.
func presetMoves(name string, c schemas.Config) (list []settingInput) {
	for _, s := range schemas.Settings() {
		value := s.Preset(name)
		if value == nil || string(value) == string(s.In(c).Value) {
			continue
		}
		in := inputOfSetting(s, c)
		in.Value = plainValue(value)
		list = append(list, in)
	}
	return list
}

// presetChoice is one control for the settings of the presets.
type presetChoice struct {
	State    string   // of the file
	Chosen   string   // as it was sent, or the state
	Names    []string // of what can be chosen
	Previews []presetPreview
}

// presetPreview lists the settings that a preset changes.
type presetPreview struct {
	Name  string
	Count int
	Moves []settingInput
}

func presetsOf(v *visit) presetChoice {
	p := presetChoice{State: presetOf(v.config), Names: slices.Clone(schemas.Presets)}
	p.Chosen = p.State
	if p.State == ownMix {
		p.Names = append(p.Names, ownMix)
	}
	if sent := v.PostFormValue("preset"); slices.Contains(p.Names, sent) {
		p.Chosen = sent
	}
	for _, name := range schemas.Presets {
		moves := presetMoves(name, v.config)
		for i := range moves {
			moves[i].describe(v.lang)
		}
		if len(moves) > 0 {
			p.Previews = append(p.Previews, presetPreview{name, len(moves), moves})
		}
	}
	return p
}

// chosenPreset is the preset that a person has chosen anew, "" for none.
func chosenPreset(v *visit) string {
	if chosen := v.PostFormValue("preset"); chosen != v.PostFormValue("was.preset") {
		return chosen
	}
	return ""
}

// describe completes an input with the words that people read and search.
func (in *settingInput) describe(lang string) {
	in.Name, in.About = namesOf(lang, in.Setting)
	in.Words, in.Unit = searched(in.Setting), settingText(lang, in.Key, ".unit")
	in.Now, in.Usual = valueInWords(lang, in.Setting, in.Was), valueInWords(lang, in.Setting, in.Fallback)
	in.To = valueInWords(lang, in.Setting, in.Value)
	for i, c := range in.Choices {
		in.Choices[i].Label = valueInWords(lang, in.Setting, c.Value)
	}
}

// settingInput returns a setting as the page asks for it. Where git may keep the history of a new project, neither
// answer is the default.
func (s *Server) settingInput(v *visit, setting schemas.Setting) settingInput {
	in := inputOfSetting(setting, v.config)
	ofUser := s.Root.Scope == files.UserScope
	in.Idle = setting.NoEffect(v.config, ofUser) != ""
	if setting.Key == "git.history" && !ofUser && git.InRepository(s.Root.Path) {
		in.Changed, in.Fallback = false, ""
	}
	in.describe(v.lang)
	if !ofUser && isQuestion(setting.Key) && setting.NoEffect(v.config, true) == "" && in.Idle {
		if mine, err := files.UserConfig(); err == nil { // else the project's are shown
			in.Mine = valueInWords(v.lang, setting, inputOfSetting(setting, mine).Value)
		}
	}
	return in
}
