package schemas

import "strconv"

// keyWalk looks for keys that stand twice in one object, as merging by hand
// leaves them: JSON readers drop all but one without a word.
type keyWalk struct {
	scanner
	report
}

// repeatedKeys reads valid JSON.
func repeatedKeys(data []byte) []Violation {
	w := keyWalk{scanner: scanner{data: data}}
	w.walk()
	return w.found
}

func (w *keyWalk) walk() {
	switch {
	case w.open('{'):
		w.object()
	case w.open('['):
		w.list()
	default:
		w.value()
	}
}

func (w *keyWalk) object() {
	seen := map[string]int{}
	for w.more() {
		key := stringOf(w.value())
		seen[key]++
		w.report.at(key, func() {
			if seen[key] == 2 {
				w.add("json", "each key once", shorten(shorten(strconv.Quote(key))+" again"))
			}
			w.walk()
		})
	}
}

func (w *keyWalk) list() {
	for i := 0; w.more(); i++ {
		w.report.at(strconv.Itoa(i), w.walk)
	}
}
