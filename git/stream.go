package git

import (
	"bufio"
	"bytes"
	"context"
	"iter"
	"time"
)

// maxField limits the length of one string of Fields, in bytes.
const maxField = 8 << 20

// Fields runs git for a limited time and calls use with the strings of its output, each
// ended by a NUL, while git runs. If use does not take all of them, git is stopped.
func Fields(ctx context.Context, dir string, limit time.Duration, use func(iter.Seq[string]) error,
	args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := Command(ctx, dir, args...)
	stderr := &limited{left: 1 << 16}
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return failure(ctx, args, stderr, err)
	}
	fields := bufio.NewScanner(out)
	fields.Buffer(nil, maxField)
	fields.Split(splitNUL)
	all := true
	err = use(func(yield func(string) bool) {
		for fields.Scan() {
			if !yield(fields.Text()) {
				all = false
				return
			}
		}
	})
	if err == nil && ctx.Err() == nil {
		err = fields.Err()
	}
	if err != nil || !all {
		cancel()
		_ = cmd.Wait() // it was stopped
		return err
	}
	return failure(ctx, args, stderr, cmd.Wait())
}

// splitNUL is a bufio.SplitFunc.
func splitNUL(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
