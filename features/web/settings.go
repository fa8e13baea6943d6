package web

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

// settingsPage is the configuration as one form.
type settingsPage struct {
	Preset    presetChoice
	Questions []settingSection
	More      []settingSection // the other settings, behind the search
	Count     int              // of those
	Changed   []settingInput   // since the root was new
	Problems  []settingInput
	Warnings  []schemas.Warning
}

type settingSection struct {
	Name     string // of a group of questions, or of a section; "" for settings of no section
	Settings []settingInput
}

// settingInput is a setting as a person types it.
type settingInput struct {
	schemas.Setting
	Name, About string
	Words       string   // that it is found by
	Unit        string   // of a number
	Value       string   // in the file, or as it was sent
	Was         string   // in the file when the person saw it
	Fallback    string   // the default
	Changed     bool     // the file has another value than the default
	Idle        bool     // it has no effect in this root
	Mine        string   // the value in the person's own settings, in words, if only those have an effect
	Now, Usual  string   // Was and Fallback in words
	To          string   // Value in words
	Choices     []choice // a single one cannot be changed
	Step        string   // of a number
	Min, Max    float64
	Problem     error
}

func (s *Server) settings(v *visit) (answer, error) {
	return s.settingsAnswer(v, http.StatusOK, nil)
}

// settingsAnswer is the page with the settings, as they were sent if some have problems, by key.
func (s *Server) settingsAnswer(v *visit, status int, problems map[string]error) (answer, error) {
	p := settingsPage{Preset: presetsOf(v), Warnings: v.warnings}
	for _, group := range questions {
		p.Questions = append(p.Questions, settingSection{Name: group.name})
	}
	for _, setting := range schemas.Settings() {
		in := s.settingInput(v, setting)
		if in.Changed {
			p.Changed = append(p.Changed, in)
		}
		if len(problems) > 0 && v.PostForm.Has("v."+setting.Key) {
			in.Value, in.Problem = typed(v.PostForm, "v."+setting.Key), problems[setting.Key]
		}
		if in.Problem != nil {
			p.Problems = append(p.Problems, in)
		}
		list, name := &p.Questions, groupOf(setting.Key)
		if name == "" {
			list, p.Count = &p.More, p.Count+1
			if section, _, nested := strings.Cut(setting.Key, "."); nested {
				name = section
			}
		}
		i := slices.IndexFunc(*list, func(s settingSection) bool { return s.Name == name })
		if i < 0 {
			i = len(*list)
			*list = append(*list, settingSection{Name: name})
		}
		(*list)[i].Settings = append((*list)[i].Settings, in)
	}
	return answer{page: "settings", title: v.t("nav.settings"), data: p, status: status}, nil
}

func hashOf(data []byte) string { return fmt.Sprintf("%x", md5.Sum(data)) }

func inputOfSetting(s schemas.Setting, c schemas.Config) settingInput {
	now := s.In(c)
	in := settingInput{Setting: s, Value: plainValue(now.Value), Fallback: plainValue(now.Default)}
	in.Changed = now.Changed()
	in.Min, in.Max = s.Range()
	switch s.Default.(type) {
	case bool:
		in.Choices = []choice{{Value: "true"}, {Value: "false"}}
	case string:
		for _, value := range s.Values() {
			in.Choices = append(in.Choices, choice{Value: value})
		}
	case int:
		in.Step = "1"
	case float64:
		in.Step = "any"
	case []string: // Setting.Parse reads a list as JSON
		in.Value, in.Fallback = string(now.Value), string(now.Default)
	}
	in.Was = in.Value
	return in
}

var errSettingsChanged = errors.New("memory-config.json has changed")

// configure saves the settings that a person changed. Those that changed in the file meanwhile
// stay, unless the person changed them too: then nothing is saved.
func (s *Server) configure(v *visit) (answer, error) {
	before, err := s.Root.ReadConfig()
	if err != nil {
		return answer{}, err
	}
	v.config, v.warnings = schemas.DecodeConfig(before)
	v.warningsInWords()
	after, problems, keys := before, map[string]error{}, []string(nil)
	for _, setting := range schemas.Settings() {
		edit, err := editOf(v, setting)
		if err == nil && edit != nil {
			keys = append(keys, setting.Key)
			after, err = edit(after)
		}
		if err != nil {
			problems[setting.Key] = inWords{err, v.lang}
		}
	}
	conflict := func(err error) bool { return errors.Is(err, errSettingsChanged) }
	switch {
	case slices.ContainsFunc(slices.Collect(maps.Values(problems)), conflict):
		return s.settingsAnswer(v, http.StatusConflict, problems)
	case len(problems) > 0:
		return s.settingsAnswer(v, http.StatusUnprocessableEntity, problems)
	case len(keys) == 0:
		return answer{goTo: "/settings"}, nil
	}
	a, err := s.change(s.Root, func(_ *store.Store, w *writer.Writer) (outcome, error) {
		notes := savedSentences(v, s.Root, after, keys, chosenPreset(v))
		r := outcome{page: "/settings", notes: notes, before: "/settings"}
		r.undo = func(ctx context.Context, w *writer.Writer) error {
			return replaceConfig(ctx, w, after, before)
		}
		return r, replaceConfig(v.Context(), w, before, after)
	})
	a.goTo += "#" + keys[0]
	return a, err
}

// editOf is the change of a setting that a person wants, nil for none. What was typed goes before a preset that was
// chosen.
func editOf(v *visit, setting schemas.Setting) (func([]byte) ([]byte, error), error) {
	if v.PostFormValue("unset") == setting.Key {
		return setting.Unset, nil
	}
	key, now := "v."+setting.Key, inputOfSetting(setting, v.config).Value
	input, was := typed(v.PostForm, key), typed(v.PostForm, "was."+setting.Key)
	wanted := v.PostForm.Has(key) && input != was
	if value := setting.Preset(chosenPreset(v)); value != nil && !wanted {
		input, wanted = plainValue(value), true
	}
	switch {
	case !wanted, input == now:
		return nil, nil
	case was != now:
		return nil, fmt.Errorf("%w: it says %s now; save again for yours", errSettingsChanged, now)
	}
	value, err := setting.Parse(input)
	return func(data []byte) ([]byte, error) { return setting.Set(data, value) }, err
}

// replaceConfig replaces what memory-config.json says, if it still says that.
func replaceConfig(ctx context.Context, w *writer.Writer, from, to []byte) error {
	if to == nil {
		to = []byte("{}\n")
	}
	return w.Configure(ctx, func(data []byte) ([]byte, error) {
		if !bytes.Equal(data, from) {
			return nil, errSettingsChanged
		}
		return to, nil
	})
}
