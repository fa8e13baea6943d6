package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"memctl/text"
	"memctl/text/jsonedit"

	"github.com/rogpeppe/go-internal/diff"
)

// Form is the form of a client's file. It adds, removes and finds memctl's part of it.
type Form interface {
	// Add puts entries into a file and returns the new bytes, the given ones if nothing
	// changes. No file is nil.
	Add(data []byte, e Entries) ([]byte, error)
	// Remove removes memctl's part from a file that Find has read, and returns the new bytes, nil
	// if the file can go. before is the file as it was when memctl was installed, or nil.
	Remove(data, before []byte) ([]byte, error)
	// Find lists memctl's entries.
	Find(data []byte) (Entries, error)
	// Diff shows a change of a file, with the values masked that are not memctl's.
	Diff(path string, before, after []byte) string
	// IsOwn reports whether a file of this form is memctl's alone, so that no copy of it
	// is kept.
	IsOwn() bool
	// Rules say in a few words what the client reads.
	Rules() string
}

// Entries are the entries of memctl in a file of the client: hooks, permission rules and the
// approval of its server in settings.json, the server in .mcp.json.
type Entries struct {
	Hooks    []Hook
	Rules    []string // of permissions.allow
	Asks     []string // of permissions.ask
	Approved bool     // enabledMcpjsonServers names the server
	Server   *Server
	NotesOff bool // autoMemoryEnabled is false
	// Replaced is set for a file that strangers may have written: entries of memctl's name
	// are replaced whole, and those that said more are listed. In a user's own file, what
	// the user added to them stays.
	Replaced *[]string
}

// AddReplaced lists an entry that said more than memctl's own.
func (e Entries) AddReplaced(what string, more []string) {
	if len(more) > 0 {
		*e.Replaced = append(*e.Replaced, fmt.Sprintf("%s, which also had %s", what,
			text.Brief(strings.Join(more, ", "))))
	}
}

// IsEmpty reports whether memctl has nothing in the file.
func (e Entries) IsEmpty() bool {
	return len(e.Hooks) == 0 && len(e.Rules) == 0 && len(e.Asks) == 0 && !e.Approved && e.Server == nil
}

// SettingsForm is JSON with hooks in groups that share a matcher, and servers.
type SettingsForm struct{}

func (SettingsForm) IsOwn() bool   { return false }
func (SettingsForm) Rules() string { return "strict JSON, without comments" }

// settings are a file of that form.
type settings struct{ *jsonedit.File }

func parse(data []byte) (settings, error) {
	f, err := jsonedit.Parse(data)
	return settings{f}, err
}

// Add updates a hook or server of memctl that is already there in place.
func (SettingsForm) Add(data []byte, e Entries) ([]byte, error) {
	s, err := parse(data)
	if err != nil {
		return nil, err
	}
	if s.find(Entries{}); s.Err() != nil {
		return nil, s.Err()
	}
	for _, h := range e.Hooks {
		s.addHook(h, e)
	}
	s.addRules(s.allowed(), e.Rules, widerRules)
	s.addRules(s.asked(), e.Asks, func(rule string) []string { return []string{rule} })
	if e.Approved {
		s.approveServer()
	}
	if e.Server != nil {
		s.addServer(*e.Server, e)
	}
	if e.NotesOff {
		s.Put(ownMemory, false)
	}
	return s.Bytes(), s.Err()
}

func (SettingsForm) Find(data []byte) (Entries, error) {
	s, err := parse(data)
	if err != nil {
		return Entries{}, err
	}
	e, _ := s.find(Entries{})
	return e, s.Err()
}

// find lists memctl's entries and the pointers to them, without those to the rules and
// the approval that the user had before.
func (s settings) find(before Entries) (e Entries, pointers []string) {
	for _, h := range s.hooks() {
		if h.Name() != "" {
			e.Hooks, pointers = append(e.Hooks, h.Hook), append(pointers, h.pointer)
		}
	}
	isRule := func(rule string) bool { return slices.Contains(allRules(), rule) }
	rules, at := own(s.allowed(), isRule, before.Rules)
	e.Rules, pointers = rules, append(pointers, at...)
	asks, at := own(s.asked(), func(rule string) bool { return slices.Contains(AskRules(), rule) }, before.Asks)
	e.Asks, pointers = asks, append(pointers, at...)
	var had []string
	if before.Approved {
		had = []string{ServerName}
	}
	approved, at := own(s.approved(), func(name string) bool { return name == ServerName }, had)
	e.Approved, pointers = approved != nil, append(pointers, at...)
	if server, at := s.server(); server != nil && server.RunsMemctl() {
		e.Server, pointers = server, append(pointers, at.Pointer)
	}
	return e, pointers
}

