package indexer

import (
	"strings"

	"memctl/db"
	"memctl/memdir"
)

// difference is how a folder's files differ from the index.
type difference struct {
	added   []string // names
	changed []string // names of files with another size or mtime
	racy    []string // names of files read so soon after a write that size and mtime prove nothing
	removed []string // paths that only the index has
}

// compare walks two lists of one folder, both sorted by name.
func compare(found []memdir.Stat, indexed []db.Stamp) difference {
	var d difference
	for len(found) > 0 || len(indexed) > 0 {
		switch {
		case len(indexed) == 0 || len(found) > 0 && found[0].Name < baseName(indexed[0].Path):
			d.added = append(d.added, found[0].Name)
			found = found[1:]
		case len(found) == 0 || baseName(indexed[0].Path) < found[0].Name:
			d.removed = append(d.removed, indexed[0].Path)
			indexed = indexed[1:]
		default:
			file, stamp := found[0], indexed[0]
			switch {
			case file.Size != stamp.Size || file.MtimeNS != stamp.MtimeNS:
				d.changed = append(d.changed, file.Name)
			case !memdir.Settled(file.MtimeNS, stamp.ReadNS):
				d.racy = append(d.racy, file.Name)
			}
			found, indexed = found[1:], indexed[1:]
		}
	}
	return d
}

// size is the number of files that may differ.
func (d difference) size() int {
	return len(d.added) + len(d.changed) + len(d.racy) + len(d.removed)
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
