package console

import (
	"os"
	"strings"
	"sync"
	"unicode"
)

// inWorkflow reports whether the output may be the log of a workflow, which runs commands that stand in it: GitHub
// Actions, Forgejo and Gitea those of a line that begins with :: and of ##[ anywhere, Azure Pipelines those of ##vso[.
var inWorkflow = sync.OnceValue(func() bool { return os.Getenv("GITHUB_ACTIONS") != "" || os.Getenv("TF_BUILD") != "" })

// WithoutCommands returns a text as it is, but in a workflow none of its lines is a command there: much of the text was
// written by strangers, such as the title of a memory in a pull request.
func WithoutCommands(s string) string {
	if !inWorkflow() || !strings.Contains(s, "::") && !strings.Contains(s, "##") {
		return s
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(strings.NewReplacer("##[", "## [", "##vso[", "## vso[").Replace(s), "\n") {
		said := strings.TrimLeftFunc(line, unicode.IsSpace)
		if strings.HasPrefix(said, "::") {
			line = line[:len(line)-len(said)] + ": " + said[1:]
		}
		b.WriteString(line)
	}
	return b.String()
}
