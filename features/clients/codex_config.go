package clients

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/text"

	"github.com/pelletier/go-toml/v2"
)

// tomlForm is Codex's configuration. memctl adds its server as a table below a comment, at
// the end, and leaves every other byte as it is.
type tomlForm struct{}

const (
	blockStart  = "# memctl's server, by memctl install"
	blockHeader = "[mcp_servers." + clients.ServerName + "]"
)

type tomlServers struct {
	Servers map[string]struct {
		Command      string   `toml:"command"`
		Args         []string `toml:"args"`
		ApprovalMode string   `toml:"default_tools_approval_mode"`
	} `toml:"mcp_servers"`
}

func (form tomlForm) Add(data []byte, e clients.Entries) ([]byte, error) {
	existing, err := form.Find(data)
	if err != nil || e.Server == nil {
		return data, err
	}
	server := *e.Server
	start, end := len(data), len(data)
	if existing.Server != nil && e.Replaced != nil {
		if err := checkWhole(data, server); err != nil {
			return nil, err
		}
	}
	if existing.Server != nil {
		server.ApprovalMode = cmp.Or(server.ApprovalMode, existing.Server.ApprovalMode)
		tables, own := serverTables(data)
		if own < 0 || reflect.DeepEqual(&server, existing.Server) { // a user registered it by hand, or nothing changes
			return data, nil
		}
		start, end = tables[own].start, tables[own].end
	}
	newline := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		newline = "\r\n"
	}
	block := strings.ReplaceAll(serverBlock(server), "\n", newline)
	if existing.Server == nil && len(data) > 0 {
		block = newline + block
		if data[len(data)-1] != '\n' {
			block = newline + block
		}
	}
	after := slices.Concat(data[:start], []byte(block), data[end:])
	_, err = form.Find(after)
	if inlineServers().Match(data) {
		err = errors.New("mcp_servers is an inline table")
	}
	if err != nil {
		return nil, fmt.Errorf("no server can be added to it: %w", err)
	}
	return after, nil
}

