package benchhub

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/features/hub/remote"
	"memctl/schemas"
	"memctl/text"
)

const (
	perRepository = 500 // memories of a repository of the company
	leastBody     = 80  // bytes; shorter commit messages say too little
	mostBody      = 4000
)

// company is what a company knows: the commit messages of git repositories as memories, those of a
// time in a repository of the company.
type company struct {
	memories []schemas.Memory
	seen     map[string]bool // titles
}

// newCompany reads as many memories as a company has from the git folders, the same number of each as
// far as they have them.
func newCompany(folders []string, memories int) (*company, error) {
	c := &company{seen: map[string]bool{}}
	messages := make([][][]byte, len(folders))
	for i, folder := range folders {
		log, err := exec.Command("git", "-c", "safe.directory=*", "--git-dir", folder, "log", "--all", "--no-merges",
			"-z", "--format=%ct%n%B", "--max-count", strconv.Itoa(memories)).Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		messages[i] = bytes.Split(log, []byte{0})
	}
	for left := true; left && len(c.memories) < memories; {
		left = false
		for i := range messages {
			wanted := min(len(c.memories)+perRepository, memories)
			for ; len(messages[i]) > 0 && len(c.memories) < wanted; messages[i] = messages[i][1:] {
				c.add(string(messages[i][0]))
			}
			left = left || len(messages[i]) > 0
		}
	}
	if len(c.memories) < memories {
		return nil, fmt.Errorf("the git repositories have %d messages, not %d", len(c.memories), memories)
	}
	return c, nil
}

var (
	trailer = regexp.MustCompile(`(?m)^[A-Z][A-Za-z-]+-[Bb]y: .*\n?`)
	prefix  = regexp.MustCompile(`^([a-z0-9_./-]{2,30})(?:\([^)]*\))?!?: `)
)

// add makes a memory of a commit's time and message, unless it says too little or is there already.
func (c *company) add(commit string) {
	stamp, message, _ := strings.Cut(commit, "\n")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	message = trailer.ReplaceAllString(strings.ToValidUTF8(message, ""), "")
	title, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	title = strings.TrimSpace(text.Printable(text.Truncate(title, 120)))
	body = strings.TrimSpace(text.Paragraph(text.Truncate(body, mostBody)))
	if err != nil || len(title) < 10 || len(body) < leastBody || c.seen[title] {
		return
	}
	c.seen[title] = true
	tags := []string{"commit"}
	if found := prefix.FindStringSubmatch(title); found != nil && found[1] != tags[0] {
		tags = append(tags, found[1])
	}
	written := schemas.FormatTime(time.Unix(seconds, 0))
	c.memories = append(c.memories, schemas.Memory{
		SchemaVersion: "1.0", Category: schemas.Decision, ID: fmt.Sprintf("m%07d", len(c.memories)), Title: title, Tags: tags,
		RecordStatus: schemas.Active, CreatedAt: written, UpdatedAt: written,
		Content: &schemas.DecisionContent{Status: "accepted", Context: body, Decision: "as the title says", Rationale: []string{"unknown"}},
	})
}

func pathOf(m schemas.Memory) string { return "decisions/" + m.ID + ".json" }

func repositoryName(r int) string { return fmt.Sprintf("git.example.com/company/r%05d", r) }

func (c *company) repositories() int { return (len(c.memories) + perRepository - 1) / perRepository }

// publication returns the memories of a repository as its CI sends them.
func (c *company) publication(r int, sequence int64) (remote.Publication, error) {
	p := remote.Publication{Repository: repositoryName(r), Commit: fmt.Sprintf("%040x", sequence), Sequence: sequence}
	for _, m := range c.memories[r*perRepository : min((r+1)*perRepository, len(c.memories))] {
		data, err := m.Encode()
		if err != nil {
			return p, err
		}
		p.Memories = append(p.Memories, remote.File{Path: pathOf(m), Memory: data})
	}
	return p, nil
}

// frequent returns the words that most memories have, of at least four letters.
func (c *company) frequent(n int) []string {
	counts := map[string]int{}
	for _, m := range c.memories[:min(len(c.memories), 20_000)] {
		content, _ := m.Content.(*schemas.DecisionContent)
		words := strings.FieldsFunc(strings.ToLower(content.Context), func(r rune) bool { return r < 'a' || r > 'z' })
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			if len(word) >= 4 {
				counts[word]++
			}
		}
	}
	words := make([]string, 0, len(counts))
	for word := range counts {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return words[:min(n, len(words))]
}
