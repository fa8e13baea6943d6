package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// describeJSONError turns an error of encoding/json into a position and a reason.
func describeJSONError(data []byte, err error) string {
	var syntax *json.SyntaxError
	var number *json.UnmarshalTypeError
	offset, why := int64(1), err.Error()
	switch {
	case bytes.HasPrefix(data, byteOrderMark):
		why = "a byte order mark"
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &number):
		offset, why = number.Offset, number.Value+" is out of range"
	}
	// The offset counts the bytes read, the offending one included.
	return lineColumn(data, int(offset)-1) + ": " + why
}

// lineColumn counts lines and columns from 1, columns in characters.
func lineColumn(data []byte, offset int) string {
	before := data[:max(0, min(offset, len(data)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Sprintf("line %d, column %d", line, column)
}

// invalidOffset returns the offset of the first byte that is not UTF-8.
func invalidOffset(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}
