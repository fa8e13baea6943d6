//go:build unix

package memdir

import (
	"io/fs"
	"os"
	"syscall"
)

func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
