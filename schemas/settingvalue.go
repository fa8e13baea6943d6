package schemas

import (
	"encoding/json"
	"strings"
)

// userOnly is the value of the tag only of settings that other roots than the user's cannot change.
const userOnly = "user"

// Description says what the setting is for, and when it takes effect.
func (s Setting) Description() string {
	return strings.TrimSpace(s.Purpose + " " + s.Condition())
}

// Condition is a sentence that says when the setting takes effect, "" for always.
func (s Setting) Condition() string {
	key, value, _ := strings.Cut(s.only, "=")
	switch s.only {
	case "":
		return ""
	case userOnly:
		return "Only the user's own configuration applies."
	}
	return "Only with " + key + " " + value + "."
}

// IsUsers reports whether only the user's own configuration can change the setting.
func (s Setting) IsUsers() bool { return s.only == userOnly }

// NoEffect says why the setting has no effect in a configuration, "" if it has one. ofUser says
// whether the configuration is the user's own.
func (s Setting) NoEffect(c Config, ofUser bool) string {
	key, value, _ := strings.Cut(s.only, "=")
	switch s.only {
	case "":
		return ""
	case userOnly:
		if ofUser {
			return ""
		}
		return "it applies only in your own settings (--user)"
	}
	is := String(Setting{Key: key}.In(c).Value)
	if is == value {
		return ""
	}
	return "it applies only with " + key + " " + value + ", and that is " + is
}

// SettingValue is a setting with its value in a configuration.
type SettingValue struct {
	Key         string          `json:"key"`
	Value       json.RawMessage `json:"value"`
	Default     json.RawMessage `json:"default"`
	Description string          `json:"description"`
	// NoEffect says why the value has no effect in the root, "" if it has one.
	NoEffect string `json:"no_effect,omitempty"`
}

// SettingChange is a setting that was changed in the file.
type SettingChange struct {
	Status string          `json:"status"` // "set" or "unset"
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Before json.RawMessage `json:"before"`
	// Initial reports that the file has the value of a new root after unset, because without the
	// key it would be another one.
	Initial  bool   `json:"initial,omitempty"`
	NoEffect string `json:"no_effect,omitempty"` // as of a SettingValue
}

// In returns the setting with its value in a configuration.
func (s Setting) In(c Config) SettingValue {
	c.Retrieval.MaxInject = c.Retrieval.Limit() // what a file without the key means depends on the strategy
	value, _ := json.Marshal(c)                 // strings, numbers and booleans: cannot fail
	for name := range strings.SplitSeq(s.Key, ".") {
		var section map[string]json.RawMessage
		_ = json.Unmarshal(value, &section) // Config has every section of the table
		value = section[name]
	}
	return SettingValue{Key: s.Key, Value: value, Default: encoded(s.Default), Description: s.Description()}
}

// Changed reports whether the value is not the default.
func (v SettingValue) Changed() bool { return string(v.Value) != string(v.Default) }
