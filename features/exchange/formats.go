// Package exchange brings memories in from the files of other tools and takes memories
// out, one file a format. A format turns a source into items; importing filters them,
// compares them with the memories that there are, and writes the new ones through the
// writer. No model is asked, so the same source gives the same memories.
package exchange

import (
	"path/filepath"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/schemas"
	"memctl/writer"
)

// Format is a form that memories are imported from.
type Format struct {
	Name string
	From string // what a user names as the source
	// Sorted is set if each item says its category.
	Sorted bool
	// Former is set for a format that nothing is imported from any more: memories that were are still followed.
	Former bool
	// Projects is set if a source has the memories of several projects.
	Projects bool
	// Place is the source that is read unless the user names one, nil for none.
	Place func(files.Root) string

	// match chooses the files of a source, and enter the folders that are searched besides
	// the usual ones, each by its path. file reads one of them.
	match, enter func(string) bool
	file         func(r *reader, name string)
	// read reads a source of another form, by the name of its file, or of alone in a folder.
	read  func(r *reader, name string) error
	alone string
}

// Formats lists the forms that memories are imported from.
var Formats = []Format{
	{Name: "adr", From: "a folder of architecture decision records (MADR, Nygard, adr-tools, log4brains)", Sorted: true,
		match: isMarkdown, file: textOf((*reader).adr)},
	{Name: "claude-md", From: "a project, or one of its instruction files", Former: true, Sorted: true,
		Place: projectFolder, match: isInstructions, enter: entersInstructions, file: textOf((*reader).prose)},
	{Name: "auto-memory", From: "Claude Code's own memory folder of a project, with MEMORY.md", Place: autoMemoryFolder,
		match: isMarkdown, file: textOf((*reader).autoMemory)},
	{Name: transcriptsName, From: "the sessions of Claude Code, a folder or one file, for their tool runs",
		Sorted: true,
		Place:  transcriptFolder, read: readTranscripts},
	{Name: "basic-memory", From: "a folder of basic-memory's notes", match: isMarkdown,
		file: textOf((*reader).markdownNote)},
	{Name: "markdown", From: "a folder of Markdown notes, such as an Obsidian vault", match: isMarkdown,
		file: textOf((*reader).markdownNote)},
	{Name: "mcp-memory", From: "memory.jsonl of the MCP reference server for memory", alone: "memory.jsonl",
		read: readGraph},
	{Name: "claude-mem", From: "claude-mem's database, ~/.claude-mem/claude-mem.db", Place: claudeMemDatabase,
		Projects: true, alone: "claude-mem.db", read: readClaudeMem},
	{Name: engramName, From: "engram's database, ~/.engram/engram.db, or its export", Place: engramDatabase,
		Projects: true, alone: "engram.db", read: readEngram},
	{Name: beadsName, From: "the issues of beads, .beads/issues.jsonl, or what bd export wrote", Place: beadsIssues,
		alone: "issues.jsonl", read: readBeads},
	{Name: memoryServiceName, From: "mcp-memory-service's database, sqlite_vec.db", Place: memoryServiceDatabase,
		Projects: true, alone: "sqlite_vec.db", read: readMemoryService},
	{Name: "jsonl", From: "what memctl export jsonl wrote", Sorted: true, read: readLines},
	{Name: "json", From: "a folder of memory files: another memory root, or one of claude-memory", Sorted: true,
		match: isMemory, enter: entersClaude, file: (*reader).memoryFile},
}

func projectFolder(root files.Root) string    { return root.Project }
func autoMemoryFolder(root files.Root) string { return clients.ProjectNotes(root.Project) }
func claudeMemDatabase(files.Root) string {
	return filepath.Join(userHome(), ".claude-mem", "claude-mem.db")
}

// FormatNamed returns the format of a name.
func FormatNamed(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// State says how an item is treated.
type State string

const (
	// New items are imported.
	New State = "new"
	// Same items are memories already.
	Same State = "same"
	// Changed items were imported before and have another text now.
	Changed State = "changed"
	// Similar items say nothing but what a memory says that was not imported from this source.
	Similar State = "similar"
	// Updated items were imported before, and their memories follow them.
	Updated State = "updated"
	// Conflict items have another text now, and so have their memories.
	Conflict State = "conflict"
	// Missing items are no longer in their source.
	Missing State = "gone"
	// LeftOut items are no memories: they fit no category, or are too old.
	LeftOut State = "left out"
	// Refused items cannot be read or are not valid.
	Refused State = "refused"
)

// States lists every state in the order people read them.
var States = []State{New, Updated, Same, Changed, Conflict, Missing, Similar, LeftOut, Refused}

// Item is one thing that a source holds.
type Item struct {
	State    State            `json:"state"`
	Category schemas.Category `json:"category,omitempty"`
	Title    string           `json:"title,omitempty"`
	// Path is the memory's, below the root: the new one, or the one that there is.
	Path string `json:"path,omitempty"`
	// Near is the memory that the item may be about too, "" for none.
	Near string `json:"near,omitempty"`
	// Origin is where the item stands: a path, which may have a part after "#".
	Origin string `json:"origin"`
	// Line is where the item begins, counted from 1; 0 if it is a whole file.
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Text is the text of an item that is left out.
	Text string `json:"text,omitempty"`

	doc *schemas.Memory // nil for what is not a memory
	// asItStands is set for memories that were exported.
	asItStands bool
	// isPage is set for pages of a Markdown export, which have no history.
	isPage bool
	// raw is the text that the item is made of. Its hash says whether it has changed.
	raw, hash string
	// name has what others call the item in their links, a line each.
	name  string
	links []link
	when  time.Time
	was   *files.ImportRecord // what it was at the last import
	// caughtUp is set if the memory says already what its source says now.
	caughtUp bool
	// edited is set for a memory that keeps what somebody wrote, though its source has moved.
	edited bool
	// ends is set for the memory of a record that is gone and that another one repeats.
	ends  bool
	draft writer.New
}
