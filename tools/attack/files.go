package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
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

func longTitle(p *project) error {
	if err := p.write("decisions/long.json", memory("decision", "long", strings.Repeat("kafka events ", 80_000), "kafka")); err != nil {
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

func manyFiles(p *project) error {
	for i := range 200_000 {
		if err := os.WriteFile(p.path(fmt.Sprintf("runbooks/%06d.json", i)), []byte("{"), 0o644); err != nil {
			return err
		}
	}
	if _, err := p.prompt(); err != nil {
		return err
	}
	_, err := p.hook("session-start", map[string]any{"source": "startup"}, sessionLimit)
	return err
}

// limited runs the hooks with a limit that a shell sets.
func limited(limit string) func(*project) error {
	return func(p *project) error {
		for _, hook := range hooks {
			r := p.program(p.event(hook.event), "/bin/sh", "-c", limit+` && exec "$0" hook "$1"`, p.memctl, hook.name)
			if r.code != 0 && !(hook.name == "stop" && strings.Contains(r.messages, "<triage_data>")) {
				return fmt.Errorf("hook %s: exit status %d: %.300s", hook.name, r.code, r.messages)
			}
		}
		return nil
	}
}

// fullDisk fills the file system of the memory root.
func fullDisk(p *project) error {
	root := p.path("")
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=512k"); err != nil {
		return fmt.Errorf("mount a small file system: %w", err)
	}
	defer syscall.Unmount(root, syscall.MNT_DETACH)
	if err := p.write("decisions/kafka.json", memory("decision", "kafka", "Kafka keeps events for 14 days", "kafka")); err != nil {
		return err
	}
	if err := p.finds(); err != nil {
		return err
	}
	if err := p.write("decisions/new.json", memory("decision", "new", "Kafka has three brokers", "kafka")); err != nil {
		return err
	}
	for block := 1 << 16; block > 0; block /= 2 {
		file, err := os.OpenFile(p.path("filler"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		for err == nil {
			_, err = file.Write(make([]byte, block))
		}
		file.Close()
	}
	r, err := p.prompt()
	switch {
	case err != nil:
		return err
	case !strings.Contains(r.out, "decisions/new.json"):
		return fmt.Errorf("the prompt found nothing: %.300s", r.messages)
	case r.took > 500*time.Millisecond:
		return fmt.Errorf("the prompt took %v of 500ms", r.took)
	}
	return nil
}

// staleBuild leaves what a killed rebuild leaves. The next writer removes it.
func staleBuild(p *project) error {
	if err := p.finds(); err != nil {
		return err
	}
	if err := p.write("index.db.new", strings.Repeat("x", 1<<20)); err != nil {
		return err
	}
	if r := p.run(nil, "retire", "--target", "kafka", "--reason", "no more"); r.err != nil {
		return r.err
	}
	if _, err := os.Stat(p.path("index.db.new")); err == nil {
		return errors.New("index.db.new is still there")
	}
	return nil
}

// twoPaths reaches one root by two paths in turn. Neither use makes the other rebuild.
func twoPaths(p *project) error {
	other := filepath.Join(p.dir, "other")
	if err := os.Symlink(filepath.Join(p.dir, "work"), other); err != nil {
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
		for _, cwd := range []string{other, filepath.Join(p.dir, "work")} {
			if _, err := p.hook("session-start", map[string]any{"source": "startup", "cwd": cwd}, sessionLimit); err != nil {
				return err
			}
		}
	}
	after, err := os.Stat(p.path("index.db"))
	if err == nil && !os.SameFile(before, after) {
		err = errors.New("the index was rebuilt")
	}
	return err
}
