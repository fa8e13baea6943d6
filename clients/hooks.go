package clients

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"memctl/observe"
	"memctl/text"
	"memctl/text/jsonedit"
)

// Hook is a command that the client runs at an event.
type Hook struct {
	Event         string  `json:"-"`
	Matcher       string  `json:"-"` // of tool names or sources; "" matches all
	Command       string  `json:"command"`
	Timeout       float64 `json:"timeout,omitempty"` // in seconds; 0 is the client's default
	StatusMessage string  `json:"statusMessage,omitempty"`
}

type hookFields struct {
	Type string `json:"type"`
	Hook
}

// hookGroup is the entry of a file for hooks that share a matcher.
type hookGroup struct {
	Matcher string       `json:"matcher,omitempty"`
	Hooks   []hookFields `json:"hooks"`
}

const commandType = "command"

// Hooks lists the command hooks of a settings file in its order. The hooks.json of a
// plugin has the same format.
func Hooks(file []byte) ([]Hook, error) {
	s, err := parse(file)
	if err != nil {
		return nil, err
	}
	var found []Hook
	for _, e := range s.hooks() {
		if e.Command != "" {
			found = append(found, e.Hook)
		}
	}
	return found, s.Err()
}

// hookEntry is a hook in a file. A hook that runs no command has no Command.
type hookEntry struct {
	Hook
	pointer string
	group   string // the pointer to the hooks that share a matcher
	alone   bool   // in the group
}

func (s settings) hooks() (entries []hookEntry) {
	for _, event := range s.Root().Member("hooks").Members() {
		for _, group := range event.Elements() {
			list := group.Member("hooks").Elements()
			var matcher string
			group.Member("matcher").Decode(&matcher)
			for _, v := range list {
				h := readHook(v)
				h.Event, h.Matcher = event.Name, matcher
				entries = append(entries, hookEntry{h, v.Pointer, group.Pointer, len(list) == 1})
			}
		}
	}
	return entries
}

// readHook reads a hook that runs a command, and returns the zero Hook for others.
func readHook(v jsonedit.Value) (h Hook) {
	var hookType string
	if v.Member("type").Decode(&hookType); hookType != commandType {
		return h
	}
	v.Member("command").Decode(&h.Command)
	v.Member("timeout").Decode(&h.Timeout)
	v.Member("statusMessage").Decode(&h.StatusMessage)
	return h
}

// addHook leaves exactly one hook of the name in the event. It updates the first one
// whose group has the right matcher or can be given it.
func (s settings) addHook(h Hook, in Entries) {
	isOther := func(e hookEntry) bool { return e.Event != h.Event || e.Name() != h.Name() }
	entries := slices.DeleteFunc(s.hooks(), isOther)
	keep := slices.IndexFunc(entries, func(e hookEntry) bool { return e.alone || e.Matcher == h.Matcher })
	if keep < 0 {
		s.Put("/hooks/"+h.Event+"/-", hookGroup{h.Matcher, []hookFields{{commandType, h}}})
	} else {
		s.updateHook(entries[keep], h, in)
	}
	for i, e := range slices.Backward(entries) {
		if i != keep {
			s.prune(e.pointer)
		}
	}
}

// updateHook keeps fields of the user's, and arguments after memctl's own, but none of a
// stranger's.
func (s settings) updateHook(e hookEntry, h Hook, in Entries) {
	arguments := e.arguments()
	if in.Replaced != nil {
		more := s.Strip(e.pointer, hookFields{commandType, h})
		if arguments = strings.TrimSpace(arguments); arguments != "" {
			more = append(more, arguments)
		}
		in.AddReplaced("the hook of "+h.Event, more)
		arguments = ""
	}
	h.Command = strings.TrimSuffix(h.Command, lineEnd) + arguments + lineEnd
	s.Put(e.pointer, hookFields{commandType, h})
	if e.Matcher != h.Matcher {
		s.Put(e.group+"/matcher", h.Matcher)
	}
}

