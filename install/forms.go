package install

// form is the form of a client's file. It adds, removes and finds memctl's part of it.
type form interface {
	// add puts entries into a file and returns the new bytes, the given ones if nothing
	// changes. No file is nil.
	add(data []byte, e Entries) ([]byte, error)
	// remove takes memctl's part out of a file and returns the new bytes, nil if the file
	// can go. before is the file as it was when memctl was installed, or nil.
	remove(data, before []byte) ([]byte, error)
	// find lists memctl's entries.
	find(data []byte) (Entries, error)
	// diff shows a change of a file, with the values masked that are not memctl's.
	diff(path string, before, after []byte) (string, error)
	// isOwn reports whether a file of this form is memctl's alone, so that no copy of it
	// is kept.
	isOwn() bool
	// rules say in a few words what the client reads.
	rules() string
}

// settingsForm is JSON with hooks in groups that share a matcher, and servers.
type settingsForm struct{}

func (settingsForm) add(data []byte, e Entries) ([]byte, error)    { return Add(data, e) }
func (settingsForm) remove(data, before []byte) ([]byte, error)    { return Remove(data, before) }
func (settingsForm) find(data []byte) (Entries, error)             { return Find(data) }
func (settingsForm) diff(path string, a, b []byte) (string, error) { return diffOf(path, a, b) }
func (settingsForm) isOwn() bool                                   { return false }
func (settingsForm) rules() string                                 { return "strict JSON, without comments" }
