package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"memctl/memdir"
	"memctl/schemas"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The sizes of the stores.
const (
	small = 600
	large = 10_000
	own   = 100 // of the user's own
)

// bed is what the measurements work on.
type bed struct {
	ctx          context.Context
	dir          string // home, working and temporary folder of all programs
	env          []string
	memctl, open string         // programs
	database     string         // a copy of an index: memctl does not have it open
	observed     string         // a project without memories whose tools are observed
	user         *project       // its root is the user's, where one is asked
	stores       map[int]stores // by size
	sessions     int            // that hooks have run in
}

func newBed(ctx context.Context, dir, memctl string) (b *bed, err error) {
	b = &bed{
		ctx: ctx,
		dir: dir,
		env: append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir, "TMPDIR="+dir, "TMP="+dir, "MEMCTL_ROOT=",
			"CLAUDE_PROJECT_DIR=", "CLAUDE_CONFIG_DIR=", "CLAUDECODE=", "XDG_STATE_HOME=", "MEMCTL_USER_ROOT="),
		open:     filepath.Join(dir, "open.exe"),
		database: filepath.Join(dir, "copy.db"),
		observed: filepath.Join(dir, "observed"),
		stores:   map[int]stores{},
	}
	if b.memctl, err = filepath.Abs(memctl); err != nil {
		return nil, err
	}
	if err := b.buildOpen(); err != nil {
		return nil, err
	}
	if b.user, err = b.newProject("user", own, seed+1, schemas.Hybrid); err != nil {
		return nil, err
	}
	for _, size := range []int{small, large} {
		if b.stores[size], err = b.newStores(size); err != nil {
			return nil, err
		}
	}
	init := process{command: []string{b.memctl, "init", "--observations", "--root", b.observed}}
	if _, err := b.run(init); err != nil {
		return nil, err
	}
	index, err := os.ReadFile(b.stores[small].quiet.path(memdir.IndexName))
	if err != nil {
		return nil, err
	}
	return b, os.WriteFile(b.database, index, 0o600)
}

// stores are the stores of one size, which are alike.
type stores struct {
	quiet  *project           // does not change
	hybrid *project           // quiet ranked by hybrid
	busy   *project           // changes between runs
	server *mcp.ClientSession // serves quiet
}

func (b *bed) newStores(size int) (s stores, err error) {
	if s.quiet, err = b.newProject("quiet", size, seed, schemas.TitleTags); err != nil {
		return s, err
	}
	if s.hybrid, err = b.newProject("hybrid", size, seed, schemas.Hybrid); err != nil {
		return s, err
	}
	if s.busy, err = b.newProject("busy", size, seed, schemas.TitleTags); err != nil {
		return s, err
	}
	s.server, err = b.connect(s.quiet.dir)
	return s, err
}

func (b *bed) close() {
	for _, s := range b.stores {
		s.server.Close()
	}
}

// removeStopFlag makes the next stop one that the agent was not asked at.
func (b *bed) removeStopFlag() error {
	err := os.Remove(filepath.Join(b.observed, ".claude", ".stop_hook_active"))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// after runs a process each time change was made and has settled.
func (b *bed) after(change func() error, p process) func() (sample, error) {
	return func() (sample, error) {
		if err := change(); err != nil {
			return sample{}, err
		}
		time.Sleep(settling)
		return b.run(p)
	}
}

// always runs a process.
func (b *bed) always(p process) func() (sample, error) {
	return func() (sample, error) { return b.run(p) }
}
