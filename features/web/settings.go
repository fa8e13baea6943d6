package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"memctl/files"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

// settingsPage is the configuration as one form.
type settingsPage struct {
	Sections []settingSection // the first has what differs from the defaults
	Presets  []string         // that change something
	Warnings []schemas.Warning
	Refused  bool
}

type settingSection struct {
	Name     string // "" for settings of no section
	Differs  bool
	Settings []settingInput
}

// settingInput is a setting as a person types it.
type settingInput struct {
	schemas.Setting
	Value    string   // in the file, or as it was sent
	Was      string   // in the file when the person saw it
	Fallback string   // the default
	Changed  bool     // the file has another value than the default
	Idle     bool     // it has no effect in this root
	Choices  []string // a single one cannot be changed
	Step     string   // of a number
	Min, Max float64
	Problem  error
}

func (s *Server) settings(v *visit) (answer, error) {
	return s.settingsAnswer(v, http.StatusOK, nil)
}

// settingsAnswer is the page with the settings, as they were sent if some have problems, by key.
func (s *Server) settingsAnswer(v *visit, status int, problems map[string]error) (answer, error) {
	p := settingsPage{Warnings: v.warnings, Refused: len(problems) > 0, Sections: []settingSection{{Differs: true}}}
	for _, name := range schemas.Presets {
		if slices.ContainsFunc(schemas.Settings(), func(s schemas.Setting) bool {
			value := s.Preset(name)
			return value != nil && string(value) != string(s.In(v.config).Value)
		}) {
			p.Presets = append(p.Presets, name)
		}
	}
	for _, setting := range schemas.Settings() {
		in := inputOfSetting(setting, v.config)
		in.Idle = setting.NoEffect(v.config, s.Root.Scope == files.UserScope) != ""
		if p.Refused && v.PostForm.Has("v."+setting.Key) {
			in.Value, in.Problem = typed(v.PostForm, "v."+setting.Key), problems[setting.Key]
		}
		section, _, nested := strings.Cut(setting.Key, ".")
		if !nested {
			section = ""
		}
		i := slices.IndexFunc(p.Sections, func(s settingSection) bool { return s.Name == section && !s.Differs })
		switch {
		case in.Changed || in.Problem != nil:
			i = 0
		case i < 0:
			p.Sections = append(p.Sections, settingSection{Name: section})
			i = len(p.Sections) - 1
		}
		p.Sections[i].Settings = append(p.Sections[i].Settings, in)
	}
	return answer{page: "settings", title: v.t("nav.settings"), data: p, status: status}, nil
}

func hashOf(data []byte) string { return fmt.Sprintf("%x", md5.Sum(data)) }

func inputOfSetting(s schemas.Setting, c schemas.Config) settingInput {
	now := s.In(c)
	in := settingInput{
		Setting: s, Value: plainValue(now.Value), Fallback: plainValue(now.Default),
		Changed: now.Changed(),
	}
	in.Min, in.Max = s.Range()
	switch s.Default.(type) {
	case bool:
		in.Choices = []string{"true", "false"}
	case string:
		in.Choices = s.Values()
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
	after, problems, keys, reset := before, map[string]error{}, []string(nil), ""
	for _, setting := range schemas.Settings() {
		edit, err := editOf(v, setting)
		if err == nil && edit != nil {
			keys = append(keys, setting.Key)
			after, err = edit(after)
		}
		if v.PostFormValue("unset") == setting.Key {
			reset = v.t("settings.reset", setting.Key, inputOfSetting(setting, v.config).Fallback)
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
		r := outcome{page: "/settings", notes: []string{cmp.Or(reset, v.t("settings.saved", strings.Join(keys, ", ")))},
			before: "/settings"}
		r.undo = func(ctx context.Context, w *writer.Writer) error {
			return replaceConfig(ctx, w, after, before)
		}
		return r, replaceConfig(v.Context(), w, before, after)
	})
	a.goTo += "#" + keys[0]
	return a, err
}

// editOf is the change of a setting that a person wants, nil for none.
func editOf(v *visit, setting schemas.Setting) (func([]byte) ([]byte, error), error) {
	if v.PostFormValue("unset") == setting.Key {
		return setting.Unset, nil
	}
	if value := setting.Preset(v.PostFormValue("preset")); value != nil {
		return func(data []byte) ([]byte, error) { return setting.Set(data, value) }, nil
	}
	key, now := "v."+setting.Key, inputOfSetting(setting, v.config).Value
	input, was := typed(v.PostForm, key), typed(v.PostForm, "was."+setting.Key)
	switch {
	case !v.PostForm.Has(key), input == was, input == now:
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
