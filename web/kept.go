package web

import (
	"slices"
	"sync"
)

// maxKept is how many values are kept at most.
const maxKept = 32

// kept is a map of the values that were put last.
type kept[V any] struct {
	mu     sync.Mutex
	keys   []string // oldest first
	values map[string]V
}

func (k *kept[V]) put(key string, value V) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil {
		k.values = map[string]V{}
	}
	k.keys = append(slices.DeleteFunc(k.keys, func(other string) bool { return other == key }), key)
	k.values[key] = value
	if len(k.keys) > maxKept {
		delete(k.values, k.keys[0])
		k.keys = k.keys[1:]
	}
}

// get returns the zero value for a key that is not kept.
func (k *kept[V]) get(key string) V {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.values[key]
}

// take is get for the last time.
func (k *kept[V]) take(key string) V {
	k.mu.Lock()
	defer k.mu.Unlock()
	value := k.values[key]
	delete(k.values, key)
	return value
}
