package indexer

import (
	"strings"

	"memctl/db"
	"memctl/memdir"
)

// difference says how a folder's files differ from the index, by name.
type difference struct {
	read    []string // new, or another size or mtime
	doubt   []string // the same stamp, but written too shortly before it was read
	removed []string // paths that are in the index only
}

// diff walks two lists of one folder, sorted by name.
func diff(found []memdir.Stat, indexed []db.Stamp) difference {
	var d difference
	for len(found) > 0 || len(indexed) > 0 {
		switch {
		case len(indexed) == 0 || len(found) > 0 && found[0].Name < baseName(indexed[0].Path):
			d.read = append(d.read, found[0].Name)
			found = found[1:]
		case len(found) == 0 || baseName(indexed[0].Path) < found[0].Name:
			d.removed = append(d.removed, indexed[0].Path)
			indexed = indexed[1:]
		default:
			switch {
			case !sameStamp(found[0], indexed[0]):
				d.read = append(d.read, found[0].Name)
			case !memdir.Settled(found[0].MtimeNS, indexed[0].ReadNS):
				d.doubt = append(d.doubt, found[0].Name)
			}
			found, indexed = found[1:], indexed[1:]
		}
	}
	return d
}

func sameStamp(s memdir.Stat, i db.Stamp) bool {
	return s.Size == i.Size && s.MtimeNS == i.MtimeNS
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