// own lists what is memctl's of a list of strings, and the pointers to what was not there before.
func own(list jsonedit.Value, isOurs func(string) bool, before []string) (found, pointers []string) {
	for i, entry := range list.Strings() {
		if !isOurs(entry) {
			continue
		}
		found = append(found, entry)
		if !slices.Contains(before, entry) {
			pointers = append(pointers, list.Elements()[i].Pointer)
		}
	}
	return found, pointers
}

// Remove makes a file that was not edited since memctl was installed what it was before.
// In others it keeps a rule or an approval that stood there before.
func (form SettingsForm) Remove(data, before []byte) ([]byte, error) {
	s, err := parse(data)
	if err != nil {
		return nil, err
	}
	old, err := form.Find(before)
	if err != nil || len(old.Hooks) > 0 || old.Server != nil { // the backup of an older install
		before, old = nil, Entries{}
	}
	e, pointers := s.find(old)
	if s.Err() != nil || len(pointers) == 0 {
		return data, s.Err()
	}
	if before != nil { // without it, nobody knows who switched it off
		if e.NotesOff = ownMemoryOff(data); e.NotesOff && !ownMemoryOff(before) {
			pointers = append(pointers, ownMemory)
		}
	}
	if before != nil {
		if after, err := form.Add(before, e); err == nil && bytes.Equal(after, data) {
			return before, nil
		}
	}
	for _, p := range slices.Backward(pointers) {
		s.prune(p)
	}
	if before == nil && s.Root().IsEmpty() {
		return nil, s.Err()
	}
	return s.Bytes(), s.Err()
}

// ownMemory points to the setting that switches Claude Code's own memory off.
const ownMemory = "/autoMemoryEnabled"

func ownMemoryOff(data []byte) bool {
	var settings autoMemory
	err := json.Unmarshal(jsonedit.WithoutMark(data), &settings)
	return err == nil && settings.AutoMemoryEnabled != nil && !*settings.AutoMemoryEnabled
}

// hooksDepth is the depth of the list in a group: /hooks/EVENT/0/hooks.
const hooksDepth = 4

// prune removes an entry and what it leaves empty. A group of hooks goes with its last
// hook.
func (s settings) prune(pointer string) {
	s.Remove(pointer)
	list, _ := jsonedit.Cut(pointer)
	if !s.At(list).IsEmpty() {
		return
	}
	if strings.Count(list, "/") == hooksDepth {
		list, _ = jsonedit.Cut(list)
	}
	s.Prune(list)
}

// OwnFile is the common part of forms whose files are memctl's alone: they go as a whole.
type OwnFile struct{}

func (OwnFile) IsOwn() bool                                   { return true }
func (OwnFile) Remove(_, _ []byte) ([]byte, error)            { return nil, nil }
func (OwnFile) Diff(path string, before, after []byte) string { return PlainDiff(path, before, after) }

const Mask = "…"

// jsonToken matches a key with its colon, another string, or a literal.
var jsonToken = text.Pattern(`"(?:[^"\\]|\\.)*"(?:\s*:)?|[^\s"{}\[\],:]+`)

// Diff returns a unified diff. It shows keys and the values of memctl's entries that
// change. It masks all other values, which may be secrets: a line can change by a comma
// alone.
func (form SettingsForm) Diff(path string, before, after []byte) string {
	ours := map[string]bool{}
	for _, data := range [][]byte{before, after} {
		entries, _ := form.Find(data) // it was read before
		data, _ = form.Add(nil, entries)
		for _, token := range jsonToken().FindAllString(string(data), -1) {
			ours[token] = true
		}
	}
	var out strings.Builder
	for i, line := range strings.SplitAfter(PlainDiff(path, before, after), "\n") {
		switch {
		case i > 1 && strings.HasPrefix(line, " "):
			line = maskValues(line, nil)
		case i > 1 && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")):
			line = line[:1] + maskValues(line[1:], ours)
		}
		out.WriteString(line)
	}
	return out.String()
}

