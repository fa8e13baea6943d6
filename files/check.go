package files

import "context"

// Check examines the settings of a feature in a project, which has no Path if there is no root, and in the user's
// configuration. Doctor runs it.
type Check func(ctx context.Context, project Root, report CheckReport)

// CheckReport receives the results of checks. Check names one, and fix says what to do.
type CheckReport interface {
	OK(check, format string, args ...any)
	Warn(check, fix, format string, args ...any)
	Fail(check, fix, format string, args ...any)
}
