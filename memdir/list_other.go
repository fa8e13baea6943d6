//go:build !linux

package memdir

// list tells of each entry of the folder; no inodes here.
func (f *Folder) list(tell func(name string, inode uint64)) error {
	names, err := f.handle.Readdirnames(-1)
	for _, name := range names {
		tell(name, 0)
	}
	return err
}
