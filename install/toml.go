package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// tomlForm is Codex's configuration. memctl adds its server as a block at the end,
// between two comments, and leaves every other byte as it is.
type tomlForm struct{}

const (
	blockStart = "# memctl's server, by memctl install"
	blockEnd   = "# the end of memctl's server"
)

// tomlServers is what memctl reads of the file.
type tomlServers struct {
	Servers map[string]struct {
		Command      string   `toml:"command"`
		Args         []string `toml:"args"`
		ApprovalMode string   `toml:"default_tools_approval_mode"`
	} `toml:"mcp_servers"`
}

func (form tomlForm) add(data []byte, e Entries) ([]byte, error) {
	existing, err := form.find(data)
	if err != nil || e.Server == nil {
		return data, err
	}
	server := *e.Server
	if existing.Server != nil {
		server.ApprovalMode = cmp.Or(server.ApprovalMode, existing.Server.ApprovalMode)
	}
	newline := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		newline = "\r\n"
	}
	block := strings.ReplaceAll(serverBlock(server), "\n", newline)
	start, end, err := findBlock(data)
	switch {
	case err != nil:
		return nil, err
	case end > 0:
	case existing.Server != nil: // a user registered it by hand
		return data, nil
	default:
		start, end = len(data), len(data)
		if start > 0 && data[start-1] != '\n' {
			block = newline + block
		}
		if start > 0 {
			block = newline + block
		}
	}
	after := slices.Concat(data[:start], []byte(block), data[end:])
	_, err = form.find(after)
	if inlineServers().Match(data) {
		err = errors.New("mcp_servers is an inline table")
	}
	if err != nil {
		return nil, fmt.Errorf("no server can be added to it: %w", err)
	}
	return after, nil
}

// inlineServers matches servers in braces, to which no table can be added.
var inlineServers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*["']?mcp_servers["']?[ \t]*=`) })

// serverBlock is memctl's part of the file.
func serverBlock(s Server) string {
	var args []string
	for _, arg := range s.Args {
		args = append(args, tomlString(arg))
	}
	block := fmt.Sprintf("%s\n[mcp_servers.%s]\ncommand = %s\nargs = [%s]\n", blockStart, ServerName, tomlString(s.Command), strings.Join(args, ", "))
	if s.ApprovalMode != "" {
		block += "default_tools_approval_mode = " + tomlString(s.ApprovalMode) + "\n"
	}
	return block + blockEnd + "\n"
}

// tomlString quotes a string. JSON's escapes are TOML's too.
func tomlString(s string) string { value := encode(s); return string(value.Pack()) }

// findBlock finds memctl's block; end is 0 if there is none.
func findBlock(data []byte) (start, end int, err error) {
	start = bytes.Index(data, []byte(blockStart))
	if start < 0 {
		return 0, 0, nil
	}
	length := bytes.Index(data[start:], []byte(blockEnd))
	if length < 0 {
		return 0, 0, fmt.Errorf("the line %q is missing after %q", blockEnd, blockStart)
	}
	end = start + length + len(blockEnd)
	if next := bytes.IndexByte(data[end:], '\n'); next >= 0 {
		end += next + 1
	} else {
		end = len(data)
	}
	return start, end, nil
}

func (form tomlForm) remove(data, before []byte) ([]byte, error) {
	e, err := form.find(data)
	if err != nil {
		return nil, err
	}
	start, end, err := findBlock(data)
	if err != nil || end == 0 {
		return data, err
	}
	if before != nil {
		if after, err := form.add(before, e); err == nil && bytes.Equal(after, data) {
			return before, nil
		}
	}
	if start == 0 && end == len(data) && before == nil {
		return nil, nil
	}
	rest := data[:start]
	for _, newline := range []string{"\r\n", "\n"} { // the empty line that add put before the block
		if bytes.HasSuffix(rest, []byte(newline+newline)) {
			rest = bytes.TrimSuffix(rest, []byte(newline))
			break
		}
	}
	return slices.Concat(rest, data[end:]), nil
}

func (tomlForm) find(data []byte) (e Entries, err error) {
	var file tomlServers
	if err := toml.Unmarshal(data, &file); err != nil {
		if syntax := new(toml.DecodeError); errors.As(err, &syntax) {
			line, column := syntax.Position()
			return e, fmt.Errorf("line %d, column %d: %w", line, column, err)
		}
		return e, err
	}
	if found, ok := file.Servers[ServerName]; ok {
		s := Server{Name: ServerName, Command: found.Command, Args: found.Args, ApprovalMode: found.ApprovalMode}
		if !s.runsMemctl() {
			return e, fmt.Errorf("mcp_servers has another %q already", ServerName)
		}
		e.Server = &s
	}
	return e, nil
}

// diff shows the names of settings and masks their values, which may be secrets.
func (tomlForm) diff(path string, before, after []byte) (string, error) {
	ours := false
	var out strings.Builder
	for line := range strings.Lines(plainDiff(path, before, after)) {
		content := strings.TrimRight(line[1:], "\r\n")
		ours = ours && content != blockEnd || content == blockStart
		name, _, hasValue := strings.Cut(line, "=")
		switch {
		case ours, content == blockEnd, content == "", strings.HasPrefix(content, "["), strings.HasPrefix(line, "@@"), strings.HasPrefix(line, `\`), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
			out.WriteString(line)
		case hasValue:
			out.WriteString(strings.TrimRight(name, " ") + " = " + mask + "\n")
		default:
			out.WriteString(line[:1] + mask + "\n")
		}
	}
	return out.String(), nil
}
func (tomlForm) isOwn() bool   { return false }
func (tomlForm) rules() string { return "TOML" }
