package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"memctl/settings"
)

// serverName is what the client calls the MCP server, in its rules too.
const serverName = "memctl"

// serversFile is where a project keeps its MCP servers, for everybody who works on it.
func (p place) serversFile() string { return filepath.Join(p.project, ".mcp.json") }

// serverLine is the command that registers the server in the scope: all but the
// project's file is the client's own business.
func (p place) serverLine() string {
	if p.scope == scopeProject {
		return p.line("memctl install --mcp")
	}
	return "claude mcp add --scope " + p.scope + " " + serverName + " -- memctl mcp"
}

// installServer registers the MCP server. The name alone is the command: the file
// is shared.
func installServer(ctx context.Context, p place, dryRun bool) (*settingsChange, error) {
	var change settingsChange
	err := editServers(ctx, p, func(file settingsFile, _ former) error {
		after, err := settings.AddServer(file.data, settings.Server{Name: serverName, Command: "memctl", Args: []string{"mcp"}})
		if err != nil {
			return file.mistaken(err)
		}
		change = newServersChange(p, file, after, dryRun)
		return change.apply(file.data != nil)
	})
	return &change, err
}

// uninstallServer takes it out again. A file that nobody has edited since gets its
// former bytes back; one that install made is removed.
func uninstallServer(ctx context.Context, p place, dryRun bool) (*settingsChange, error) {
	var change settingsChange
	err := editServers(ctx, p, func(file settingsFile, _ former) error {
		after, err := settings.RemoveServer(file.data, serverName)
		if err != nil {
			return file.mistaken(err)
		}
		stood := ""
		for _, b := range file.backups() {
			if bytes.Equal(b.data, after) {
				stood = b.path
			}
		}
		if stood == "" && !bytes.Equal(after, file.data) && settings.IsEmpty(after) {
			after = nil
		}
		change = newServersChange(p, file, after, dryRun)
		if err := change.apply(stood == "" && after != nil); err != nil || stood == "" || !change.Changed || dryRun {
			return err
		}
		return os.Remove(stood) // it has no more to tell
	})
	return &change, err
}

// editServers is editSettings for the file of servers, which may not be there.
func editServers(ctx context.Context, p place, edit func(settingsFile, former) error) error {
	return editSettings(ctx, p.serversFile(), edit)
}

func newServersChange(p place, file settingsFile, after []byte, dryRun bool) settingsChange {
	p.path = p.serversFile()
	return newSettingsChange(p, file, after, dryRun)
}
