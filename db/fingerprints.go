package db

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
)

// A folder's fingerprints answer in one read what a prompt asks of thousands of
// files: is each of them still the one indexed? There is one for every row of
// files; transactions keep them equal to the rows.

// Fingerprint is two digests of an indexed file, short because they are read again
// and again: one of four thousand million files that differ would seem the same.
// They are no defence, for whoever can write the files can write what is in them.
type Fingerprint struct {
	Entry uint32 // of its path and inode, which a listing tells
	Stamp uint32 // of its path, size and mtime
}

// Fingerprints has one for each indexed file of a folder, sorted.
type Fingerprints []Fingerprint

// NewFingerprint is that of a file which was looked at, by its PathDigest.
func NewFingerprint(path, inode uint64, size, mtimeNS int64) Fingerprint {
	return Fingerprint{EntryDigest(path, inode), stampDigest(path, size, mtimeNS)}
}

// EntryDigest is the part that a listing tells.
func EntryDigest(path, inode uint64) uint32 { return fold(fnvNumber(path, inode)) }

func stampDigest(path uint64, size, mtimeNS int64) uint32 {
	return fold(fnvNumber(fnvNumber(path, uint64(size)), uint64(mtimeNS)))
}

func fold(sum uint64) uint32 { return uint32(sum>>32 ^ sum) }

// PathDigest is what a fingerprint starts from. It spares the path itself, which
// thousands of times is memory to get.
func PathDigest(folder, name string) uint64 {
	return fnvText(fnvText(fnvText(fnvOffset, folder), "/"), name)
}

// FNV-1a (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv), without the
// allocations of hash/fnv.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func fnvText(sum uint64, s string) uint64 {
	for i := range len(s) {
		sum = (sum ^ uint64(s[i])) * fnvPrime
	}
	return sum
}

func fnvNumber(sum, n uint64) uint64 {
	for range 8 {
		sum = (sum ^ n&0xff) * fnvPrime
		n >>= 8
	}
	return sum
}

// Find returns the fingerprint of the file of this EntryDigest.
func (f Fingerprints) Find(entry uint32) (Fingerprint, bool) {
	i, found := slices.BinarySearchFunc(f, entry, func(f Fingerprint, entry uint32) int { return cmp.Compare(f.Entry, entry) })
	if !found {
		return Fingerprint{}, false
	}
	return f[i], true
}

// Missing lists the places of those digests that no fingerprint has. They are
// sorted, for a prompt asks of thousands.
func (f Fingerprints) Missing(entries []uint32) (places []int) {
	at := 0
	for i, entry := range entries {
		for at < len(f) && f[at].Entry < entry {
			at++
		}
		if at == len(f) || f[at].Entry != entry {
			places = append(places, i)
		}
	}
	return places
}

// Unlike lists the places of those fingerprints that are not among f. It is fast
// where they are sorted but for a few.
func (f Fingerprints) Unlike(others Fingerprints) (places []int) {
	at := 0
	for i, other := range others {
		for at < len(f) && f[at].Entry < other.Entry {
			at++
		}
		if at < len(f) && f[at] == other {
			continue
		}
		if found, ok := f.Find(other.Entry); !ok || found != other {
			places = append(places, i)
		}
	}
	return places
}

// Fingerprints returns those of a folder.
func (d *DB) Fingerprints(ctx context.Context, folder string) (Fingerprints, error) {
	var packed [][]byte
	if err := d.Select(ctx, &packed, selectFingerprints, folder); err != nil || len(packed) == 0 {
		return nil, err
	}
	return unpackFingerprints(packed[0]), nil
}

const selectFingerprints = `SELECT packed FROM fingerprints WHERE folder = ?`

// packedSize is the number of bytes of one fingerprint.
const packedSize = 8

func unpackFingerprints(packed []byte) Fingerprints {
	list := make(Fingerprints, len(packed)/packedSize)
	for i := range list {
		at := packed[packedSize*i:]
		list[i] = Fingerprint{binary.BigEndian.Uint32(at), binary.BigEndian.Uint32(at[4:])}
	}
	return list
}

func (f Fingerprints) pack() []byte {
	packed := make([]byte, 0, packedSize*len(f))
	for _, fingerprint := range f {
		packed = binary.BigEndian.AppendUint32(packed, fingerprint.Entry)
		packed = binary.BigEndian.AppendUint32(packed, fingerprint.Stamp)
	}
	return packed
}

// fingerprintChanges are those of one folder in one transaction.
type fingerprintChanges struct {
	come Fingerprints
	gone []Stamp
}

func (t *Tx) changesOf(path string) *fingerprintChanges {
	folder, _, _ := strings.Cut(path, "/")
	c := t.fingerprints[folder]
	if c == nil {
		c = &fingerprintChanges{}
		if t.fingerprints == nil {
			t.fingerprints = map[string]*fingerprintChanges{}
		}
		t.fingerprints[folder] = c
	}
	return c
}

func (t *Tx) fileComes(f File) {
	c := t.changesOf(f.Path)
	folder, name, _ := strings.Cut(f.Path, "/")
	fingerprint := unsettled(folder, name)
	if f.Settled {
		fingerprint = NewFingerprint(PathDigest(folder, name), f.Inode, f.Size, f.MtimeNS)
	}
	c.come = append(c.come, fingerprint)
}

// unsettled stands for a file whose stamp proves nothing: no file that is found
// has it.
func unsettled(folder, name string) Fingerprint {
	path := fold(PathDigest(folder, name))
	return Fingerprint{path, path}
}

func (t *Tx) fileGoes(s Stamp) {
	c := t.changesOf(s.Path)
	c.gone = append(c.gone, s)
}

// putFingerprints writes what the transaction changed of them.
func (t *Tx) putFingerprints() error {
	for folder, changes := range t.fingerprints {
		var packed [][]byte
		if err := t.selectPrepared(&packed, selectFingerprints, folder); err != nil {
			return err
		}
		var list Fingerprints
		if len(packed) > 0 {
			list = unpackFingerprints(packed[0])
		}
		if err := t.exec("write fingerprints", `
			INSERT INTO fingerprints (folder, packed)
			VALUES (?, ?)
			ON CONFLICT (folder) DO UPDATE SET packed = excluded.packed`, folder, changes.apply(list).pack()); err != nil {
			return err
		}
	}
	return nil
}

func (c *fingerprintChanges) apply(list Fingerprints) Fingerprints {
	for _, s := range c.gone {
		list = list.without(s)
	}
	list = append(list, c.come...)
	list.sort()
	return list
}

func (f Fingerprints) sort() {
	slices.SortFunc(f, func(a, b Fingerprint) int { return cmp.Compare(a.Entry, b.Entry) })
}

func (f Fingerprints) without(s Stamp) Fingerprints {
	folder, name, _ := strings.Cut(s.Path, "/")
	settled := stampDigest(PathDigest(folder, name), s.Size, s.MtimeNS)
	open := unsettled(folder, name).Stamp
	i := slices.IndexFunc(f, func(f Fingerprint) bool { return f.Stamp == settled || f.Stamp == open })
	if i < 0 {
		return f
	}
	return slices.Delete(f, i, i+1)
}
