package schemas

// ObservationsConfig holds the settings of tool observations.
type ObservationsConfig struct {
	// Enabled is false where the file says nothing: nobody is recorded unasked.
	Enabled bool `json:"enabled"`
	// ExcludedTools are names; one that ends with * stands for all that begin so.
	ExcludedTools []string `json:"excluded_tools"`
	// RetentionDays is the age at which gc removes a session's file; 0 is never.
	RetentionDays int `json:"retention_days"`
	// MaxMB is how much gc leaves, in megabytes of 1,000,000 bytes; 0 is all.
	MaxMB int `json:"max_mb"`
}

func defaultObservations() ObservationsConfig {
	return ObservationsConfig{ExcludedTools: []string{}, RetentionDays: 30, MaxMB: 64}
}

func (o *ObservationsConfig) read(s *section) {
	s.bool("enabled", &o.Enabled)
	s.texts("excluded_tools", &o.ExcludedTools)
	s.int("retention_days", &o.RetentionDays, 0, 36_500)
	s.int("max_mb", &o.MaxMB, 0, 1_000_000)
	s.done()
}

// ObservationsUndecided tells whether the file, nil for none, leaves open if tools
// are observed. The one that a root starts with does: nobody has been asked yet.
func ObservationsUndecided(data []byte) bool {
	if data == nil {
		return true
	}
	object, err := objectIn(data)
	if err != nil {
		return false
	}
	s := (&section{warnings: new([]Warning), fields: ObjectOf(object)}).section("observations")
	return s == nil || s.value("enabled") == nil
}

// Recording is the part of the configuration that a hook after every tool needs.
type Recording struct {
	Observations ObservationsConfig
	Privacy      PrivacyConfig
}

// DecodeRecording reads that part of memory-config.json and passes over the rest,
// which costs a third of DecodeConfig. A file that is no JSON object records
// nothing; what else is wrong, the other commands tell.
func DecodeRecording(data []byte) Recording {
	r := Recording{defaultObservations(), defaultPrivacy()}
	object, err := objectIn(data)
	if err != nil {
		return r
	}
	root := &section{warnings: new([]Warning), fields: ObjectOf(object)}
	if s := root.section("observations"); s != nil {
		r.Observations.read(s)
	}
	if s := root.section("privacy"); s != nil && r.Observations.Enabled {
		r.Privacy.read(s)
	}
	return r
}
