package db

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
)

// A folder's fingerprints answer in one read what a prompt asks of thousands of
// files: is each of them still the one indexed? There is one for every row of
// files; transactions keep them equal to the rows.

// Fingerprints has one number for each indexed file of a folder, sorted.
type Fingerprints []uint64

// Fingerprint is a digest of a file's path, size and mtime. It is no defence:
// whoever can write the files can write what is in them.
func Fingerprint(path string, size, mtimeNS int64) uint64 {
	sum := fnvText(path)
	sum = fnvNumber(sum, uint64(size))
	return fnvNumber(sum, uint64(mtimeNS))
}

// unsettledFingerprint stands for a file whose stamp proves nothing: no stamp
// has it.
func unsettledFingerprint(path string) uint64 { return fnvText(path) }

// FNV-1a (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv), without the
// allocations of hash/fnv.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func fnvText(s string) uint64 {
	sum := uint64(fnvOffset)
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

// Has tells whether a file with this fingerprint is indexed.
func (f Fingerprints) Has(fingerprint uint64) bool {
	_, found := slices.BinarySearch(f, fingerprint)
	return found
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

func unpackFingerprints(packed []byte) Fingerprints {
	list := make(Fingerprints, len(packed)/8)
	for i := range list {
		list[i] = binary.BigEndian.Uint64(packed[8*i:])
	}
	return list
}

func (f Fingerprints) pack() []byte {
	packed := make([]byte, 0, 8*len(f))
	for _, fingerprint := range f {
		packed = binary.BigEndian.AppendUint64(packed, fingerprint)
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
	fingerprint := unsettledFingerprint(f.Path)
	if f.Settled {
		fingerprint = Fingerprint(f.Path, f.Size, f.MtimeNS)
	}
	c.come = append(c.come, fingerprint)
}

func (t *Tx) fileGoes(s Stamp) {
	c := t.changesOf(s.Path)
	c.gone = append(c.gone, s)
}

// putFingerprints writes what the transaction changed of them.
func (t *Tx) putFingerprints() error {
	for folder, changes := range t.fingerprints {
		var packed [][]byte
		if err := t.Select(&packed, selectFingerprints, folder); err != nil {
			return err
		}
		var list Fingerprints
		if len(packed) > 0 {
			list = unpackFingerprints(packed[0])
		}
		for _, s := range changes.gone {
			list = list.without(s)
		}
		list = append(list, changes.come...)
		slices.Sort(list)
		if err := t.exec("write fingerprints", `
			INSERT INTO fingerprints (folder, packed)
			VALUES (?, ?)
			ON CONFLICT (folder) DO UPDATE SET packed = excluded.packed`, folder, list.pack()); err != nil {
			return err
		}
	}
	return nil
}

func (f Fingerprints) without(s Stamp) Fingerprints {
	for _, fingerprint := range []uint64{Fingerprint(s.Path, s.Size, s.MtimeNS), unsettledFingerprint(s.Path)} {
		if i, found := slices.BinarySearch(f, fingerprint); found {
			return slices.Delete(f, i, i+1)
		}
	}
	return f
}
