package main

import (
	"fmt"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// checkFile returns all that is wrong with a file of a category's folder: with
// its bytes, and with what they say about its place.
func checkFile(folder *memdir.Folder, name string, category schemas.Category) []schemas.Violation {
	data, _, err := folder.Read(name)
	if err != nil {
		return []schemas.Violation{unreadable(err)}
	}
	found := schemas.Validate(data)
	m, err := schemas.Decode(data)
	if err != nil {
		return found // Validate has said so
	}
	if stem := strings.TrimSuffix(name, ".json"); m.ID != "" && m.ID != stem {
		found = append(found, schemas.Violation{Field: "id", Rule: "file name", Expected: fmt.Sprintf("the name of the file, %q", stem), Got: fmt.Sprintf("%q", m.ID)})
	}
	if m.Category != "" && m.Category != category {
		found = append(found, schemas.Violation{Field: "category", Rule: "folder", Expected: fmt.Sprintf("%q, as the folder says", category), Got: fmt.Sprintf("%q", m.Category)})
	}
	return found
}

func unreadable(err error) schemas.Violation {
	return schemas.Violation{Rule: "file", Expected: "a readable memory file", Got: text.Printable(err.Error())}
}
