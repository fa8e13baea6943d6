package memdir

import "golang.org/x/sys/unix"

// isFolderWithoutLinks tells by one look that a path leads to a folder through no
// symbolic link, so that resolving it would change nothing: EvalSymlinks looks at
// every part of it. False also says that a kernel cannot tell (before 5.6).
func isFolderWithoutLinks(path string) bool {
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return false
	}
	unix.Close(fd)
	return true
}
