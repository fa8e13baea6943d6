package schemas

import "strings"

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
		return "Only the user's own configuration counts."
	}
	return "Only with " + key + " " + value + "."
}

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