// checkWhole returns an error for a table of memctl's server, by a stranger, that says anything
// but what memctl's own does. A program of the same name is updated.
func checkWhole(data []byte, own clients.Server) error {
	var file struct {
		Servers map[string]map[string]any `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal(data, &file); err != nil {
		return err
	}
	table := file.Servers[clients.ServerName]
	delete(table, "command")
	if args, _ := table["args"].([]any); len(args) == 1 && args[0] == "mcp" {
		delete(table, "args")
	}
	if mode := table["default_tools_approval_mode"]; mode == own.ApprovalMode {
		delete(table, "default_tools_approval_mode")
	}
	if len(table) > 0 {
		return fmt.Errorf("mcp_servers has another %q: it has more than memctl's own: %s", clients.ServerName,
			strings.Join(slices.Sorted(maps.Keys(table)), ", "))
	}
	return nil
}

// inlineServers matches servers in braces, to which no table can be added.
var inlineServers = text.Pattern(`(?m)^[ \t]*["']?mcp_servers["']?[ \t]*=`)

// serverBlock is memctl's part of the file.
func serverBlock(s clients.Server) string {
	var args []string
	for _, arg := range s.Args {
		args = append(args, tomlString(arg))
	}
	block := fmt.Sprintf("%s\n%s\ncommand = %s\nargs = [%s]\n",
		blockStart, blockHeader, tomlString(s.Command), strings.Join(args, ", "))
	if s.ApprovalMode != "" {
		block += "default_tools_approval_mode = " + tomlString(s.ApprovalMode) + "\n"
	}
	return block
}

// tomlString quotes a string. JSON's escapes are TOML's too.
func tomlString(s string) string { return string(clients.Quoted(s)) }

type span struct{ start, end int }

// serverTables finds the tables of memctl's server: its own, and below it those in which
// Codex keeps what a person decided about its tools. own is the index of the server's own
// table with memctl's comment, -1 if memctl did not write one. What comes after a table's
// last value belongs to the next table: Codex adds other tables.
func serverTables(data []byte) (tables []span, own int) {
	inside, at := false, 0
	own = -1
	end := func(at int) {
		if inside {
			last := &tables[len(tables)-1]
			last.end = last.start + len(withoutComments(data[last.start:at]))
		}
	}
	for line := range bytes.Lines(data) {
		start, header := at, bytes.TrimSpace(line)
		at += len(line)
		if !bytes.HasPrefix(header, []byte("[")) {
			continue
		}
		var table struct {
			Servers map[string]any `toml:"mcp_servers"`
		}
		_ = toml.Unmarshal(header, &table) // what is no header names no server
		_, isOurs := table.Servers[clients.ServerName]
		if !inside && !isOurs || toml.Unmarshal(data[:start], new(tomlServers)) != nil { // in a string or a list
			continue
		}
		end(start)
		if inside = isOurs; !inside {
			continue
		}
		comment := lastLine(data[:start])
		if string(header) == blockHeader && string(bytes.TrimSpace(comment)) == blockStart {
			own = len(tables)
			start -= len(comment)
		}
		tables = append(tables, span{start: start})
	}
	end(len(data))
	return tables, own
}

func lastLine(text []byte) []byte {
	return text[bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n')+1:]
}

// withoutComments removes the comments and the empty lines from the end of a text.
func withoutComments(text []byte) []byte {
	for len(text) > 0 {
		line := lastLine(text)
		if content := bytes.TrimSpace(line); len(content) > 0 && content[0] != '#' {
			break
		}
		text = text[:len(text)-len(line)]
	}
	return text
}

func (form tomlForm) Remove(data, before []byte) ([]byte, error) {
	e, err := form.Find(data)
	if err != nil {
		return nil, err
	}
	tables, own := serverTables(data)
	if own < 0 {
		return data, nil
	}
	if before != nil {
		if after, err := form.Add(before, e); err == nil && bytes.Equal(after, data) {
			return before, nil
		}
	}
	rest := data
	for i, table := range slices.Backward(tables) {
		head := rest[:table.start]
		if line := lastLine(head); i == own && len(bytes.TrimSpace(line)) == 0 { // add puts it there
			head = head[:len(head)-len(line)]
		}
		rest = slices.Concat(head, rest[table.end:])
	}
	if len(rest) == 0 && before == nil {
		return nil, nil
	}
	_, err = form.Find(rest)
	return rest, err
}

func (tomlForm) Find(data []byte) (e clients.Entries, err error) {
	var file tomlServers
	if err := toml.Unmarshal(data, &file); err != nil {
		if syntax := new(toml.DecodeError); errors.As(err, &syntax) {
			line, column := syntax.Position()
			return e, fmt.Errorf("line %d, column %d: %w", line, column, err)
		}
		return e, err
	}
	if server, ok := file.Servers[clients.ServerName]; ok {
		s := clients.Server{Name: clients.ServerName, Command: server.Command, Args: server.Args,
			ApprovalMode: server.ApprovalMode}
		if !s.RunsMemctl() {
			return e, fmt.Errorf("mcp_servers has another %q already", clients.ServerName)
		}
		e.Server = &s
	}
	return e, nil
}

// Diff shows the names of settings and masks their values, which may be secrets.
func (tomlForm) Diff(path string, before, after []byte) string {
	ours := false
	var out strings.Builder
	for line := range strings.Lines(clients.PlainDiff(path, before, after)) {
		content := strings.TrimRight(line[1:], "\r\n")
		isHeader := strings.HasPrefix(content, "[")
		ours = content == blockStart || content == blockHeader || ours && content != "" && !isHeader
		name, _, hasValue := strings.Cut(line, "=")
		switch {
		case ours, isHeader, content == "", strings.HasPrefix(line, "@@"), strings.HasPrefix(line, `\`),
			strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
			out.WriteString(line)
		case hasValue:
			out.WriteString(strings.TrimRight(name, " ") + " = " + clients.Mask + "\n")
		default:
			out.WriteString(line[:1] + clients.Mask + "\n")
		}
	}
	return out.String()
}
func (tomlForm) IsOwn() bool   { return false }
func (tomlForm) Rules() string { return "TOML" }

// unreviewedByCodex reads Codex's configuration. It does not see that a line has changed
// since a person approved it.
func unreviewedByCodex(t clients.Target, folder string) string {
	var file struct {
		Projects map[string]struct {
			Trust string `toml:"trust_level"`
		} `toml:"projects"`
		Hooks struct {
			State map[string]any `toml:"state"`
		} `toml:"hooks"`
	}
	data, err := clients.ReadFile("", filepath.Join(folder, "config.toml"))
	if err != nil || toml.Unmarshal(data, &file) != nil {
		return "" // Codex itself reports it
	}
	trusted := func(project string) bool { return file.Projects[project].Trust == "trusted" }
	if t.Scope == clients.ProjectScope && !trusted(t.Project) && !trusted(clients.Resolved(t.Project)) {
		return clients.Untrusted
	}
	var missing []string
	inName := regexp.MustCompile(`\B[A-Z]`) // UserPromptSubmit is user_prompt_submit there
	for _, h := range t.Client.Hooks("memctl") {
		event := strings.ToLower(inName.ReplaceAllString(h.Event, "_$0"))
		isReviewed := func(key string) bool {
			return strings.HasPrefix(key, t.Settings+":"+event+":") ||
				strings.HasPrefix(key, clients.Resolved(t.Settings)+":"+event+":")
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(file.Hooks.State)), isReviewed) {
			missing = append(missing, h.Event)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("hooks that no one has reviewed: %s", strings.Join(missing, ", "))
}
