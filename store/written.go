package store

import (
	"context"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/writer"
)

// SetAside checks a file that something else has written. It renames an invalid one, so that
// memctl does not read it, and returns the new path and what is wrong. There are no violations
// if the file is valid or gone, or if a valid one has taken its place meanwhile.
func SetAside(
	ctx context.Context, root memdir.Root, at string,
) (aside string, violations []schemas.Violation, err error) {
	if violations = writer.CheckPath(root, at); len(violations) == 0 {
		return "", nil, nil
	}
	return setAside(ctx, root, at, violations)
}

func setAside(
	ctx context.Context, root memdir.Root, at string, violations []schemas.Violation,
) (string, []schemas.Violation, error) {
	aside, err := root.SetAside(ctx, at, time.Now(), func(aside string) bool {
		now := writer.CheckAside(root, aside, at)
		if len(now) > 0 {
			violations = now
		}
		return len(now) == 0
	})
	if aside == "" && err == nil {
		return "", nil, nil
	}
	return aside, violations, err
}

// Private says what a file of a root holds that memctl would not have stored, "" for nothing.
func Private(root memdir.Root, at string) (string, error) {
	cfg, _, err := root.Config()
	if err != nil {
		cfg = schemas.DefaultConfig()
	}
	data, err := root.ReadFile(at)
	if err != nil {
		return "", nil // removed since
	}
	m, err := schemas.DecodeExact(data)
	if err != nil {
		return "", err
	}
	return m.Withheld(cfg.Privacy.Filter()).String(), nil
}
