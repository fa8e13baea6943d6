package web

import (
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"memctl/schemas"
)

// settingsPage is the configuration as one form for each setting.
type settingsPage struct {
	Action, Token string
	Hash          string // of the file that is shown
	Sections      []settingSection
	Warnings      []schemas.Warning
	Conflict      bool
}

type settingSection struct {
	Name     string
	Settings []settingView
}

// settingView is a setting with the input that it takes.
type settingView struct {
	Key         string
	Name        string // without the section
	Description string
	Type        string // yes, number, choice, list or text
	Value       string
	Default     string
	IsDefault   bool
	Fixed       bool
	Step        string
	Min, Max    float64
	Choices     []choice
	Problem     string
}

func (s *Server) settings(v *visit) (answer, error) {
	p, err := s.settingsOf(v)
	return answer{page: "settings", title: v.t("nav.settings"), data: p}, err
}

func (s *Server) settingsOf(v *visit) (settingsPage, error) {
	action := s.access.base + "/settings"
	p := settingsPage{Action: action, Token: s.access.formToken(action), Warnings: v.warnings}
	data, err := s.Root.ReadConfig()
	p.Hash = hashOf(data)
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
		view := viewOfSetting(setting, v.config)
		view.Name = name
		p.Sections[i].Settings = append(p.Sections[i].Settings, view)
	}
	return p, err
}

func hashOf(data []byte) string { return fmt.Sprintf("%x", md5.Sum(data)) }

func viewOfSetting(s schemas.Setting, c schemas.Config) settingView {
	now := s.In(c)
	view := settingView{
		Key: s.Key, Description: s.Description, Type: "text", Value: typedValue(now.Value), Default: typedValue(now.Default),
		IsDefault: string(now.Value) == string(now.Default),
	}
	view.Min, view.Max = s.Range()
	switch s.Default.(type) {
	case bool:
		view.Type = "choice"
		view.Choices = choicesOf([]string{"true", "false"}, view.Value)
	case int:
		view.Type, view.Step = "number", "1"
	case float64:
		view.Type, view.Step = "number", "any"
	case []string:
		view.Type = "list"
	case string:
		if values := s.Values(); values != nil {
			view.Type, view.Fixed = "choice", len(values) == 1
			view.Choices = choicesOf(values, view.Value)
		}
	}
	return view
}

func choicesOf(values []string, chosen string) []choice {
	list := make([]choice, len(values))
	for i, value := range values {
		list[i] = choice{Value: value, Label: value, Chosen: value == chosen}
	}
	return list
}

// typedValue renders a value as Setting.Parse reads it: texts without quotes.
func typedValue(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
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
	setting := all[i]
	change := setting.Unset
	if v.PostFormValue("unset") == "" {
		value, err := setting.Parse(typed(v.PostForm, "value"))
		if err != nil {
			return s.refuseSetting(v, key, err)
		}
		change = func(data []byte) ([]byte, error) { return setting.Set(data, value) }
	}
	changed := false
	st, told := openStore(s.Root)
	w, err := st.Writer()
	if err != nil {
		return answer{}, err
	}
	err = w.Configure(v.Context(), func(data []byte) ([]byte, error) {
		if changed = hashOf(data) != v.PostFormValue("hash"); changed {
			return nil, errSettingsChanged
		}
		return change(data)
	})
	switch {
	case changed:
		p, err := s.settingsOf(v)
		p.Conflict = true
		return answer{page: "settings", title: v.t("nav.settings"), data: p, status: http.StatusConflict}, err
	case err != nil:
		return answer{}, err
	}
	return answer{goTo: "/settings?note=" + s.notices.put(append([]string{v.t("settings.saved", key)}, *told...)) + "#" + key}, nil
}

func (s *Server) refuseSetting(v *visit, key string, problem error) (answer, error) {
	p, err := s.settingsOf(v)
	for _, section := range p.Sections {
		for i := range section.Settings {
			if view := &section.Settings[i]; view.Key == key {
				view.Problem, view.Value = problem.Error(), typed(v.PostForm, "value")
			}
		}
	}
	return answer{page: "settings", title: v.t("nav.settings"), data: p, status: http.StatusUnprocessableEntity}, err
}
