package schemas

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Any and EncodeAny read and write values of any shape as encoding/json does, with
// numbers as json.Number and < and > as they are, in processes that have no time
// to set that up. Fuzz tests hold them equal.

// Any decodes a value. The bytes must have passed Valid.
func Any(raw json.RawMessage) any {
	s := scanner{data: raw}
	return s.any()
}

// any is value, decoded.
func (s *scanner) any() any {
	switch s.peek() {
	case '{':
		object := map[string]any{}
		for s.at++; s.more(); {
			key := stringOf(s.value())
			object[key] = s.any()
		}
		return object
	case '[':
		list := []any{}
		for s.at++; s.more(); {
			list = append(list, s.any())
		}
		return list
	case '"':
		return stringOf(s.value())
	case 't', 'f':
		return string(s.value()) == "true"
	case 'n', 0:
		s.value()
		return nil
	}
	return json.Number(s.value())
}

// EncodeAny encodes what Any returns, and numbers that are counts.
func EncodeAny(v any) json.RawMessage {
	const usual = 1 << 10 // bytes
	return appendAny(make([]byte, 0, usual), v)
}

func appendAny(dst []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendText(dst, v)
	case json.Number:
		return append(dst, v...)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case bool:
		return strconv.AppendBool(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			dst = appendAny(appendComma(dst, i), item)
		}
		return append(dst, ']')
	case map[string]any:
		dst = append(dst, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			dst = append(appendText(appendComma(dst, i), key), ':')
			dst = appendAny(dst, v[key])
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// appendComma writes what stands before an item.
func appendComma(dst []byte, item int) []byte {
	if item == 0 {
		return dst
	}
	return append(dst, ',')
}
