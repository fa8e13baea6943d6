package child

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// Serve runs the jobs that arrive on in and writes a result for each to out,
// until in ends.
func Serve(in io.Reader, out io.Writer) error {
	debug.SetGCPercent(10) // stay small
	jobs, results := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var job Job
		if err := jobs.Decode(&job); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r, err := run(job)
		if err != nil {
			r.Problem = err.Error()
		}
		if err := results.Encode(r); err != nil {
			return err
		}
	}
}

func run(job Job) (r Result, err error) {
	files, err := openAll(job)
	defer closeAll(files)
	if err != nil {
		return r, err
	}
	runtime.GC() // not while the program runs
	start := time.Now()
	process, err := os.StartProcess(job.Args[0], job.Args, &os.ProcAttr{Files: files})
	if err != nil {
		return r, err
	}
	state, err := process.Wait()
	r.WallNS = time.Since(start).Nanoseconds()
	if err != nil {
		return r, err
	}
	r.CPUNS = (state.UserTime() + state.SystemTime()).Nanoseconds()
	r.Exit = state.ExitCode()
	r.Peak, r.Floor = peak(state), ownPeak()
	return r, nil
}

// openAll opens the program's standard streams.
func openAll(job Job) ([]*os.File, error) {
	in, err := os.Open(job.Stdin)
	if err != nil {
		return nil, err
	}
	files := []*os.File{in}
	for _, path := range []string{job.Stdout, job.Stderr} {
		file, err := os.Create(path)
		if err != nil {
			return files, err
		}
		files = append(files, file)
	}
	return files, nil
}

func closeAll(files []*os.File) {
	for _, file := range files {
		file.Close()
	}
}
