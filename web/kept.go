package web

import (
	"crypto/md5"
	"fmt"
	"slices"
	"sync"
)

// maxKept is how many versions and notices are kept at most.
const maxKept = 32

// versions keeps the files as they were last shown, by their hash, so that a conflict can
// show what has changed since.
type versions struct {
	mu    sync.Mutex
	list  []string // hashes, oldest first
	files map[string][]byte
}

func (k *versions) keep(data []byte) (hash string) {
	hash = fmt.Sprintf("%x", md5.Sum(data))
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil {
		k.files = map[string][]byte{}
	}
	k.list = append(slices.DeleteFunc(k.list, func(h string) bool { return h == hash }), hash)
	k.files[hash] = data
	if len(k.list) > maxKept {
		delete(k.files, k.list[0])
		k.list = k.list[1:]
	}
	return hash
}

// get returns the file with a hash, nil if it is not kept any more.
func (k *versions) get(hash string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.files[hash]
}

// notices keeps what a change has to tell until the next page shows it.
type notices struct {
	mu   sync.Mutex
	list []notice
}

type notice struct {
	key   string
	lines []string
}

// put returns the key of the notices.
func (k *notices) put(lines []string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := notice{secret(), lines}
	k.list = append(k.list, n)
	k.list = k.list[max(0, len(k.list)-maxKept):]
	return n.key
}

// take returns the notices of a key, once.
func (k *notices) take(key string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.list, func(n notice) bool { return n.key == key })
	if i < 0 {
		return nil
	}
	lines := k.list[i].lines
	k.list = slices.Delete(k.list, i, i+1)
	return lines
}
