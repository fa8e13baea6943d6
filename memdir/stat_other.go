//go:build !unix

package memdir

import "io/fs"

// StatListed is Stat for a name that List found.
func (f *Folder) StatListed(name string) (Stat, error) { return f.Stat(name) }

func inodeOf(fs.FileInfo) uint64 { return 0 }
