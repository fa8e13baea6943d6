package schemas

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

const commonSchema = "memory.schema.json"

//go:embed memory.schema.json decision.schema.json session_summary.schema.json
//go:embed runbook.schema.json constraint.schema.json tech_debt.schema.json preference.schema.json
var schemaFiles embed.FS

// schemaSet holds schemas by file name.
type schemaSet map[string]*schema

func (c Category) schemaName() string { return string(c) + ".schema.json" }

// memorySchemas returns the schemas of memories, which are read once at first use.
var memorySchemas = sync.OnceValues(readSchemas)

func readSchemas() (schemaSet, error) {
	files := map[string][]byte{}
	entries, err := schemaFiles.ReadDir(".")
	for _, entry := range entries {
		if err == nil {
			files[entry.Name()], err = schemaFiles.ReadFile(entry.Name())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read schemas: %w", err)
	}
	return loadSchemas(files)
}

// schemaFor returns the schema of the category that a document names, the common
// one if it names none.
func (set schemaSet) schemaFor(doc any) *schema {
	if own := set[categoryOf(doc).schemaName()]; own != nil {
		return own
	}
	return set[commonSchema]
}

func loadSchemas(files map[string][]byte) (schemaSet, error) {
	set := schemaSet{}
	for name, data := range files {
		s, err := decodeSchema(data)
		if err != nil {
			return nil, fmt.Errorf("decode %s: %w", name, err)
		}
		set[name] = s
	}
	for name, s := range set {
		if err := set.link(s, name); err != nil {
			return nil, fmt.Errorf("load %s: %w", name, err)
		}
	}
	return set, nil
}

// link prepares a schema of a file and all schemas within it for the evaluator.
func (set schemaSet) link(s *schema, file string) error {
	if err := s.checkSupported(); err != nil {
		return err
	}
	if s.Ref != "" {
		if s.referred = set.find(s.Ref, file); s.referred == nil {
			return fmt.Errorf("$ref %q leads nowhere", s.Ref)
		}
	}
	if s.Pattern != "" {
		var err error
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return err
		}
	}
	for within := range s.within() {
		if err := set.link(within, file); err != nil {
			return err
		}
	}
	return nil
}

// find resolves "file", "file#/$defs/name" and, within a file, "#/$defs/name". It
// returns nil for a reference that leads nowhere.
func (set schemaSet) find(ref, file string) *schema {
	name, pointer, _ := strings.Cut(ref, "#")
	if name != "" {
		file = name
	}
	s := set[file]
	if s == nil || pointer == "" {
		return s
	}
	definition, _ := strings.CutPrefix(pointer, "/$defs/")
	return s.Defs[definition]
}
