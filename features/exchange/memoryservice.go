package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/files"
)

const memoryServiceName = "mcp-memory-service"

var (
	memoryServiceMemories = foreignTable{"memories",
		[]string{"id", "content_hash", "content", "tags", "memory_type", "created_at"},
		[]string{"updated_at", "deleted_at", "superseded_by", "metadata"}}
	memoryServiceGraph = foreignTable{"memory_graph", []string{"source_hash", "target_hash"},
		[]string{"relationship_type"}}
)

// memoryServiceDatabase is where mcp-memory-service keeps its database, by the system.
func memoryServiceDatabase(files.Root) string {
	folder := filepath.Join(userHome(), ".local", "share")
	switch runtime.GOOS {
	case "darwin":
		folder = filepath.Join(userHome(), "Library", "Application Support")
	case "windows":
		folder = os.Getenv("LOCALAPPDATA")
	}
	return filepath.Join(folder, "mcp-memory", "sqlite_vec.db")
}

// readMemoryService reads the memories of mcp-memory-service. Its vectors are in a virtual table, which is not read.
func readMemoryService(r *reader, name string) error {
	isDatabase, err := r.src.startsLikeDatabase(name)
	if err != nil {
		return err
	}
	if !isDatabase {
		return errors.New("no database of mcp-memory-service: it is not SQLite's")
	}
	return r.readDatabase(memoryServiceName, name, func(d foreignDB) error {
		links := map[string][]link{}
		hasGraph, err := d.has(memoryServiceGraph.name)
		if err == nil && hasGraph {
			err = d.rows(memoryServiceGraph, func(row map[string]string) {
				if kind := row["relationship_type"]; kind != "" && kind != "related" { // found by likeness
					from := row["source_hash"]
					links[from] = append(links[from], link{kind: kind, to: row["target_hash"], maybe: true})
				}
			})
		}
		if err != nil {
			return err
		}
		f, others := &file{origin: r.src.origin(name)}, leftOut{}
		err = d.rows(memoryServiceMemories, func(row map[string]string) { r.serviceMemory(f, others, row, links) })
		if err == nil {
			r.leaveOutAll(f.part(""), others)
		}
		return err
	})
}

// projectTag begins a tag that names a project.
const projectTag = "proj:"

// serviceMemory adds a memory of mcp-memory-service. It names its project only by a tag, if at all.
func (r *reader) serviceMemory(f *file, others leftOut, row map[string]string, links map[string][]link) {
	var tags []string
	project := ""
	for _, tag := range stringsOf(row["tags"]) {
		if of, found := strings.CutPrefix(tag, projectTag); found {
			project = of
		} else if tag != "untagged" { // of the tool, for none
			tags = append(tags, tag)
		}
	}
	isNamed := slices.ContainsFunc(tags, func(tag string) bool { return strings.EqualFold(tag, r.options.Project) })
	switch {
	case row["deleted_at"] != "":
		others.count("deleted in mcp-memory-service")
		return
	case row["superseded_by"] != "" || isSuperseded(row["metadata"]):
		others.count("replaced by a later version")
		return
	case project != "" && !isNamed && !r.ofProject(project, others):
		return
	}
	content := strings.TrimSpace(row["content"])
	d := draft{category: cmp.Or(categoryOf(row["memory_type"]), r.options.Category), title: titleFrom(content),
		tags:    tags,
		created: seconds(row["created_at"]), when: seconds(cmp.Or(row["updated_at"], row["created_at"])),
		raw: content, name: row["content_hash"], links: links[row["content_hash"]], text: content}
	part := "memories/" + row["id"]
	if d.category == "" || d.title == "" {
		r.leaveToReader(f.part(part), 0, content, unfit, d.when)
		return
	}
	d.topic = d.title
	r.draft(f, part, 0, d)
}

// isSuperseded reports whether the metadata of a memory name a later version: the tool writes it there or into a
// column.
func isSuperseded(metadata string) bool {
	var m struct {
		By string `json:"superseded_by"`
	}
	return json.Unmarshal([]byte(metadata), &m) == nil && m.By != ""
}

// seconds reads a time in seconds with a fraction, zero for another text.
func seconds(raw string) time.Time {
	n, err := strconv.ParseFloat(raw, 64)
	if err != nil || !(n > 0 && n < 1e11) {
		return time.Time{}
	}
	whole, fraction := math.Modf(n)
	return time.Unix(int64(whole), int64(fraction*1e9)).UTC()
}
