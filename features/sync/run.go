package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"memctl/cmd/command"
	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
)

const (
	// lockName is the lock that keeps two syncs apart, syncWait how long one waits for it.
	lockName = files.IndexName + ".sync.lock"
	syncWait = 30 * time.Second
	// writerWait is how long a sync waits for another writer.
	writerWait = 10 * time.Second
	// maxTries is how often a push is tried that another machine was ahead of.
	maxTries = 5
	// maxShown is how many memories an answer and a message name.
	maxShown = 20
)

// Synced is the answer of a sync.
type Synced struct {
	Root      string     `json:"root"`
	Remote    string     `json:"remote"`
	DryRun    bool       `json:"dry_run"`
	SetUp     bool       `json:"set_up"` // this run set it up
	Sent      Moved      `json:"sent"`
	Received  Moved      `json:"received"`
	Conflicts []Conflict `json:"conflicts"` // all that are open
	Notices   []string   `json:"notices"`
}

// Moved are memories that were sent or received.
type Moved struct {
	Count    int     `json:"count"`
	Memories []Entry `json:"memories"` // the first ones
}

// More is how many are not named.
func (m Moved) More() int { return m.Count - len(m.Memories) }

// Entry is a memory that was sent or received.
type Entry struct {
	Path   string `json:"path"`
	Title  string `json:"title"`
	Change string `json:"change"` // added, changed or removed
}

// Conflict is a memory in conflict.
type Conflict struct {
	Memory  string `json:"memory"`
	Fields  string `json:"fields"`
	Resolve string `json:"resolve"` // the command that decides it
}

