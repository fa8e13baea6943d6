package memdir

// Version is a file of a root as it was at some time.
type Version struct {
	Root    string `json:"root"` // Root.Key
	Path    string `json:"path"` // below the root
	Size    int64  `json:"size"`
	MtimeNS int64  `json:"mtime_ns"`
}
