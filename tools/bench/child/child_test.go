package child

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestMain makes the test program its own runner.
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_RUNNER") == "" {
		os.Exit(m.Run())
	}
	if err := Serve(os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

func startRunner(t *testing.T) *Runner {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(t.Context(), self, t.TempDir(), append(os.Environ(), "BENCH_RUNNER=1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// goVersion is a job with any program that is sure to be there.
func goVersion(t *testing.T, args ...string) Job {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	return Job{
		Args:   append([]string{path}, args...),
		Stdin:  os.DevNull,
		Stdout: filepath.Join(dir, "out"),
		Stderr: filepath.Join(dir, "err"),
	}
}

func TestRunSaysWhatAProgramTook(t *testing.T) {
	job := goVersion(t, "version")
	got, err := startRunner(t).Run(job)
	if err != nil {
		t.Fatal(err)
	}
	if got.WallNS <= 0 || got.CPUNS <= 0 || got.Exit != 0 {
		t.Errorf("got %+v", got)
	}
	if out, _ := os.ReadFile(job.Stdout); len(out) == 0 {
		t.Error("its output was lost")
	}
}

func TestFailingProgramIsNoError(t *testing.T) {
	got, err := startRunner(t).Run(goVersion(t, "nonsense"))
	if err != nil || got.Exit != 2 {
		t.Errorf("got exit status %d, %v", got.Exit, err)
	}
}

func TestMissingProgramIsAnErrorAndTheRunnerGoesOn(t *testing.T) {
	r, job := startRunner(t), goVersion(t, "version")
	missing := job
	missing.Args = []string{filepath.Join(t.TempDir(), "missing")}
	if _, err := r.Run(missing); err == nil {
		t.Error("no error")
	}
	if _, err := r.Run(job); err != nil {
		t.Error(err)
	}
}

func TestPeakIsNotTheParents(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no peak here")
	}
	ballast := make([]byte, 256<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1 // make it resident
	}
	got, err := startRunner(t).Run(goVersion(t, "version"))
	runtime.KeepAlive(ballast)
	if err != nil {
		t.Fatal(err)
	}
	if got.Peak == 0 || got.Peak > 128<<20 {
		t.Errorf("peak %d MiB", got.Peak>>20)
	}
	if got.Floor == 0 || got.Floor > 32<<20 {
		t.Errorf("the runner has grown to %d MiB", got.Floor>>20)
	}
}
