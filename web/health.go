package web

import (
	"time"

	"memctl/doctor"
	"memctl/retrieve"
	"memctl/schemas"
)

// healthPage is what the commands doctor and validate say.
type healthPage struct {
	doctor.HealthReport
	Report     doctor.Report // with the verdict
	Validation doctor.Validation
	Warnings   []schemas.Warning
	Redactions []retrieve.Redaction
	Bytes      int64 // of the memories' files
	Oldest     string
	Newest     string
}

func (s *Server) health(v *visit) (answer, error) {
	p := healthPage{Warnings: v.warnings}
	now := time.Now()
	var err error
	if p.HealthReport, err = doctor.Health(v.Context(), s.Root, now); err != nil {
		return answer{}, err
	}
	if p.Report, err = doctor.Run(v.Context(), s.diagnosis(now, true)); err != nil {
		return answer{}, err
	}
	if p.Validation, err = doctor.Validate(v.Context(), s.Root); err != nil {
		return answer{}, err
	}
	err = s.use(v.Context(), func(source retrieve.Source) (err error) {
		p.Redactions, err = source.Redactions(v.Context())
		return err
	})
	return answer{page: "health", title: v.t("nav.health"), data: p}, err
}

// checks runs all of doctor's checks, which takes a moment.
func (s *Server) checks(v *visit) (answer, error) {
	report, err := doctor.Run(v.Context(), s.diagnosis(time.Now(), false))
	return answer{page: "checks", title: v.t("checks.title"), data: report}, err
}

func (s *Server) diagnosis(now time.Time, quick bool) doctor.Options {
	return doctor.Options{Version: s.Version, Places: s.Places, Now: now, Quick: quick}
}
