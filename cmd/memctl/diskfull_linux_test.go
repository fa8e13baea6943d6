package main

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
)

// A prompt on a full disk finds what the index on it does not have yet.
func TestPromptOnAFullDisk(t *testing.T) {
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
		if a.err == nil || a.out != "" || !strings.Contains(a.errOut, code+"\nerror: no space left on device\n") {
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
