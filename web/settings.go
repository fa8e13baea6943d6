package web

import (
	"crypto/md5"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

// settingsPage is the configuration as one form for each setting.
type settingsPage struct {
	Hash     string // of the file that is shown
	Sections []settingSection
	Warnings []schemas.Warning
	Conflict bool
}

type settingSection struct {
	Name     string
	Settings []settingInput
}

// settingInput is a setting as a person types it.
type settingInput struct {
	schemas.Setting
	Name     string   // without the section
	Value    string   // in the file, or as it was sent
	Fallback string   // the default
	Changed  bool     // the file has another value than the default
	Choices  []string // a single one cannot be changed
	Step     string   // of a number
	Min, Max float64
	Problem  string
}

func (s *Server) settings(v *visit) (answer, error) {
	return s.settingsAnswer(v, http.StatusOK, "", nil)
}

// settingsAnswer is the page with the settings, one of which has a problem, or "" for none.
func (s *Server) settingsAnswer(v *visit, status int, wrong string, problem error) (answer, error) {
	data, err := s.Root.ReadConfig()
	p := settingsPage{Hash: hashOf(data), Warnings: v.warnings, Conflict: status == http.StatusConflict}
	for _, setting := range schemas.Settings() {
		section, name, nested := strings.Cut(setting.Key, ".")
		if !nested {
			section, name = "", setting.Key
		}
		i := slices.IndexFunc(p.Sections, func(s settingSection) bool { return s.Name == section })
		if i < 0 {
			p.Sections = append(p.Sections, settingSection{Name: section})
			i = len(p.Sections) - 1
		}
		in := inputOfSetting(setting, v.config)
		if in.Name = name; setting.Key == wrong {
			in.Problem, in.Value = problem.Error(), typed(v.PostForm, "value")
		}
		p.Sections[i].Settings = append(p.Sections[i].Settings, in)
	}
	return answer{page: "settings", title: v.t("nav.settings"), data: p, status: status}, err
}

func hashOf(data []byte) string { return fmt.Sprintf("%x", md5.Sum(data)) }

func inputOfSetting(s schemas.Setting, c schemas.Config) settingInput {
	now := s.In(c)
	in := settingInput{
		Setting: s, Value: plainValue(now.Value), Fallback: plainValue(now.Default),
		Changed: string(now.Value) != string(now.Default),
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
	return in
}

var errSettingsChanged = errors.New("memory-config.json has changed")

// configure changes one setting in the file that was shown.
func (s *Server) configure(v *visit) (answer, error) {
	key := v.PostFormValue("key")
	all := schemas.Settings()
	i := slices.IndexFunc(all, func(s schemas.Setting) bool { return s.Key == key })
	if i < 0 {
		return answer{}, errNoPage
	}
	setting, edit := all[i], all[i].Unset
	if v.PostFormValue("unset") == "" {
		value, err := setting.Parse(typed(v.PostForm, "value"))
		if err != nil {
			return s.settingsAnswer(v, http.StatusUnprocessableEntity, key, err)
		}
		edit = func(data []byte) ([]byte, error) { return setting.Set(data, value) }
	}
	changed := false
	a, err := s.change(s.Root, func(_ *store.Store, w *writer.Writer) (string, []string, error) {
		err := w.Configure(v.Context(), func(data []byte) ([]byte, error) {
			if changed = hashOf(data) != v.PostFormValue("hash"); changed {
				return nil, errSettingsChanged
			}
			return edit(data)
		})
		return "/settings", []string{v.t("settings.saved", key)}, err
	})
	if changed {
		return s.settingsAnswer(v, http.StatusConflict, "", nil)
	}
	a.goTo += "#" + key
	return a, err
}
