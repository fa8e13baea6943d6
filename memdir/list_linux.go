package memdir

import (
	"encoding/binary"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Where the fields of a directory entry are (getdents64(2)).
const (
	direntInode  = 0
	direntLength = 16
	direntName   = 19
)

// list tells of each entry of the folder. The standard library lists names
// without inodes, and with them only after looking at every file.
func (f *Folder) list(tell func(name string, inode uint64)) error {
	if _, err := f.handle.Seek(0, 0); err != nil {
		return err
	}
	buffer := make([]byte, 16<<10)
	for {
		n, err := unix.ReadDirent(int(f.handle.Fd()), buffer)
		if err != nil {
			return os.NewSyscallError("getdents64", err)
		}
		if n == 0 {
			return nil
		}
		names := string(buffer[:n]) // one piece of memory for all of them
		for rest := buffer[:n]; len(rest) > direntName; {
			length := binary.NativeEndian.Uint16(rest[direntLength:])
			name, _, _ := strings.Cut(names[direntName:length], "\x00")
			if inode := binary.NativeEndian.Uint64(rest[direntInode:]); inode != 0 { // 0: just removed
				tell(name, inode)
			}
			rest, names = rest[length:], names[length:]
		}
	}
}
