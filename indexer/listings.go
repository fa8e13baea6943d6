package indexer

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"

	"memctl/db"
	"memctl/text"
)

// listings says what the folders looked like when the index was found equal to them. If a folder looks the same, and
// nothing was written into the index since, their files need not be compared one by one.
type listings struct {
	State   string            `json:"state"`   // of db.DB.Noted; listings of another state are ignored
	Folders map[string]string `json:"folders"` // a hash of names, sizes and mtimes, by name
}

// listingsKey is the row of meta that has them.
const listingsKey = "listings"

// readListings returns those that hold for the index, and new ones for its state.
func readListings(ctx context.Context, d *db.DB) (noted, now listings, err error) {
	state, value, err := d.Noted(ctx, listingsKey)
	_ = json.Unmarshal([]byte(value), &noted) // without a note, noted stays empty
	if noted.State != state {
		noted = listings{}
	}
	return noted, listings{state, map[string]string{}}, err
}

// add adds a folder that is listed in one part, and reports whether it looks as it was noted.
func (l listings) add(f *folder, noted listings) (isSame bool) {
	if l.Folders == nil || f.more || f.state.Problem != "" {
		return false
	}
	list := make([]byte, 0, 64*len(f.stats))
	for _, stat := range f.stats {
		list = append(append(list, stat.Name...), 0)
		list = binary.BigEndian.AppendUint64(list, uint64(stat.Size))
		list = binary.BigEndian.AppendUint64(list, uint64(stat.MtimeNS))
	}
	name, hash := f.state.Folder, text.Hash(list, 16)
	l.Folders[name] = hash
	return noted.Folders[name] == hash
}

// note notes that the index is equal to the folders, unless it is noted. If it cannot be written, the next look at them
// compares again.
func (l listings) note(ctx context.Context, d *db.DB, noted listings) error {
	if maps.Equal(l.Folders, noted.Folders) || l.State == "" {
		return nil
	}
	value, err := json.Marshal(l)
	if err == nil {
		err = d.Note(ctx, listingsKey, string(value))
	}
	if db.Unwritable(err) {
		return nil
	}
	return err
}
