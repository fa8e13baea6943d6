package schemas

import "strings"

// Category is the kind of a memory, the value of its JSON field "category".
type Category string

// The six categories.
const (
	Decision       Category = "decision"
	Constraint     Category = "constraint"
	Preference     Category = "preference"
	Runbook        Category = "runbook"
	TechDebt       Category = "tech_debt"
	SessionSummary Category = "session_summary"
)

// CategoryInfo is one row of the category table.
type CategoryInfo struct {
	Category Category
	// Folder is the category's folder below the memory root.
	Folder string
	// Priority breaks ties between memories of equal score; 1 comes first.
	Priority int
	// Model is the default for the one that drafts the category's memories.
	Model string
	// Purpose describes the category in the memory-config.json of a new root.
	Purpose string
}

// Categories lists every category in order of priority.
var Categories = []CategoryInfo{
	{Decision, "decisions", 1, "sonnet", "Decisions with their rationale and the rejected alternatives"},
	{Constraint, "constraints", 2, "sonnet", "Limitations, quotas and policies imposed by platforms or vendors"},
	{Preference, "preferences", 3, "haiku", "Conventions and preferences: style, naming, tooling"},
	{Runbook, "runbooks", 4, "haiku", "Troubleshooting runbooks: symptoms, diagnosis, remedies"},
	{TechDebt, "tech-debt", 5, "haiku", "Technical debt: deferred refactoring, shortcuts, workarounds"},
	{SessionSummary, "sessions", 6, "haiku", "Session summaries: goals, outcomes, unfinished business"},
}

// Folders lists the folders of all categories, in order of priority.
func Folders() []string {
	var folders []string
	for _, info := range Categories {
		folders = append(folders, info.Folder)
	}
	return folders
}

// CategoryNames lists the names of all categories, in order of priority.
func CategoryNames() []string {
	var names []string
	for _, info := range Categories {
		names = append(names, string(info.Category))
	}
	return names
}

// Display is the upper-case name that a prompt's context shows.
func (c Category) Display() string { return strings.ToUpper(string(c)) }

// CategoryOfFolder returns the category whose memories live in folder.
func CategoryOfFolder(folder string) (Category, bool) {
	for _, info := range Categories {
		if info.Folder == folder {
			return info.Category, true
		}
	}
	return "", false
}

// CategoryOfPath returns the category of a memory's path, which is relative to the
// root and has slashes, e.g. "decisions/auth.json".
func CategoryOfPath(path string) (Category, bool) {
	folder, name, _ := strings.Cut(path, "/")
	category, ok := CategoryOfFolder(folder)
	return category, ok && strings.HasSuffix(name, ".json") && !strings.Contains(name, "/")
}

// Info returns the category's row of the table.
func (c Category) Info() (CategoryInfo, bool) {
	for _, info := range Categories {
		if info.Category == c {
			return info, true
		}
	}
	return CategoryInfo{}, false
}
