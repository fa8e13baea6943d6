//go:build unix

package memdir

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// StatListed is Stat for a name that List found, so that holds no slash: by the
// folder's descriptor it costs half of a lookup through os.Root, and a folder of
// thousands is looked at while a prompt waits.
func (f *Folder) StatListed(name string) (Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(int(f.handle.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Stat{}, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return Stat{Entry{name, uint64(st.Ino)}, st.Size, st.Mtim.Nano(), fileMode(uint32(st.Mode))}, nil
}

func inodeOf(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// fileMode keeps what matters here: the kind of the entry.
func fileMode(mode uint32) os.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	case unix.S_IFIFO:
		return fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return fs.ModeSocket
	}
	return fs.ModeDevice
}
