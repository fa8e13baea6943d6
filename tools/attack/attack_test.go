//go:build attack && linux

package attack

import (
	"os"
	"path/filepath"
	"testing"
)

// attack is one case. It returns nil if memctl withstands it.
type attack struct {
	name string
	run  func(*project) error
}

var attacks = []attack{
	{"a configuration of 1 TB", hugeFile("memory-config.json")},
	{"a configuration of 200 MB", blankFile("memory-config.json", "{}")},
	{"a memory of 200 MB", blankFile("decisions/huge.json", "{}")},
	{"synonyms of 200 MB", blankFile("synonyms.txt", "kafka = events")},
	{"observations of 200 MB", blankFile("observations/huge.jsonl", "{}")},
	{"a memory of 1 TB", hugeFile("decisions/huge.json")},
	{"synonyms of 1 TB", hugeFile("synonyms.txt")},
	{"observations of 1 TB", hugeFile("observations/huge.jsonl")},
	{"a configuration that is a link to the kernel's log", linkedConfig("/proc/kmsg")},
	{"a configuration that is a link out of the root", linkedConfig("/etc/passwd")},
	{"a configuration that is a pipe", pipedConfig},
	{"50 nested repetitions as a pattern", patterns(nestedRepetitions())},
	{"ten repeated character classes as patterns", patterns(repeatedClasses())},
	{"5,000 patterns", patterns(manyPatterns())},
	{"an index with a view named like a table", indexWith(viewForTable)},
	{"an index with a trigger that writes", indexWith(writingTrigger)},
	{"an index with a trigger that does not end", indexWith(endlessTrigger)},
	{"an index with false rows", falseRows},
	{"one root under two paths", twoPaths},
	{"a stale index.db.new", staleBuild},
	{"starts that are killed while they build the index", killedStarts},
	{"a stranger's index.db.new with false rows", strangersBuild},
	{"commands of a workflow in memories", commandsInLog},
	{"a private tag that nothing closes", openTag},
	{"notes of a project in another one's folder", sharedNotes},
	{"a title of 1 MB", longTitle},
	{"100,000 tags", manyTags},
	{"100,000 files that are not memories", manyFiles},
	{"10,000 links that are not memories", manyLinks},
	{"50 memories of 1 MB", largeMemories},
	{"50 memories of 1 MB that cannot be indexed", largeReadOnly},
	{"transcripts with lines of 2 MB", longTranscripts},
	{"fields of 8 MB in events", longFields},
	{"invisible characters in a title", invisibleTitle},
	{"control characters in names and paths", controlCharacters},
	{"a secret in every string", secretEverywhere},
	{"deleted memories in the pages of the index", freedPages},
	{"a file renamed over one that is set aside", quarantineRace},
	{"few file descriptors", limited("ulimit -n 7", "ulimit -n 8", "ulimit -n 10", "ulimit -n 12")},
	{"little memory", limited("ulimit -v 2000000")},
	{"a full disk", fullDisk},
	{"a resource with a control character", hostileResource},
	{"1,000 pipelined searches", pipelinedSearches},
	{"a settings diff that shows other lines' values", settingsDiff},
	{"a root that another user's memctl wrote", foreignRoot},
	{"memories that a pull brings", pulledMemories},
	{"memories that come between two starts", betweenStarts},
	{"a commit that claims the person's address", forgedAuthor},
	{"other content at a path that was seen", changedContent},
	{"another project in a confirmed place", takenPlace},
	{"an agent's save among the person's own memories", savedForAll},
	{"a list of sources that names files outside", outsideSources},
	{"10,000 alike memories", alikeMemories},
	{"a merge of memories nested 4,800 deep", deepMerge},
	{"16 kB of brackets as front matter", bracketsAsFrontMatter},
	{"a hub's answer of 15 MB", largeAnswer},
	{"150,000 lines about the sources of memories", hostileLines},
	{"30,000 lines about the sources of memories", manyLines},
	{"signals to long commands", stoppedCommands},
	{"an agent that lets itself search all projects", liftedGate},
	{"an agent that names the hub", settingOf("hub.url", "https://hub.example")},
	{"an agent that names the server of a model", settingOf("meaning.endpoint", "http://127.0.0.1:9")},
	{"an agent that names further roots", settingOf("sources.roots", `["~/../other"]`)},
	{"an agent that imports from another project", foreignImports},
	{"an agent that adds a project and allows itself commands", ownLeave},
	{"a person's answer on stdin", answerOnStdin},
	{"a model's server on this machine that nobody has confirmed", unconfirmedServer},
	{"a hook that an agent calls for another project", foreignHook},
	{"past sessions for a session that memctl does not know", unknownSession},
}

// TestAttack runs every case on the binary that MEMCTL names.
func TestAttack(t *testing.T) {
	memctl, err := filepath.Abs(os.Getenv("MEMCTL"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(memctl); err != nil {
		t.Fatalf("MEMCTL names no binary; make attack sets it: %v", err)
	}
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			p, err := newProject(t.Context(), memctl, t.TempDir())
			if err == nil {
				err = a.run(p)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}
