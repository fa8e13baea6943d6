//go:build !linux && !darwin

package memdir

func (f *Folder) placeNew(from, to string) error { return f.placeChecked(from, to) }
