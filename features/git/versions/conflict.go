package versions

import (
	"fmt"
	"strings"

	"memctl/schemas"
)

// SetTheirs gives a memory the value that theirs had.
func SetTheirs(m *schemas.Memory, c schemas.Conflict) error {
	values := m.Values()
	object, name := values, c.Field
	for {
		first, rest, found := strings.Cut(name, ".")
		within, isObject := object[first].(map[string]any)
		if !found || !isObject {
			break
		}
		object, name = within, rest
	}
	if strings.Contains(name, ".") {
		return fmt.Errorf("the memory has no %s", c.Field)
	}
	if c.Theirs == nil {
		delete(object, name)
	} else {
		object[name] = c.Theirs
	}
	*m = *schemas.MemoryOf(values)
	return nil
}
