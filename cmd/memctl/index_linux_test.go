package main

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// renames watches a folder and returns a function that counts the renames to a name so
// far. The kernel queues an event before the rename returns. It would merge two equal
// events in a row, so renames watches both ends.
func renames(t *testing.T, dir, name string) (count func() int) {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_MOVED_TO); err != nil {
		t.Fatal(err)
	}
	return func() int {
		n := 0
		buf := make([]byte, 1<<16)
		size, err := syscall.Read(fd, buf)
		if err == syscall.EAGAIN {
			return 0
		}
		if err != nil {
			t.Fatal(err)
		}
		for buf = buf[:size]; len(buf) > 0; {
			event := (*syscall.InotifyEvent)(unsafe.Pointer(&buf[0]))
			buf = buf[syscall.SizeofInotifyEvent:]
			if string(bytes.TrimRight(buf[:event.Len], "\x00")) == name {
				n++
			}
			buf = buf[event.Len:]
		}
		return n
	}
}

func TestHooksAtOnceRebuildOnce(t *testing.T) {
	t.Parallel()
	ruins := map[string]func(p project){
		"deleted": func(p project) { p.check(os.Remove(p.index())) },
		"damaged": func(p project) { p.breakIndex([]byte("no database at all")) },
		"another version": func(p project) {
			p.query(`UPDATE meta SET value = '0' WHERE key = 'content_version'`)
		},
	}
	grown := grownProject(t, beyondQuick)
	grown.check(os.CopyFS(grown.path("runbooks"), os.DirFS("../../testdata/stores/parcel/runbooks")))
	grown.age()
	memctl(t, grown.dir, "", "reindex") // a hook on a busy machine may not have the time
	want := grown.hook(parcelPrompt)
	for name, ruin := range ruins {
		for _, n := range []int{2, 8} {
			t.Run(fmt.Sprintf("%s/%d hooks", name, n), func(t *testing.T) {
				p := project{t, grown.dir}
				for range 2 {
					ruin(p)
					built := renames(t, p.path(), "index.db")
					p.hooksAtOnce(n, parcelPrompt, want)
					if got := built(); got != 1 {
						t.Errorf("the index was rebuilt %d times", got)
					}
				}
			})
		}
	}
}
