package review

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
)

// reviewExpired reports constraints whose end date has passed.
func (v *reviewer) reviewExpired() {
	for _, m := range v.memories {
		over, ok := schemas.EndOf(m.content.Expires)
		if m.Category != schemas.Constraint || !ok || v.Now.Before(over) {
			continue
		}
		reason := text.Say("it expired on %s", strings.TrimSpace(m.content.Expires))
		v.add(m, Finding{Kind: Expired, Weight: v.daysSince(over), Parts: []text.Phrase{reason},
			Command:  retire(m, reason.String()),
			Evidence: []string{"content.expires: " + strings.TrimSpace(m.content.Expires)}})
	}
}

// reviewStatus reports memories whose own status says that they do not hold: what was given up, solved
// or switched off, and what was only proposed long ago.
func (v *reviewer) reviewStatus() {
	for _, m := range v.memories {
		statement, command, do := "content.status: "+m.content.Status, "", End
		switch {
		case m.Category == schemas.Constraint && m.content.Inactive:
			statement, command = "content.active: false", retire(m, "it is no longer active")
		case m.Category == schemas.Decision && m.content.Status == "deprecated",
			m.Category == schemas.TechDebt && (m.content.Status == "resolved" || m.content.Status == "wont_fix"):
			command = retire(m, "its status is "+m.content.Status)
		case m.Category == schemas.Decision && m.content.Status == "proposed" && !m.updated.IsZero() &&
			v.daysSince(m.updated) >= v.Days:
			command, do = edit(m), Finish
			if len(m.origins) > 0 {
				do = Read // many records are never marked as accepted, so the code has to say
			}
		default:
			continue
		}
		status := text.Say(strings.ReplaceAll(m.content.Status, "_", " "))
		reason := why("its status is %s", status)
		if m.content.Inactive {
			reason = why("it says that it is no longer active")
		} else if m.content.Status == "proposed" {
			reason = why("its status is %s for %d days", status, v.daysSince(m.updated))
		}
		v.add(m, Finding{Kind: Status, Weight: max(0, v.daysSince(m.updated)), Parts: reason, Command: command,
			Do: do, Evidence: []string{statement}})
	}
}

// reviewOpen reports sessions and tech debts whose next actions are old.
func (v *reviewer) reviewOpen() {
	for _, m := range v.memories {
		days := v.daysSince(m.updated)
		if m.updated.IsZero() || days < v.Days {
			continue
		}
		age := text.Say("%s ago", text.Counted(days, "day", "days"))
		actions := slices.DeleteFunc(slices.Clone(m.content.NextActions),
			func(s string) bool { return strings.TrimSpace(s) == "" })
		switch {
		case m.Category == schemas.SessionSummary && len(actions) > 0:
			v.add(m, Finding{Kind: Open, Weight: days, Command: retire(m, "its next actions are out of date"),
				Parts: why("%s from %s: %s", text.Counted(len(actions), "next action", "next actions"), age,
					text.OneLine(actions[0], 80))})
		case m.Category == schemas.TechDebt && (m.content.Status == "open" || m.content.Status == "in_progress"):
			v.add(m, Finding{Kind: Open, Weight: days, Command: edit(m),
				Parts: why("it is %s, and was last updated %s",
					text.Say(strings.ReplaceAll(m.content.Status, "_", " ")), age)})
		}
	}
}

// reviewUnused reports memories that no prompt has received for some time, as far back as
// the record of injections goes.
func (v *reviewer) reviewUnused() {
	if !v.wants(Unused) {
		return
	}
	injections, err := observe.ReadInjections(v.root)
	if err != nil {
		v.note("which memories prompts received is unknown: %s", text.Printable(err.Error()))
		return
	}
	since := v.Now.AddDate(0, 0, -v.Days)
	last := map[string]time.Time{}
	prompts := 0
	for _, in := range injections {
		if in.Time.After(since) {
			prompts++
		}
		for _, p := range in.Memories {
			last[p] = in.Time
		}
	}
	switch {
	case len(injections) == 0:
		v.note("no prompt is on record, so unused memories are unknown")
		return
	case injections[0].Time.After(since):
		v.note("the record of prompts begins on %s, so memories that were not used for %s are unknown",
			day(injections[0].Time), text.Plural(v.Days, "day", "days"))
		return
	case prompts == 0:
		v.note("no prompt of the last %s received a memory, so unused memories are unknown",
			text.Plural(v.Days, "day", "days"))
		return
	}
	for _, m := range v.memories {
		if m.since.IsZero() || m.since.After(since) || last[m.path].After(since) || !observe.HasPlainID(m.path) ||
			v.never[m.path] {
			continue
		}
		reason, at := why("not among the memories of the last %s", text.Counted(prompts, "prompt", "prompts")),
			v.daysSince(m.since)
		if when, ok := last[m.path]; ok {
			reason = append(reason, text.Say("last received on %s", day(when)))
			at = v.daysSince(when)
		}
		v.add(m, Finding{Kind: Unused, Weight: at, Parts: reason,
			Command: retire(m, fmt.Sprintf("unused for %d days", v.Days))})
	}
}
