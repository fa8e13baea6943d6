package main

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"time"
)

// report is the whole outcome, as -json writes it.
type report struct {
	Started time.Time     `json:"started"`
	OS      string        `json:"os"`
	Arch    string        `json:"arch"`
	CPUs    int           `json:"cpus"`
	Memctl  string        `json:"memctl"`
	SQLite3 string        `json:"sqlite3"`
	Runs    int           `json:"runs"`
	Tokens  []tokenRow    `json:"tokens"`
	Server  serverReport  `json:"server"`
	Stores  []storeReport `json:"stores"`
}

// storeReport is about one size.
type storeReport struct {
	Memories     int      `json:"memories"`
	Selective    prompt   `json:"selective"`
	Broad        prompt   `json:"broad"`
	Measurements []result `json:"measurements"`
}

// result is what came of one measurement. Times are in milliseconds.
type result struct {
	Name     string  `json:"name"`
	What     string  `json:"what"`
	MedianMS float64 `json:"median_ms"`
	MinMS    float64 `json:"min_ms"`
	CPUMS    float64 `json:"cpu_ms"`
	PeakMiB  float64 `json:"peak_mib"`
	// PeakAtFloor says that the peak is an upper bound only.
	PeakAtFloor bool     `json:"peak_at_floor"`
	Figures     []figure `json:"figures"`
	Samples     samples  `json:"samples"`
}

func newReport(p *programs, opts options) *report {
	return &report{
		Started: time.Now(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
		CPUs:    runtime.NumCPU(),
		Memctl:  p.memctlVersion,
		SQLite3: p.sqlite3Version,
		Runs:    opts.runs,
	}
}

func newStoreReport(b *testbed, list []measurement, all map[string]samples) storeReport {
	s := storeReport{Memories: b.size, Selective: b.selective, Broad: b.broad}
	for _, m := range list {
		s.Measurements = append(s.Measurements, newResult(b.size, m, all))
	}
	return s
}

func newResult(size int, m measurement, all map[string]samples) result {
	runs := all[m.name]
	r := result{
		Name:     m.name,
		What:     m.what,
		MedianMS: median(runs.wallMS()),
		MinMS:    slices.Min(runs.wallMS()),
		CPUMS:    median(runs.cpuMS()),
		Samples:  runs,
	}
	r.PeakMiB, r.PeakAtFloor = runs.peakMiB()
	for _, g := range m.goals {
		r.Figures = append(r.Figures, g.figure(size, m.name, all))
	}
	return r
}

func (r *report) write(path string) error {
	if path == "" {
		return nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
