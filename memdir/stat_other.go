//go:build !unix

package memdir

import "io/fs"

func (f *Folder) statListed(name string) (Stat, error) { return f.Stat(name) }

func inodeOf(fs.FileInfo) uint64 { return 0 }