// PluginProgram is the plugin's program, as a shell reads it. The variable has no
// braces, so that the shell and not the client puts the path in: it may hold any
// character.
const PluginProgram = `"$CLAUDE_PLUGIN_ROOT"/bin/memctl`

// Every hook is registered as one shell line (docs/dev/decisions/0007-one-shell-line.md).
// A program that is missing or killed prints nothing, and no exit status of the program
// reaches the client.
const (
	lineStart = "exec 2>/dev/null; "
	lineEnd   = "; exit 0"
)

// registered are the hooks that install registers, in the order of the file, with how
// long they may take and what Claude Code shows meanwhile.
var registered = []struct {
	name    string
	seconds float64
	status  string
}{
	{"session-start", 10, "memctl: bringing the memory index up to date"},
	{"user-prompt-submit", 10, "memctl: looking for memories"},
	{subagentStart, 5, "memctl: looking for memories"},
	{BeforeTool, 5, "memctl: guarding the memory files"},
	{observe.AfterTool, 10, "memctl: after the tool"},
	{observe.AfterFailure, 10, "memctl: after the tool"},
	{"stop", 30, "memctl: looking for what is worth a memory"},
}

// BeforeTool is the hook that guards the memory files.
const (
	BeforeTool    = "pre-tool-use"
	subagentStart = "subagent-start"
)

// Hooks lists the client's hooks with the lines that run a program, which is a word of
// the shell. hooks/hooks.json registers those of Claude Code for the plugin.
func (c *Client) Hooks(program string) (list []Hook) {
	for _, r := range registered {
		h := Hook{Event: c.Event(r.name), Command: c.shellLine(program, r.name),
			Timeout: r.seconds * cmp.Or(c.TimeoutUnits, 1)}
		if r.name == BeforeTool {
			h.Matcher = c.Guards
		}
		if c == Claude {
			h.StatusMessage = r.status
		}
		if (r.name != observe.AfterFailure || !c.JoinsFailures) && (r.name != subagentStart || c.Subagents) {
			list = append(list, h)
		}
	}
	return list
}

// HooksFile is the hooks.json of a plugin for the client that runs program.
func (c *Client) HooksFile(program string) ([]byte, error) {
	return c.HooksForm.Add(nil, Entries{Hooks: c.Hooks(program)})
}

// shellLine is the registered line of a hook. More arguments may follow its name.
func (c *Client) shellLine(program, hook string) string {
	if c != Claude {
		hook = "--client " + c.Name + " " + hook
	}
	return lineStart + program + " hook " + hook + lineEnd
}

// EventOf is Claude Code's event of a hook, "" if there is no such hook.
func EventOf(hook string) string {
	for _, r := range registered {
		if r.name == hook {
			return Claude.Event(hook)
		}
	}
	return ""
}

// IsCurrent reports whether the hook is registered by a line as Client.Hooks has it.
// A person may have registered a bare line.
func (h Hook) IsCurrent() bool {
	return strings.HasPrefix(h.Command, lineStart) && strings.HasSuffix(h.Command, lineEnd)
}

// bare is the line without what stands around a current one.
func (h Hook) bare() string {
	if !h.IsCurrent() {
		return h.Command
	}
	return strings.TrimSuffix(strings.TrimPrefix(h.Command, lineStart), lineEnd)
}

// PowerShell is a current line for PowerShell alone, which has no assignments before a
// program.
func (h Hook) PowerShell() string {
	line := h.bare()
	if _, program, found := strings.Cut(line, searched); found {
		line = program
	}
	return line + " 2>$null" + lineEnd
}

// arguments are those after the hook's name in a current line, as a shell reads them.
func (h Hook) arguments() string {
	if !h.IsCurrent() {
		return ""
	}
	_, rest, _ := strings.Cut(h.bare(), " hook ")
	if strings.HasPrefix(rest, "--client ") {
		_, rest, _ = strings.Cut(rest, " "+h.Name())
		return rest
	}
	return strings.TrimPrefix(rest, h.Name())
}

