//go:build attack && linux

package attack

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// alikeMemories have one text and a title each.
func alikeMemories(p *project) error {
	text := ""
	for i := range 150 {
		text += fmt.Sprintf("word%c%c ", 'a'+i%26, 'a'+i/26)
	}
	for i := range 10_000 {
		id := fmt.Sprintf("m-%d", i)
		m := strings.Replace(memory("decision", id, fmt.Sprintf("Kafka keeps events for long %d", i), "kafka"), `"c"`,
			`"`+text+`"`, 1)
		if err := p.write("decisions/"+id+".json", m); err != nil {
			return err
		}
	}
	r := p.run(nil, "review", "--json")
	if r.err == nil && r.took > 10*time.Second {
		return fmt.Errorf("a review of 10,000 memories took %v", r.took)
	}
	return r.err
}

// deepMerge merges memories in which objects stand in objects, with another value in each.
func deepMerge(p *project) error {
	var args []string
	for _, version := range []string{"base", "ours", "theirs"} {
		deep := `,"z":` + strings.Repeat(`{"a":`, 4800) + `"` + version + `"` + strings.Repeat("}", 4800) + "}"
		m := memory("decision", "deep", "Kafka "+version, "kafka")
		file := filepath.Join(p.dir, version)
		if err := os.WriteFile(file, []byte(strings.TrimSuffix(m, "}")+deep), 0o644); err != nil {
			return err
		}
		args = append(args, file)
	}
	r := p.run(nil, append([]string{"merge-driver"}, append(args, "7", ".claude/memory/decisions/deep.json")...)...)
	switch {
	case r.took > 2*time.Second:
		return fmt.Errorf("it took %v", r.took)
	case !strings.Contains(r.messages, "nested more than 100 deep"):
		return fmt.Errorf("exit status %d: %s", r.code, r.messages)
	}
	return nil
}

// bracketsAsFrontMatter begin a note with 16 kB of brackets.
func bracketsAsFrontMatter(p *project) error {
	notes := filepath.Join(p.dir, "notes")
	err := errors.Join(os.Mkdir(notes, 0o755), os.WriteFile(filepath.Join(notes, "note.md"),
		[]byte("---\n"+strings.Repeat("[", 16_000)+"\n---\n# Kafka\n\nWe chose Kafka because of its log.\n"), 0o644))
	if err != nil {
		return err
	}
	r := p.run(nil, "import", "markdown", notes, "--dry-run")
	if r.err == nil && r.peak > 100<<20 {
		return fmt.Errorf("it took %d MB", r.peak>>20)
	}
	return r.err
}

// largeAnswer is what a hub answers to a search: five million results that say nothing.
func largeAnswer(p *project) error {
	answer := []byte(`{"results": [{}` + strings.Repeat(",{}", 15<<20/3) + "]}")
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) }))
	defer hub.Close()
	own := filepath.Join(p.dir, "home", ".claude", "memory")
	err := errors.Join(os.MkdirAll(own, 0o755),
		os.WriteFile(filepath.Join(own, "memory-config.json"),
			[]byte(`{"hub": {"url": "`+hub.URL+`", "timeout_ms": 10000}}`), 0o644),
		os.WriteFile(filepath.Join(p.dir, "home", ".gitconfig"),
			[]byte("[credential]\n\thelper = \"!echo password=memctl_x #\"\n"), 0o644))
	if err != nil {
		return err
	}
	r := p.run(nil, "search", "--hub", "kafka")
	switch {
	case r.err == nil && r.peak > 200<<20:
		return fmt.Errorf("it took %d MB", r.peak>>20)
	case r.err == nil && !strings.Contains(r.messages, "its answer is not a hub's"):
		return fmt.Errorf("it says %s", r.messages)
	}
	return r.err
}