// PlainDiff returns a unified diff, without the command line of a diff that comes first.
func PlainDiff(path string, before, after []byte) string {
	lines := string(diff.Diff(DiffName(path, before), before, DiffName(path, after), after))
	_, lines, _ = strings.Cut(lines, "\n")
	return lines
}

// maskValues replaces every value on a line of JSON that is not in shown.
func maskValues(line string, shown map[string]bool) string {
	return jsonToken().ReplaceAllStringFunc(line, func(token string) string {
		switch {
		case strings.HasSuffix(token, ":") || shown[token]:
			return token
		case strings.HasPrefix(token, `"`):
			return `"` + Mask + `"`
		}
		return Mask
	})
}

func DiffName(path string, data []byte) string {
	if data == nil {
		return "/dev/null" // as git has it on every system
	}
	return path
}

// AgentCommands are the commands that an agent runs on its own initiative. They do not
// include commands that delete, or that only a user asks for.
const AgentCommands = "add candidate check create doctor explain list retire review search show stage timeline " +
	"update validate why"

// PersonCommands are the commands that a person decides about. An agent's shell refuses them in any case.
var PersonCommands = []string{"config confirm", "hub", "install", "proposals", "roots add", "roots forget",
	"roots rebuild", "sessions forget", "setup", "sync", "sync init", "trust", "ui", "uninstall"}

// ServerTools are the tools of the MCP server, in the order of their use.
var ServerTools = []string{"search", "timeline", "get", "save", "why"}

// agentRules allow an agent to run its commands without asking. They match the words
// of a command line, so the agent has to call memctl by its name.
func agentRules() []string {
	var rules []string
	for name := range strings.FieldsSeq(AgentCommands) {
		rules = append(rules, "Bash(memctl "+name+":*)")
	}
	return rules
}

// AskRules have the client ask before a command of PersonCommands, whatever its other rules allow.
func AskRules() []string {
	var rules []string
	for _, name := range PersonCommands {
		rules = append(rules, AskRule(" "+name))
	}
	return rules
}

func AskRule(words string) string { return "Bash(memctl" + words + ":*)" }

// toolRules allow an agent to use the tools of a server without asking.
func toolRules(server string) []string {
	var rules []string
	for _, tool := range ServerTools {
		rules = append(rules, "mcp__"+server+"__"+tool)
	}
	return rules
}

// allRules are the rules that Install may add, or has added in 0.2.
func allRules() []string {
	return slices.Concat(agentRules(), []string{"Bash(memctl status:*)"}, toolRules(ServerName),
		toolRules(pluginServer))
}

// allowed is the list of what an agent may do without asking.
func (s settings) allowed() jsonedit.Value { return s.Root().Member("permissions").Member("allow") }

// asked is the list of what the client asks about, also if it is allowed.
func (s settings) asked() jsonedit.Value { return s.Root().Member("permissions").Member("ask") }

// addRules adds to a list what no wider rule in it says already.
func (s settings) addRules(to jsonedit.Value, rules []string, wider func(rule string) []string) {
	list, existing := to.Pointer, to.Strings()
	if len(existing) == 0 && len(rules) > 0 {
		s.Put(list, []string{})
	}
	for _, rule := range rules {
		isThere := func(other string) bool { return slices.Contains(existing, other) }
		if !slices.ContainsFunc(wider(rule), isThere) {
			s.Put(list+"/-", rule)
		}
	}
}

// allowAll are rules that allow every command of memctl.
var allowAll = []string{"Bash(memctl:*)", "Bash(memctl *)"}

// allowsAll reports whether the settings have a rule that allows every command of memctl.
func (o Options) allowsAll() bool {
	data, err := ReadFile(o.Project, o.Settings)
	if err != nil {
		return false // editing the file reports the error
	}
	s, err := parse(data)
	allows := func(rule string) bool { return slices.Contains(allowAll, rule) }
	return err == nil && slices.ContainsFunc(s.allowed().Strings(), allows)
}

// widerRules lists the rules that allow what a rule allows, itself included.
func widerRules(rule string) []string {
	if command, ok := strings.CutSuffix(rule, ":*)"); ok {
		return append([]string{rule, command + " *)", "Bash(*)", "Bash"}, allowAll...)
	}
	server := rule[:strings.LastIndex(rule, "__")] // a tool's rule is mcp__SERVER__TOOL
	return []string{rule, server, server + "__*"}
}