// Name is the hook that the command runs as "memctl hook NAME", with memctl from any
// folder. It is "" for other commands, and for a line that says anything more, unless
// install wrote the line.
func (h Hook) Name() string {
	words, simple := h.words()
	if !simple || len(words) < 3 || !isMemctl(words[0]) || words[1] != "hook" {
		return ""
	}
	_, name, more := hookWords(words[2:])
	if len(more) > 0 && !h.IsCurrent() {
		return ""
	}
	return name
}

// Client is the name of the client that the command answers.
func (h Hook) Client() (client string) {
	if words, simple := h.words(); simple && len(words) > 2 {
		client, _, _ = hookWords(words[2:])
	}
	return client
}

// Memctl looks for "memctl hook NAME" anywhere in the command, also between other
// flags and commands. It returns the program as it is written, with variables; "" if
// a shell has to find out.
func (h Hook) Memctl() (program, name string, ok bool) {
	words, simple := h.words()
	at := slices.IndexFunc(words, isMemctl)
	hook := slices.Index(words[max(0, at):], "hook")
	if at < 0 || hook < 0 {
		return "", "", false
	}
	if simple {
		program = words[at]
	}
	if _, name, _ = hookWords(words[at+hook+1:]); name == "" {
		return "", "", false
	}
	return program, name, true
}

// hookWords reads what follows "memctl hook": a client, if it is named first, the hook,
// and more arguments.
func hookWords(words []string) (client, name string, more []string) {
	client = Claude.Name
	if len(words) > 1 && words[0] == "--client" {
		client, words = words[1], words[2:]
	}
	if len(words) == 0 {
		return client, "", nil
	}
	return client, words[0], words[1:]
}

// words are the program and its arguments, without quotes. A shell line that does more
// than run one program is not simple.
func (h Hook) words() (words []string, simple bool) {
	line := h.bare()
	if strings.ContainsAny(quotes().ReplaceAllString(line, ""), "|&;<>()`\n") {
		return strings.Fields(line), false
	}
	for _, word := range word().FindAllString(line, -1) {
		words = append(words, quotes().ReplaceAllString(word, "$1$2$3"))
	}
	for len(words) > 1 {
		name, _, assigns := strings.Cut(words[0], "=")
		if words[0] != "exec" && (!assigns || name == "" || strings.ContainsAny(name, `/\.`)) {
			break
		}
		words = words[1:]
	}
	return words, true
}

// The words of a line as a shell finds them. A backslash escapes only blanks and quotes,
// because paths of Windows have backslashes too.
var (
	word   = text.Pattern(`("[^"]*"|'[^']*'|\\[ "']|[^\s"'])+`)
	quotes = text.Pattern(`"([^"]*)"|'([^']*)'|\\([ "'])`)
)

// isMemctl reports whether a word runs memctl, from any folder.
func isMemctl(word string) bool {
	base := word[strings.LastIndexAny(word, `/\`)+1:]
	return strings.TrimSuffix(base, ".exe") == "memctl"
}

// regexpSigns make the client treat a matcher as a regular expression.
const regexpSigns = `.*+?^$()[]{}\`

// Matches reports whether a hook's matcher matches a tool. An empty one and "*" match
// every tool, "A|B" and "A, B" list tools, anything else is a regular expression.
func Matches(matcher, tool string) bool {
	switch {
	case matcher == "" || matcher == "*":
		return true
	case strings.ContainsAny(matcher, regexpSigns):
		pattern, err := regexp.Compile(matcher)
		return err == nil && pattern.MatchString(tool)
	}
	names := strings.FieldsFunc(matcher, func(r rune) bool { return strings.ContainsRune("|, ", r) })
	return slices.Contains(names, tool)
}
