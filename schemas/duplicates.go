package schemas

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// duplicates looks for keys that occur twice in one object, as a merge by hand
// leaves them: JSON readers silently drop all but one.
type duplicates struct {
	report
	dec *json.Decoder
}

// RepeatsKeys reports whether a key occurs twice in an object of a valid JSON document.
func RepeatsKeys(data []byte) bool { return len(repeatedKeys(data)) > 0 }

// repeatedKeys reports each repeated key of a valid JSON document once.
func repeatedKeys(data []byte) []Violation {
	d := duplicates{dec: json.NewDecoder(bytes.NewReader(data))}
	d.dec.UseNumber()
	d.value()
	return d.found
}

func (d *duplicates) value() {
	switch token, _ := d.dec.Token(); token {
	case json.Delim('{'):
		d.object()
	case json.Delim('['):
		for i := 0; d.dec.More(); i++ {
			d.at(strconv.Itoa(i), d.value)
		}
		_, _ = d.dec.Token() // the closing bracket
	}
}

func (d *duplicates) object() {
	seen := map[string]int{}
	for d.dec.More() {
		token, _ := d.dec.Token()
		key, _ := token.(string)
		seen[key]++
		d.at(key, func() {
			if seen[key] == 2 {
				d.add("json", "each key once", shorten(shorten(strconv.Quote(key))+" again"))
			}
			d.value()
		})
	}
	_, _ = d.dec.Token() // the closing brace
}
