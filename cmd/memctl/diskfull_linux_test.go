package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A prompt on a full disk finds what the index on it does not have yet.
func TestPromptOnAFullDisk(t *testing.T) {
	t.Parallel()
	p := project{t, t.TempDir()}
	p.check(os.MkdirAll(p.path(), 0o755))
	if err := syscall.Mount("tmpfs", p.path(), "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a tmpfs of 1 MiB cannot be mounted: %v", err)
	}
	t.Cleanup(func() { p.check(syscall.Unmount(p.path(), 0)) })
	p.check(os.Mkdir(p.path("decisions"), 0o755))
	p.put("decisions/kafka.json", "Kafka keeps events")
	p.wants("kafka", "Kafka keeps events")
	p.put("decisions/nats.json", "NATS has no events")
	if err := os.WriteFile(p.path("filler"), make([]byte, 1<<20), 0o644); err == nil {
		t.Fatal("the disk is not full")
	}
	for range 2 {
		p.wants("nats", "NATS has no events")
		p.wants("kafka", "Kafka keeps events")
	}
}

// A full disk leaves the old file and says so.
func TestFullDiskLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	p := project{t, t.TempDir()}
	p.check(os.MkdirAll(p.path(), 0o755))
	if err := syscall.Mount("tmpfs", p.path(), "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a tmpfs of 64 KiB cannot be mounted: %v", err)
	}
	t.Cleanup(func() { p.check(syscall.Unmount(p.path(), 0)) })
	memctl(t, p.dir, draft("small"), "create", "--category", "preference", "--target", "shared", "--input", "-")
	before, err := os.ReadFile(p.path("preferences/shared.json"))
	p.check(err)
	big := strings.Repeat("x", 100_000)
	for code, args := range map[string][]string{
		"UPDATE_ERROR": {"update", "--target", "shared", "--input", "-"},
		"CREATE_ERROR": {"create", "--category", "preference", "--target", "other", "--input", "-"},
	} {
		a := start(p.dir, draft(big, "grew"), args...)()
		if a.err == nil || a.out != "" || !strings.Contains(a.errOut, code+"\nerror: write .claude/memory/preferences/") ||
			!strings.Contains(a.errOut, ".json: no space left on device\n") {
			t.Errorf("%s: %v, stdout %q, stderr %q", args[0], a.err, a.out, a.errOut)
		}
	}
	after, err := os.ReadFile(p.path("preferences/shared.json"))
	p.check(err)
	left, err := os.ReadDir(p.path("preferences"))
	p.check(err)
	if !bytes.Equal(before, after) || len(left) != 1 {
		t.Errorf("the store has changed: %v\n%s", left, after)
	}
}

// A merge on a full disk leaves the file of ours whole, and tells git that there was no merge.
func TestMergeOnAFullDiskLeavesOurs(t *testing.T) {
	t.Parallel()
	for name, versions := range map[string][3]string{
		"field by field": {
			`{"title": "Kafka", "tags": ["a"]}`, `{"title": "Kafka keeps", "tags": ["a"]}`,
			`{"title": "Kafka", "tags": ["a"], "content": {"context": "` + strings.Repeat("x", 60_000) + `"}}`,
		},
		"line by line": {"1\n2\n3\n4\n", "one\n2\n3\n4\n", "1\n2\n3\n" + strings.Repeat("x", 60_000) + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := project{t, t.TempDir()}
			memctl(t, p.dir, "", "init")
			if err := syscall.Mount("tmpfs", p.path("decisions"), "tmpfs", 0, "size=64k"); err != nil {
				t.Skipf("a tmpfs of 64 KiB cannot be mounted: %v", err)
			}
			t.Cleanup(func() { p.check(syscall.Unmount(p.path("decisions"), 0)) })
			args := []string{"merge-driver", "--"}
			for i, side := range []string{"base", "ours", "theirs"} {
				path := filepath.Join(p.dir, side)
				if side == "ours" {
					path = p.path("decisions/ours")
				}
				p.check(os.WriteFile(path, []byte(versions[i]), 0o644))
				args = append(args, path)
			}
			filler, _ := os.Create(p.path("decisions/filler"))
			for err := error(nil); err == nil; {
				_, err = filler.Write(make([]byte, 4096))
			}
			p.check(filler.Close())
			a := start(p.dir, "", append(args, "7", ".claude/memory/decisions/kafka.json")...)()
			exit := new(exec.ExitError)
			if !errors.As(a.err, &exit) || exit.ExitCode() <= 128 {
				t.Errorf("ended with %v: %s", a.err, a.errOut)
			}
			if ours, err := os.ReadFile(p.path("decisions/ours")); err != nil || string(ours) != versions[1] {
				t.Errorf("ours is %.100q, %v", ours, err)
			}
		})
	}
}
