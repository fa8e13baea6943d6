// Package sessions finds what was said in past sessions. The transcripts stay where the clients
// keep them; a database in the user's state folder is derived from them, with a passage for each
// turn: deleting it loses only what clients have deleted since. What is stored went through
// package privacy. The package asks no questions and prints nothing.
package sessions

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/clients"
	"memctl/db"
	"memctl/files"
	"memctl/files/gate"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// Names of the files in the state folder.
const (
	databaseName  = "sessions.db"
	lockName      = databaseName + ".lock"
	forgottenName = "forgotten-sessions"
)

// forgottenLimit is the size of the list of forgotten sessions, in bytes.
const forgottenLimit = 8 << 20

// patience is how long a person's command waits for another process that reads transcripts.
const patience = 2 * time.Second

// Scope says whose sessions are asked for, and with which model.
type Scope struct {
	Folder string // of the project, or one in it
	All    bool   // those of all projects, for a person only
	// UserModel is nil for searches by words alone.
	UserModel retrieve.UserModel
}

// Library is the database, open.
type Library struct {
	// Stale says why the database may not have what was said last; nil if it has.
	Stale error
	// ByWords says what is wrong with the user's settings of a model, nil for nothing.
	ByWords  error
	model    retrieve.Model // nil for none
	db       *db.DB
	projects []string // of the scope; nil for all
	user     schemas.Config
	state    files.Root
}

// ErrOff means that the user has switched sessions off.
var ErrOff = errors.New("past sessions are switched off: sessions.enabled is false")

// Progress is told how many transcripts of those that have changed were read.
type Progress func(done, total int)

// Open opens the database and brings what it has of the scope up to date, which progress, if it
// is not nil, is told of. Where that is interrupted, what was read until then is kept.
func Open(ctx context.Context, scope Scope, progress Progress) (*Library, error) {
	l, err := open(ctx, scope)
	if err != nil {
		return nil, err
	}
	return l, l.update(ctx, patience, progress)
}

// ErrReading means that OpenFor left transcripts unread.
var ErrReading = errors.New("transcripts are still being read: look again in a moment")

// OpenFor is Open that reads transcripts for a limited time. If some are left, Stale is ErrReading.
func OpenFor(ctx context.Context, scope Scope, limit time.Duration) (*Library, error) {
	reading, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	l, err := Open(reading, scope, nil)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return l, err
	}
	if l, err = open(ctx, scope); err == nil {
		l.Stale = ErrReading
	}
	return l, err
}

// noteTime is how long Note reads transcripts.
const noteTime = 300 * time.Millisecond

// Note brings the sessions of the scope up to date as far as it can in a short time, and makes
// vectors until the context ends. It waits for no other process, and makes no database for a user who has
// no transcripts.
func Note(ctx context.Context, scope Scope) error {
	if transcripts, err := clients.Transcripts(); len(transcripts) == 0 {
		return err
	}
	l, err := open(ctx, scope)
	if err != nil {
		return err
	}
	defer l.Close()
	reading, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	if err := l.update(reading, 0, nil); err != nil {
		return err
	}
	_, err = l.MakeVectors(ctx, nil)
	return err
}

// update brings the database up to date. Only an interruption is an error: l.Stale has any other.
func (l *Library) update(ctx context.Context, wait time.Duration, progress Progress) error {
	transcripts, listErr := clients.Transcripts()
	err := l.locked(ctx, wait, func() error {
		err := l.refresh(ctx, transcripts, progress)
		if db.Rebuildable(err) && ctx.Err() == nil {
			_ = l.Close() // it is damaged
			if err = l.create(ctx, l.state.Join(databaseName)); err == nil {
				err = l.refresh(ctx, transcripts, progress)
			}
		}
		return err
	})
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), l.Close())
	}
	l.Stale = errors.Join(err, listErr)
	return nil
}