// locked runs fn on the files of the root while nobody else writes there.
func (r *repository) locked(ctx context.Context, fn func(ours tree) error) error {
	lock, err := r.root.LockExclusive(ctx, files.WriteLock, writerWait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	ours, err := r.read()
	if err = cmp.Or(err, r.root.RemoveTemps()); err != nil {
		return err
	}
	return fn(ours)
}

// sync commits, fetches, merges and pushes.
func (r *repository) sync(ctx context.Context, s *Synced) error {
	lock, err := r.root.LockExclusive(ctx, lockName, syncWait)
	if errors.Is(err, files.ErrLocked) {
		err = text.WithHint(errors.New("another sync is running on this machine"), "try again when it has finished")
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if !s.DryRun {
		if err := errors.Join(r.writeMachine(ctx), r.goOn(ctx, s)); err != nil {
			return err
		}
	}
	if err := r.save(ctx, s.DryRun); err != nil {
		return err
	}
	for range maxTries {
		theirs, err := r.fetch(ctx)
		if err != nil {
			return withHint(err, "check \"git -C "+text.ShellWord(r.root.Path)+" remote -v\" and your rights; "+later)
		}
		tip, err := r.integrate(ctx, s, theirs)
		if err != nil || s.DryRun || tip == theirs {
			return err
		}
		if tip, err = r.cleaned(ctx, tip, theirs); err != nil {
			return err
		}
		pushed, err := r.push(ctx, tip)
		if err != nil {
			return withHint(err, later)
		}
		if pushed {
			t, err := r.trees(ctx, theirs, tip)
			return cmp.Or(err, r.list(ctx, &s.Sent, t[0], t[1]))
		}
	}
	return text.WithHint(errors.New("other machines kept pushing first"), "run it again")
}

const later = "what was saved is committed here, and the next sync sends it"

// withHint gives a hint to an error that has none.
func withHint(err error, hint string) error {
	if errors.Is(err, git.ErrUnreachable) {
		hint = later
	}
	return text.WithHint(err, cmp.Or(text.Hint(err), hint))
}

// goOn completes a merge that was interrupted: of a sync, or one that a person began with git.
func (r *repository) goOn(ctx context.Context, s *Synced) error {
	begun, err := r.commits(ctx, pending, "MERGE_HEAD")
	for _, theirs := range begun {
		if err == nil && theirs != "" {
			err = r.check(ctx, theirs)
		}
		if err == nil && theirs != "" {
			_, err = r.integrate(ctx, s, theirs)
		}
	}
	if err != nil {
		return err
	}
	if begun[1] != "" {
		_, err = r.git(ctx, "merge", "--quit")
	}
	_, left := r.git(ctx, "update-ref", "-d", pending)
	return cmp.Or(err, left)
}

// save commits the memories as they are.
func (r *repository) save(ctx context.Context, dryRun bool) error {
	return r.locked(ctx, func(ours tree) error {
		known, err := r.commits(ctx, branch)
		if err != nil {
			return err
		}
		t, err := r.trees(ctx, known[0])
		if err == nil {
			ours, err = r.readable(ctx, ours, t[0])
		}
		if err != nil {
			return err
		}
		changed := changes(t[0], ours)
		if len(changed) == 0 {
			return nil
		}
		if err := r.checkSecrets(ctx, ours, known[0]); err != nil || dryRun {
			return err
		}
		_, err = r.commit(ctx, branch, ours, message(changed), known[0])
		return err
	})
}

// readable returns files, with the committed version of each memory that can no longer be read: no other machine gets a
// file that is being edited or is damaged. Files with git's markers stay as they are.
func (r *repository) readable(ctx context.Context, ours, committed tree) (tree, error) {
	r.broken = nil
	side := maps.Clone(ours)
	for _, at := range changes(committed, ours) {
		data := r.data[ours[at]]
		if !isMemory(at) || committed[at] == "" || ours[at] == "" || schemas.ConflictLine(data) > 0 {
			continue
		}
		_, problem := schemas.Decode(data)
		if problem == nil {
			continue
		}
		if err := r.load(ctx, committed[at]); err != nil {
			return nil, err
		}
		if _, err := schemas.Decode(r.data[committed[at]]); err != nil {
			continue // it never was one
		}
		side[at] = committed[at]
		r.broken = append(r.broken, at)
		r.notice("%s cannot be read, so it is not sent: %v", at, problem)
	}
	return side, nil
}

// checkTwins returns an error if another machine sends a memory whose name differs only in case from that of a file
// here.
func (r *repository) checkTwins(ours, merged tree) error {
	for _, odd := range r.odd {
		for at := range merged {
			if ours[at] == "" && strings.EqualFold(at, odd) {
				return text.WithHint(
					fmt.Errorf("another machine sent %s, and %s is here", text.Brief(at), text.Brief(odd)),
					"rename "+text.ShellWord(r.root.Join(odd))+", then sync again")
			}
		}
	}
	return nil
}

// message is that of a commit. It names memories.
func message(paths []string) string {
	paths = slices.DeleteFunc(slices.Clone(paths), func(at string) bool { return !isMemory(at) })
	if len(paths) == 0 {
		return "Sync other files\n"
	}
	shown := paths[:min(len(paths), maxShown)]
	return fmt.Sprintf("Sync %s\n\n%s\n", command.Memories(len(paths)), strings.Join(shown, "\n"))
}

// integrate merges a commit of another machine into the root, and returns the commit that has both. A dry run only
// says what would come of it.
func (r *repository) integrate(ctx context.Context, s *Synced, theirs string) (tip string, err error) {
	known, err := r.commits(ctx, branch)
	tip, base := known[0], "" // none: they have no common history
	if err == nil && theirs != "" && tip != "" {
		base, err = r.optional(ctx, "merge-base", tip, theirs)
	}
	if err != nil || !s.DryRun && theirs == base {
		return tip, err
	}
	err = r.locked(context.WithoutCancel(ctx), func(ours tree) error {
		t, err := r.trees(ctx, base, theirs, tip)
		if err != nil {
			return err
		}
		ours, err = r.readable(ctx, ours, t[2])
		if err != nil {
			return err
		}
		side := maps.Clone(ours)
		for at, id := range ours { // a merge by hand left git's markers
			if isMemory(at) && t[2][at] != "" && schemas.ConflictLine(r.data[id]) > 0 {
				side[at] = t[2][at]
			}
		}
		m, err := r.merge(ctx, t[0], side, t[1])
		if err != nil {
			return err
		}
		var ids []string
		for _, at := range changes(ours, m.tree) {
			ids = append(ids, m.tree[at])
		}
		if err := r.load(ctx, ids...); err != nil {
			return err
		}
		if err := r.list(ctx, &s.Received, ours, m.tree); err != nil {
			return err
		}
		for _, at := range r.broken {
			if m.tree[at] != ours[at] && !s.DryRun {
				return text.WithHint(
					fmt.Errorf("%s was changed on another machine, and cannot be read here", text.Brief(at)),
					"repair "+text.ShellWord(r.root.Join(at))+" or remove it, then sync again")
			}
		}
		if err := r.checkTwins(ours, m.tree); err != nil {
			return err
		}
		if s.DryRun {
			for at, fields := range m.conflicts {
				s.Conflicts = append(s.Conflicts, r.conflict(at, fields))
			}
			return r.list(ctx, &s.Sent, t[1], m.tree)
		}
		if err := r.recordAll(m); err != nil { // first: the merged commit does not say what is in conflict
			return err
		}
		if len(changes(t[1], m.tree)) == 0 {
			tip = theirs
			_, err = r.git(ctx, "update-ref", pending, theirs)
		} else {
			tip, err = r.commit(ctx, pending, m.tree, message(changes(ours, m.tree)), tip, theirs)
		}
		if err == nil {
			err = r.apply(ours, m)
		}
		if err == nil {
			_, err = r.git(ctx, "update-ref", branch, tip)
		}
		if err != nil {
			return err
		}
		r.refresh(ctx)
		_, err = r.git(ctx, "update-ref", "-d", pending)
		return err
	})
	return tip, err
}

// fetch brings the remote's branch and returns its commit, "" if it has none.
func (r *repository) fetch(ctx context.Context) (string, error) {
	if _, err := git.Online(ctx, r.root.Path, "fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", "--",
		"origin", "+"+branch+"*:"+remote+"*"); err != nil { // the pattern: an empty remote has no main
		return "", err
	}
	known, err := r.commits(ctx, remote)
	if err != nil || known[0] == "" {
		return "", err
	}
	return known[0], r.check(ctx, known[0])
}

// push sends a commit. It returns false if another machine was first.
func (r *repository) push(ctx context.Context, commit string) (pushed bool, err error) {
	out, err := git.Online(ctx, r.root.Path, "push", "--porcelain", "--no-verify", "--", "origin", commit+":"+branch)
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if err == nil || fields[0] != "!" || len(fields) < 3 {
			continue
		}
		reason := fields[2]
		if !strings.HasPrefix(reason, "[remote rejected]") || strings.Contains(reason, "lock") ||
			strings.Contains(reason, "failed to update") {
			return false, nil
		}
		return false, fmt.Errorf("the remote refused it: %s", text.Brief(reason))
	}
	if err != nil {
		return false, err
	}
	_, err = r.git(ctx, "update-ref", remote, commit)
	return true, err
}

// list adds the memories that two trees do not share.
func (r *repository) list(ctx context.Context, moved *Moved, from, to tree) error {
	for _, at := range changes(from, to) {
		if !isMemory(at) {
			continue
		}
		if moved.Count++; len(moved.Memories) >= maxShown {
			continue
		}
		e, id := Entry{Path: at, Change: "changed"}, to[at]
		switch "" {
		case from[at]:
			e.Change = "added"
		case to[at]:
			e.Change, id = "removed", from[at]
		}
		if err := r.load(ctx, id); err != nil {
			return err
		}
		if m, err := schemas.Decode(r.data[id]); err == nil {
			e.Title = m.Title
		}
		moved.Memories = append(moved.Memories, e)
	}
	return nil
}
