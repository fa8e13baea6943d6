//go:build attack && linux

package attack

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// hugeFile is a file of 1 TB without content, as a sparse file in a clone can be.
func hugeFile(name string) func(*project) error {
	return func(p *project) error {
		if err := p.write("memory-config.json", `{"retrieval": {"match_strategy": "hybrid"}, "observations": {"enabled": true}}`); err != nil {
			return err
		}
		if err := p.write(name, ""); err != nil {
			return err
		}
		if err := os.Truncate(p.path(name), 1<<40); err != nil {
			return err
		}
		return p.everyHook()
	}
}

// blankFile is a file of 200 MB that is white space up to its end.
func blankFile(name, end string) func(*project) error {
	return func(p *project) error {
		if err := p.write(name, ""); err != nil {
			return err
		}
		file, err := os.OpenFile(p.path(name), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		blanks := bytes.Repeat([]byte(" "), 1<<20)
		for range 200 {
			file.Write(blanks)
		}
		_, err = file.WriteString(end)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		return p.everyHook()
	}
}

func longTitle(p *project) error {
	var title strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&title, "kafka%d ", i)
	}
	if err := p.write("decisions/long.json", memory("decision", "long", title.String(), "kafka")); err != nil {
		return err
	}
	return errors.Join(p.everyHook(), p.finds())
}

func manyTags(p *project) error {
	tags := make([]string, 100_000)
	for i := range tags {
		tags[i] = fmt.Sprintf("kafka-%d", i)
	}
	if err := p.write("decisions/tagged.json", memory("decision", "tagged", "Tagged", tags...)); err != nil {
		return err
	}
	return errors.Join(p.everyHook(), p.finds())
}

// limited runs the hooks with limits that a shell sets.
func limited(limits ...string) func(*project) error {
	return func(p *project) error {
		for _, limit := range limits {
			for _, hook := range hooks {
				r := p.program(p.event(hook.event), "/bin/sh", "-c", limit+` && exec "$0" hook "$1"`, p.memctl, hook.name)
				if r.code != 0 {
					return fmt.Errorf("hook %s with %s: exit status %d: %.300s", hook.name, limit, r.code, r.messages)
				}
			}
		}
		return nil
	}
}

// fullDisk fills the file system of the memory root except for a few pages: how far a
// write gets depends on the room it finds.
func fullDisk(p *project) error {
	root := p.path("")
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=1m"); err != nil {
		return fmt.Errorf("mount a small file system: %w", err)
	}
	defer syscall.Unmount(root, syscall.MNT_DETACH)
	if err := p.write("decisions/kafka.json", memory("decision", "kafka", "Kafka keeps events for 14 days", "kafka")); err != nil {
		return err
	}
	for free := range 40 {
		// A session's start leaves no log and no shared memory next to the index.
		if _, err := p.hook("session-start", map[string]any{"source": "startup"}, sessionLimit); err != nil {
			return err
		}
		memory := memory("decision", "new", fmt.Sprint("Kafka has ", free, " brokers"), "kafka")
		if err := errors.Join(p.write("decisions/new.json", memory), p.fill("filler", free)); err != nil {
			return err
		}
		r, err := p.prompt()
		switch {
		case err != nil:
			return err
		case !strings.Contains(r.out, fmt.Sprint("Kafka has ", free, " brokers")):
			return fmt.Errorf("the prompt found nothing with %d pages free: %.300s, %.600s", free, r.messages, r.out)
		case r.took > fullDiskLimit:
			return fmt.Errorf("the prompt took %v of %v with %d pages free: %.300s", r.took, fullDiskLimit, free, r.messages)
		}
		if err := os.Remove(p.path("filler")); err != nil {
			return err
		}
	}
	return nil
}

// fill makes a file that leaves a number of pages free on its file system.
func (p *project) fill(name string, free int) error {
	file, err := os.Create(p.path(name))
	if err != nil {
		return err
	}
	page := make([]byte, os.Getpagesize())
	pages := -1
	for ; err == nil; pages++ {
		_, err = file.Write(page)
	}
	return errors.Join(file.Truncate(int64(max(0, pages-free)*len(page))), file.Close())
}

// staleBuild leaves what a killed rebuild leaves. The next command that reads a whole index removes it.
func staleBuild(p *project) error {
	if err := p.finds(); err != nil {
		return err
	}
	if err := p.write("index.db.new", strings.Repeat("x", 1<<20)); err != nil {
		return err
	}
	for _, args := range [][]string{{"retire", "--target", "kafka", "--reason", "no more"}, {"list", "--status", "all"}} {
		if r := p.run(nil, args...); r.err != nil {
			return r.err
		}
	}
	if _, err := os.Stat(p.path("index.db.new")); err == nil {
		return errors.New("index.db.new is still there")
	}
	return nil
}

// twoPaths reaches one root by two paths in turn. Neither use makes the other rebuild.
func twoPaths(p *project) error {
	work, other := filepath.Join(p.dir, "work"), filepath.Join(p.dir, "other")
	if err := os.Symlink(work, other); err != nil {
		return err
	}
	if err := p.finds(); err != nil {
		return err
	}
	before, err := os.Stat(p.path("index.db"))
	if err != nil {
		return err
	}
	for range 3 {
		for _, cwd := range []string{other, work} {
			for _, hook := range hooks {
				event := maps.Clone(hook.event)
				event["cwd"] = cwd
				if _, err := p.hook(hook.name, event, hook.limit); err != nil {
					return err
				}
			}
		}
	}
	after, err := os.Stat(p.path("index.db"))
	if err == nil && !os.SameFile(before, after) {
		err = errors.New("the index was rebuilt")
	}
	return err
}
