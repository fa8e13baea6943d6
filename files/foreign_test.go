package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFolderOfAnotherTool(t *testing.T) {
	const memory = `{"title": "Kafka keeps the events", "tags": ["queue"]}`
	tests := map[string]struct {
		files   map[string]string
		foreign bool
	}{
		"empty":                           {nil, false},
		"an index alone":                  {map[string]string{"MEMORY.md": "- a"}, true},
		"topic files":                     {map[string]string{"debugging.md": "a", "patterns.md": "b"}, true},
		"files of another kind":           {map[string]string{"tasks.json": "{}"}, true},
		"notes in a folder of memctl":     {map[string]string{"decisions/why.md": "a"}, true},
		"a folder of another name":        {map[string]string{"topics/a.md": "a"}, true},
		"with memctl's settings":          {map[string]string{"MEMORY.md": "- a", ConfigName: ""}, false},
		"with a memory":                   {map[string]string{"MEMORY.md": "- a", "runbooks/a.json": memory}, false},
		"with what is no memory":          {map[string]string{"MEMORY.md": "- a", "runbooks/a.json": `{"name": "a"}`}, true},
		"a memory that does not read":     {map[string]string{"runbooks/a.json": "{"}, false},
		"a text that a tool wrote":        {map[string]string{"runbooks/a.txt": "a"}, false},
		"an index, locks and hidden ones": {map[string]string{"index.db": "", "index.db.lock": "", ".gitkeep": ""}, false},
		"a readme":                        {map[string]string{"README.md": "# Memories"}, false},
		"observations":                    {map[string]string{"observations/s.jsonl": ""}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			root := filepath.Join(project, filepath.FromSlash(RootPath))
			if err := os.MkdirAll(root, 0o755); err != nil {
				t.Fatal(err)
			}
			for file, data := range test.files {
				path := filepath.Join(root, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Find(Places{Cwd: project})
			if foreign := errors.As(err, new(*ForeignError)); foreign != test.foreign || foreign != (err != nil) {
				t.Errorf("got %v", err)
			}
			if (Foreign(root) != nil) != test.foreign {
				t.Errorf("Foreign: got %v", Foreign(root))
			}
		})
	}
}
