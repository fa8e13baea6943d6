package web

import (
	"context"
	"strconv"
	"time"

	"memctl/features/doctor"
	"memctl/schemas"
)

// healthPage shows the results of the commands doctor and validate.
type healthPage struct {
	doctor.HealthReport
	Report     doctor.Report // with the verdict
	Validation doctor.Validation
	Warnings   []schemas.Warning
}

// health is a page without what takes a moment: that comes from checks.
func (s *Server) health(v *visit) (answer, error) {
	return answer{page: "health", title: v.t("nav.health"), data: nil}, nil
}

// checks runs all of doctor's checks, and says what the root holds.
func (s *Server) checks(v *visit) (answer, error) {
	p := healthPage{Warnings: v.warnings}
	now := time.Now()
	var err error
	if p.Report, err = s.diagnose(v.Context(), now, false); err != nil {
		return answer{}, err
	}
	p.Report.Verdict = verdictOf(p.Report)
	s.verdicts.put(strconv.Itoa(v.changes), p.Report.Verdict)
	if p.HealthReport, err = doctor.Health(v.Context(), s.Root, now); err != nil {
		return answer{}, err
	}
	p.Validation, err = doctor.Validate(v.Context(), s.Root)
	return answer{page: "checks", title: v.t("nav.health"), data: p}, err
}

// verdict is doctor's, of clients, hooks, memories and the last review, since files changed last.
// It stands in the menu of each page.
func (s *Server) verdict(v *visit) (answer, error) {
	key := strconv.Itoa(v.changes)
	if s.verdicts.get(key) == "" {
		report, err := s.diagnose(v.Context(), time.Now(), true)
		if err != nil {
			return answer{}, err
		}
		s.verdicts.put(key, verdictOf(report))
	}
	return answer{page: "health", title: v.t("nav.health"), data: nil}, nil
}

// verdictOf is the word of the pages for what doctor finds: broken only if memories do not reach the agent.
func verdictOf(report doctor.Report) doctor.Verdict {
	if report.Verdict == doctor.Broken && report.Reaches() {
		return doctor.Attention
	}
	return report.Verdict
}

// diagnose runs doctor's checks. It fails if nobody waits for them any more: then some may have failed for that alone.
func (s *Server) diagnose(ctx context.Context, now time.Time, quick bool) (doctor.Report, error) {
	report, err := doctor.Run(ctx, doctor.Options{Version: s.Version, Places: s.Places, Now: now, Quick: quick,
		Checks: s.Checks})
	if err == nil {
		err = ctx.Err()
	}
	return report, err
}
