package review

import (
	"memctl/observe"
	"memctl/text"
)

// manyBroken is in how many sessions a rule was broken that is Broken.
const manyBroken = 3

// reviewBroken reports rules that sessions have broken again and again since they were last updated, although they had
// them at an act.
func (v *reviewer) reviewBroken() {
	if !v.wants(Broken) {
		return
	}
	record, err := observe.ReadVerdicts(v.root)
	if err != nil {
		v.note("which rules were kept is unknown: %s", text.Printable(err.Error()))
		return
	}
	given, broken := map[string]int{}, map[string]int{}
	updated := map[string]*memory{}
	for _, m := range v.memories {
		updated[m.path] = m
	}
	for _, s := range observe.RulesInSessions(record, func(string) bool { return false }) {
		m := updated[s.Path]
		if m == nil || s.Time.Before(m.updated) {
			continue
		}
		if given[s.Path]++; s.Outcome == observe.RuleBroken {
			broken[s.Path]++
		}
	}
	for _, m := range v.memories {
		if n := broken[m.path]; n >= manyBroken {
			v.add(m, Finding{Kind: Broken, Weight: n, Command: edit(m),
				Parts: why("broken in %d of the %d sessions that had it at an act", n, given[m.path])})
		}
	}
}

// reviewNever reports standing rules that no session has been given at any moment, as far back as the record goes.
func (v *reviewer) reviewNever() {
	if !v.wants(Never) {
		return
	}
	record, err := observe.ReadRecord(v.root)
	if err != nil {
		v.note("which memories sessions were given is unknown: %s", text.Printable(err.Error()))
		return
	}
	since := v.Now.AddDate(0, 0, -v.Days)
	given, sessions := map[string]bool{}, map[string]bool{}
	for _, in := range record {
		if in.GivenAt() == "" {
			continue
		}
		if in.Session != "" && in.Time.After(since) {
			sessions[in.Session] = true
		}
		for _, path := range in.Memories {
			given[path] = true
		}
	}
	if len(record) == 0 || record[0].Time.After(since) || len(sessions) == 0 {
		if !v.wants(Unused) { // whose note says it
			v.note("the record of what sessions were given is too short, so rules that were never given are unknown")
		}
		return
	}
	v.never = map[string]bool{}
	for _, m := range v.memories {
		if !m.stands || m.since.IsZero() || m.since.After(since) || given[m.path] || !observe.HasPlainID(m.path) {
			continue
		}
		v.never[m.path] = true
		v.add(m, Finding{Kind: Never, Weight: v.daysSince(m.since), Command: edit(m),
			Parts: why("a standing rule, and none of %s of the last %d days was given it",
				text.Counted(len(sessions), "session", "sessions"), v.Days)})
	}
}
