package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// On a full disk, a hook reports it and exits with 0. What was recorded stays, and once
// there is space again, the next observation is whole.
func TestFullDiskCostsOneObservation(t *testing.T) {
	t.Parallel()
	p := observedProject(t)
	p.check(os.Mkdir(p.path("observations"), 0o700))
	if err := syscall.Mount("tmpfs", p.path("observations"), "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("a tmpfs of 16 KiB cannot be mounted: %v", err)
	}
	t.Cleanup(func() { p.check(syscall.Unmount(p.path("observations"), 0)) })
	p.check(os.Chmod(p.path("observations"), 0o700))
	output := strings.Repeat("0123456789 ", 900)
	kept, full := 0, 0
	for _, id := range []string{"a", "b", "c", "d"} {
		out, errOut := memctl(t, p.dir, ran(id, output), "hook", "post-tool-use")
		switch {
		case out != "":
			t.Errorf("stdout %q", out)
		case errOut == "":
			kept++
		case errOut == "memctl: record the tool: "+session+".jsonl: no space left on device\n":
			full++
		default:
			t.Errorf("stderr %q", errOut)
		}
	}
	if kept == 0 || full == 0 {
		t.Errorf("%d were kept, %d refused", kept, full)
	}
	if runs, _ := p.runs(); runs != kept {
		t.Errorf("%d of %d can be read", runs, kept)
	}
	p.check(syscall.Mount("tmpfs", p.path("observations"), "tmpfs", syscall.MS_REMOUNT, "size=64k"))
	memctl(t, p.dir, ran("later", "x"), "hook", "post-tool-use")
	if runs, _ := p.runs(); runs != kept+1 {
		t.Errorf("%d of %d can be read", runs, kept+1)
	}
}
