package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// commitTimeout limits a commit: the user waits for it.
const commitTimeout = 5 * time.Second

// CommitFiles commits the files at paths, which are relative to a folder, as they are on disk
// or because they were removed. Nothing else that is staged goes with them. It does nothing
// where there is no git, or none that has these files: they may be ignored. No hook runs and
// nothing is signed, because both run programs and may wait for a person. After an error
// the repository is as it was.
func CommitFiles(ctx context.Context, dir string, paths []string, message string) error {
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	err := CheckWorkTree(ctx, dir)
	if errors.Is(err, ErrNoProgram) || errors.Is(err, ErrNoRepository) {
		return nil
	}
	if err != nil {
		return err
	}
	files, untracked, err := committable(ctx, dir, paths)
	if err != nil || len(files) == 0 {
		return err
	}
	if _, err := Run(ctx, dir, "symbolic-ref", "--quiet", "HEAD"); err != nil {
		return errors.New("no branch is checked out")
	}
	if err := checkUnfiltered(ctx, dir, files); err != nil {
		return err
	}
	if err := runOn(ctx, dir, untracked, "add", "--intent-to-add"); err != nil {
		return err
	}
	err = runOn(ctx, dir, files, "commit", "--quiet", "--only", "--no-verify", "--no-gpg-sign", "--message", message)
	if err == nil {
		return nil
	}
	if failed, ok := err.(*Error); ok && failed.Message == "" {
		err = nil // nothing has changed
	}
	// Where this fails too, an empty entry stays in git's index, which does no harm.
	_ = runOn(context.WithoutCancel(ctx), dir, untracked, "reset", "--quiet")
	return err
}

// committable returns those of the paths that git has or would take, and of these the ones
// that it does not have yet.
func committable(ctx context.Context, dir string, paths []string) (files, untracked []string, err error) {
	out, err := Run(ctx, dir, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
	wanted := map[string]bool{}
	for _, path := range paths {
		wanted[path] = true
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		tag, path, _ := strings.Cut(entry, " ")
		if wanted[path] {
			files = append(files, path)
		}
		if wanted[path] && tag == "?" {
			untracked = append(untracked, path)
		}
	}
	return files, untracked, err
}

// checkUnfiltered returns an error if a commit of the files would run a program that the
// repository names.
func checkUnfiltered(ctx context.Context, dir string, files []string) error {
	names := strings.NewReader(strings.Join(files, "\x00"))
	out, err := RunWith(ctx, dir, names, "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return err
	}
	for answer := range slices.Chunk(strings.Split(string(out), "\x00"), 3) { // path, "filter", value
		if len(answer) == 3 && answer[2] != "unspecified" && answer[2] != "unset" {
			return fmt.Errorf("git has the filter %q for it", answer[2])
		}
	}
	return nil
}

// runOn runs a command of git on files, if there are any.
func runOn(ctx context.Context, dir string, files []string, args ...string) error {
	if len(files) == 0 {
		return nil
	}
	options := []string{"--literal-pathspecs", "-c", "gc.auto=0", "-c", "maintenance.auto=false"}
	args = append(append(options, args...), "--pathspec-from-file=-", "--pathspec-file-nul")
	_, err := RunWith(ctx, dir, strings.NewReader(strings.Join(files, "\x00")), args...)
	return err
}
