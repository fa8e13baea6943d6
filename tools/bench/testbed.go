package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/tools/synth/store"
)

const (
	// seed makes the same stores each time.
	seed = 1
	// settling is the pause before each run. It is longer than an index needs to
	// trust what has just been written (memdir.Settled), as it is when a person
	// edits and then asks; and all programs start after the same rest.
	settling = 150 * time.Millisecond
)

// testbed is what the measurements of one size work on. The stores are alike.
type testbed struct {
	*programs
	dir  string // the temporary folder of this size
	size int
	// quiet is a project that nobody changes.
	quiet string
	// busy is a project whose files change between the runs.
	busy string
	// observed is a project without memories whose tools are observed.
	observed string
	// database is a copy of the quiet project's index, for other programs than
	// memctl: whoever closes an index last also removes its write-ahead log.
	database         string
	selective, broad prompt
	events           events
	edited           *edit // the best memory for the selective prompt, in busy
	drafts           *drafts
	stops            stops // in busy
}

// events are files with what the hook is told.
type events struct {
	selective, broad string // about the quiet project
	busy             string // the selective prompt about the busy one
	tool             string // a tool's run in the observed one
}

func newTestbed(p *programs, size int) (*testbed, error) {
	dir := filepath.Join(p.temp, fmt.Sprint(size))
	b := &testbed{
		programs: p,
		dir:      dir,
		size:     size,
		quiet:    filepath.Join(dir, "quiet"),
		busy:     filepath.Join(dir, "busy"),
		observed: filepath.Join(dir, "observed"),
		database: filepath.Join(dir, "copy.db"),
	}
	progress("%d memories: making the stores", size)
	if err := b.fill(); err != nil {
		b.remove()
		return nil, err
	}
	return b, nil
}

func (b *testbed) remove() { os.RemoveAll(b.dir) }

func (b *testbed) fill() (err error) {
	for _, project := range []string{b.quiet, b.busy} {
		if err := b.makeStore(project); err != nil {
			return err
		}
	}
	if _, err := b.run([]string{b.memctl, "init", "--observations", "--root", b.observed}, ""); err != nil {
		return err
	}
	index := filepath.Join(b.quiet, filepath.FromSlash(memdir.RootPath), memdir.IndexName)
	if err := copyFile(b.database, index); err != nil {
		return err
	}
	progress("%d memories: choosing the prompts", b.size)
	if b.selective, b.broad, err = choosePrompts(b.database); err != nil {
		return fmt.Errorf("choose the prompts: %w", err)
	}
	if err := b.writeEvents(); err != nil {
		return err
	}
	path, err := b.bestMatch()
	if err != nil {
		return err
	}
	if b.edited, err = newEdit(filepath.Join(b.busy, path)); err != nil {
		return err
	}
	if b.drafts, err = newDrafts(b.dir, b.busy); err != nil {
		return err
	}
	if b.stops, err = newStops(b.dir, b.busy, b.temp, b.transcripts); err != nil {
		return err
	}
	return flushAll()
}

func (b *testbed) makeStore(project string) error {
	if err := store.Write(project, b.size, seed); err != nil {
		return err
	}
	// The stores are larger than what a category may hold by default: a create
	// would enforce that.
	if err := writeConfig(project, schemas.TitleTags); err != nil {
		return err
	}
	time.Sleep(settling)
	_, err := b.run([]string{b.memctl, "reindex", "--root", project}, "")
	return err
}

func writeConfig(project, strategy string) error {
	config := filepath.Join(project, filepath.FromSlash(memdir.RootPath), memdir.ConfigName)
	return os.WriteFile(config, fmt.Appendf(nil, `{"max_memories_per_category": 0, "retrieval": {"match_strategy": %q}}`, strategy), 0o644)
}

// rankBy prepares a run: the quiet project ranks by the strategy.
func (b *testbed) rankBy(strategy string) func() error {
	return func() error { return writeConfig(b.quiet, strategy) }
}

func copyFile(to, from string) error {
	if info, err := os.Stat(from + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("%s: its write-ahead log was not merged", from)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// flushAll waits until all that the testbed consists of is on the disk. Where
// there is no sync program, the first rounds are noisy.
func flushAll() error {
	sync, err := exec.LookPath("sync")
	if err != nil {
		return nil
	}
	return exec.Command(sync).Run()
}
