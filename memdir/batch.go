package memdir

import "memctl/gate"

// AddNew is WriteNew for one of many files: the file is on disk when AddNew returns, its
// name when Flush does.
func (f *Folder) AddNew(name string, data []byte) error {
	err := f.writeTemp(data, 0o644)
	if err == nil {
		f.step()
		err = f.placeMemory(tempName, name)
	}
	if err != nil {
		f.dir.Remove(tempName)
		return gate.Reason(err)
	}
	f.step()
	return nil
}

// Flush brings the names of the folder's files to disk.
func (f *Folder) Flush() error { return f.sync() }
