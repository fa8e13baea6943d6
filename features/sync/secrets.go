package sync

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// cleaned returns a commit that may be sent: the one that it is given, or, if a commit before it has a secret or
// another file, one that has their changes alone.
func (r *repository) cleaned(ctx context.Context, tip, theirs string) (string, error) {
	t, err := r.trees(ctx, tip, theirs)
	if err != nil {
		return "", err
	}
	if err := r.checkSecrets(ctx, t[0], theirs); err != nil {
		return "", err
	}
	since := []string{tip}
	if theirs != "" {
		since = append(since, "^"+theirs)
	}
	blobs, err := r.git(ctx, slices.Concat([]string{"rev-list", "--objects", "--filter=object:type=blob",
		"--filter-provided-objects"}, since)...)
	if err != nil {
		return "", err
	}
	messages, err := r.git(ctx, append([]string{"log", "--format=%an%n%ae%n%cn%n%ce%n%B"}, since...)...)
	if err != nil {
		return "", err
	}
	_, report := r.w.Filter().Lines(messages)
	outgoing, clean := tree{}, !report.Found()
	for line := range strings.Lines(blobs) {
		id, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		clean = clean && goesAlong(at)
		outgoing[at+"\x00"+id] = id
	}
	if clean && r.checkSecrets(ctx, outgoing, "") == nil {
		return tip, nil
	}
	r.notice("earlier commits contained something that must not be sent: they were sent as one commit without it")
	return r.commit(ctx, branch, t[0], message(changes(t[1], t[0])), theirs)
}

// checkSecrets returns an error if a file has something private that a commit does not have.
func (r *repository) checkSecrets(ctx context.Context, t tree, since string) error {
	before, err := r.trees(ctx, since)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(changes(before[0], t), 500) {
		var ids []string
		for _, at := range some {
			ids = append(ids, t[at])
		}
		if err := r.load(ctx, ids...); err != nil {
			return err
		}
		for _, at := range some {
			data, isHere := r.data[t[at]]
			if t[at] == "" {
				continue
			}
			if !isHere {
				return fmt.Errorf("nothing was sent: %s is too large", text.Brief(at))
			}
			if err := r.checkSecret(at, data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *repository) checkSecret(key string, data []byte) error {
	at, _, _ := strings.Cut(key, "\x00")
	field, report := "", privacy.Report{}
	doc, err := schemas.DecodeExact(data)
	isReadable := isMemory(at) && err == nil
	if isReadable {
		fields := doc.Redact(r.w.Filter())
		for _, f := range slices.Backward(fields) {
			if f.Report.Found() {
				field, report = f.Path, f.Report
			}
		}
	} else {
		_, report = r.w.Filter().Lines(string(data))
	}
	if !report.Found() {
		return nil
	}
	hint := "run \"memctl scrub --root " + text.ShellWord(r.root.Path) + " " + text.ShellWord(at) +
		"\", then sync again"
	if !isReadable {
		hint = "change " + text.ShellWord(r.root.Join(at)) + " by hand, then sync again"
	}
	where := text.Brief(at)
	if field != "" {
		where += ": " + text.Brief(field)
	}
	return text.WithHint(fmt.Errorf("nothing was sent: %s has %s", where, report.String()), hint)
}