func open(ctx context.Context, scope Scope) (l *Library, err error) {
	l = &Library{}
	if l.user, err = files.UserConfig(); err != nil {
		return nil, err
	}
	if !l.user.Sessions.Enabled {
		return nil, text.WithHint(ErrOff, "memctl config set sessions.enabled true --user")
	}
	l.model, l.ByWords = scope.UserModel.Find(&l.user)
	if l.state.Path, err = files.State(); err != nil {
		return nil, err
	}
	if !scope.All {
		l.projects = projectsOf(scope.Folder)
	}
	path := l.state.Join(databaseName)
	if l.db, err = db.OpenSessions(ctx, path); db.Rebuildable(err) {
		err = l.locked(ctx, patience, func() error { return l.create(ctx, path) })
	}
	if errors.Is(err, db.ErrNewer) {
		err = text.WithHint(fmt.Errorf("%s: a later version of memctl made it", path),
			"update this memctl, or remove the file: the next search makes it again")
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// create makes a new database in the place of one that cannot be used.
func (l *Library) create(ctx context.Context, path string) (err error) {
	if l.db, err = db.OpenSessions(ctx, path); err == nil {
		if err = l.db.QuickCheck(ctx); err == nil {
			return nil // another process has made it
		}
		_ = l.db.Close()
	}
	if !db.Rebuildable(err) {
		return err
	}
	l.state.RemoveIndex(databaseName)
	if err = db.CreateSessions(ctx, path); err == nil {
		l.db, err = db.OpenSessions(ctx, path)
	}
	return err
}

// locked runs fn while no other process changes the database.
func (l *Library) locked(ctx context.Context, wait time.Duration, fn func() error) error {
	lock, err := l.state.LockExclusive(ctx, lockName, wait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	return fn()
}

// Close closes the database.
func (l *Library) Close() error { return l.db.Close() }

// projectsOf names the project of a folder as transcripts do: those of a client that writes down
// a hash of the folder instead of its path have that.
func projectsOf(folder string) []string {
	list := []string{store.ProjectOf(folder)}
	for ; ; folder = filepath.Dir(folder) {
		if list[0] == store.ProjectOf(folder) {
			list = append(list, hashed(folder))
		}
		if _, err := gate.Stat(filepath.Join(folder, ".git")); err == nil || filepath.Dir(folder) == folder {
			return list
		}
	}
}

// hashed is the project of a folder of which only the hash is known.
func hashed(folder string) string { return "sha256:" + text.Hash(folder, sha256.Size) }

// condition selects the transcripts of the scope.
func (l *Library) condition() (condition string, args []any) {
	if l.projects == nil {
		return "true", nil
	}
	for _, p := range l.projects {
		args = append(args, p)
	}
	return "project IN (?" + strings.Repeat(", ?", len(args)-1) + ")", args
}

// Why sessions with some ids get none of the scope.
var (
	ErrElsewhere = errors.New("agents may not read the sessions of other projects")
	ErrUnknown   = errors.New("agents may not read past sessions from a session that memctl does not know")
)

// Admit returns nil if one of the sessions with some ids runs in a project of the scope, as its own transcript says.
// Without ids there is nothing to compare: a client that names none is where it is.
func (l *Library) Admit(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	rows, err := l.db.Transcripts(ctx, `project != '' AND session IN (SELECT value FROM json_each(?))`, db.JSON(ids))
	switch {
	case err != nil:
		return err
	case len(rows) == 0:
		return text.WithHint(ErrUnknown, "its transcript may not be there yet: try again later, or use the tool "+
			"search with scope sessions")
	case !slices.ContainsFunc(rows, func(t db.Transcript) bool { return l.inScope(t.Project) }):
		return text.WithHint(ErrElsewhere, "run it in a shell of your own")
	}
	return nil
}

// forgotten returns the sessions that are not to be stored again, by their keys.
func forgotten() (map[string]bool, error) {
	data, err := files.ReadState(forgottenName, forgottenLimit)
	list := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		list[strings.TrimSpace(line)] = true
	}
	return list, err
}

// keyOf names a transcript in the list of forgotten ones.
func keyOf(path string) string { return text.Hash(path, 16) }

// Forget removes sessions from the database for good, though their transcripts stay where they are.
func (l *Library) Forget(ctx context.Context, list []Session) error {
	return l.locked(ctx, patience, func() error {
		var lines strings.Builder
		for _, s := range list {
			lines.WriteString(keyOf(s.Path) + "\n")
		}
		if err := files.AppendState(forgottenName, []byte(lines.String()), forgottenLimit); err != nil {
			return err
		}
		err := l.db.Update(ctx, func(tx *db.Tx) error {
			for _, s := range list {
				if err := tx.RemoveTranscript(s.row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return l.db.Erase(ctx)
	})
}

// excluded reports whether a folder is one of the user's sessions.exclude.
func (l *Library) excluded(folder string) bool {
	return folder != "" && store.Covered(folder, l.user.Sessions.Exclude)
}
