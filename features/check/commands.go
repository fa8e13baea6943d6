package check

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"memctl/text"
)

// scripts are the ends of names of files that are made of commands.
var scripts = []string{".sh", ".bash", ".zsh", ".fish", ".ksh", ".ps1", ".bat", ".cmd", ".mk", ".just"}

// named are names of files with commands, in lower case.
var named = []string{"makefile", "gnumakefile", "justfile", "dockerfile", "containerfile", "jenkinsfile", "procfile",
	"package.json", "composer.json", "taskfile.yml", "taskfile.yaml", "lefthook.yml", ".pre-commit-config.yaml",
	".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "cloudbuild.yaml"}

// holders are folders whose files have commands.
var holders = []string{".github/workflows/", ".github/actions/", ".circleci/", ".husky/", ".buildkite/", ".woodpecker/",
	".ci/", "githooks/", ".githooks/"}

// hasCommands reports whether the lines of a file are, or contain, commands of a shell.
func hasCommands(f changedFile) bool {
	name := strings.ToLower(path.Base(f.Path))
	stem, _, _ := strings.Cut(name, ".") // Dockerfile.dev
	isShell := path.Ext(name) == "" && len(f.Lines) > 0 && f.Lines[0].Number == 1 && strings.HasPrefix(f.Lines[0].Text,
		"#!") &&
		strings.Contains(f.Lines[0].Text, "sh")
	return isShell || slices.Contains(scripts, path.Ext(name)) || slices.Contains(named, name) ||
		slices.Contains([]string{"dockerfile", "containerfile", "makefile"}, stem) ||
		slices.ContainsFunc(holders, func(folder string) bool {
			return strings.HasPrefix(f.Path, folder) || strings.Contains(f.Path, "/"+folder)
		})
}

var (
	// yamlKey begins a line of YAML whose value may be a command, jsonKey one of JSON.
	yamlKey = text.Pattern(`^(?:-\s+)?(?:(?:run|(?:before_|after_)?script|command|cmd|entry|sh):\s*[|>]?[+-]?\s*)?`)
	jsonKey = text.Pattern(`^"(?:[^"\\]|\\.)*"\s*:\s*`)
	// makeMark and dockerMark begin commands of make and of Docker.
	makeMark   = text.Pattern(`^[@+-]+`)
	dockerMark = text.Pattern(`^(?i:RUN|CMD|ENTRYPOINT)\s+(?:--\S+\s+)*`)
)

// commandIn returns the command in a line of a file of commands, "" for a comment.
func commandIn(line string) string {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "::") {
		return ""
	}
	for _, mark := range []func() *regexp.Regexp{yamlKey, jsonKey, dockerMark, makeMark} {
		line = strings.TrimSpace(line[len(mark().FindString(line)):])
	}
	line = strings.TrimSuffix(line, ",")
	if quoted := len(line) > 1 && (line[0] == '"' || line[0] == '\'') && line[len(line)-1] == line[0]; quoted {
		line = strings.ReplaceAll(line[1:len(line)-1], `\"`, `"`)
	}
	return line
}
