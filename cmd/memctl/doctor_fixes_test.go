package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// patient is a project in a home folder of its own, for doctor to look at.
type patient struct {
	t              *testing.T
	project, self  string
	path, inFolder string
	args           []string // of doctor
	env            []string
}

type diagnosis struct{ Check, State, Message, Fix string }

func newPatient(t *testing.T, onPath bool) *patient {
	home := t.TempDir()
	p := &patient{t: t, project: filepath.Join(home, "project"), self: filepath.Join(home, "self", "memctl"), path: "/usr/bin:/bin"}
	p.inFolder = p.project
	self, err := exec.LookPath("memctl")
	if err = errors.Join(err, os.MkdirAll(filepath.Join(p.project, ".claude", "memory"), 0o755),
		os.MkdirAll(filepath.Join(home, ".claude"), 0o755), os.Mkdir(filepath.Join(home, "self"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(self, p.self); err != nil {
		t.Fatal(err)
	}
	if onPath {
		p.path = filepath.Dir(p.self) + ":" + p.path
	}
	p.env = []string{"HOME=" + home, "TMPDIR=" + home, "XDG_STATE_HOME=" + home + "/state", "MEMCTL_USER_ROOT=", "MEMCTL_ROOT=",
		"CLAUDE_CONFIG_DIR=", "CLAUDE_PROJECT_DIR=", untried + "=yes", "SELF=" + p.self, "P=" + p.project, "GIT_CONFIG_GLOBAL=/dev/null"}
	return p
}

func (p *patient) run(program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = p.inFolder, append(os.Environ(), append(p.env, "PATH="+p.path)...)
	out, err := cmd.Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		err = errors.Join(err, errors.New(string(failed.Stderr)))
	}
	return string(out), err
}

func (p *patient) sh(script string) {
	p.t.Helper()
	if _, err := p.run("/bin/sh", "-ec", script); err != nil {
		p.t.Fatalf("%s\n%v", script, err)
	}
}

// trouble lists the warnings and failures, by check and message.
func (p *patient) trouble() map[string]diagnosis {
	p.t.Helper()
	out, _ := p.run(p.self, append([]string{"doctor", "--json"}, p.args...)...)
	var report struct{ Checks []diagnosis }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		p.t.Fatal(err, out)
	}
	found := map[string]diagnosis{}
	for _, d := range report.Checks {
		if d.State != "ok" {
			found[d.Check+": "+d.Message] = d
		}
	}
	return found
}

var (
	pathLine       = regexp.MustCompile(`export PATH=(\S+):"\$PATH"  \(in your shell's profile\)`)
	printedCommand = regexp.MustCompile(`(?:^|; then run )(memctl [^;,]+)`)
)

// Scripts that spoil a file of the client.
const (
	partly    = `sed -i 's/"Stop"/"Other"/; s/hook stop/other/' `
	elsewhere = `sed -i 's|memctl hook|/nowhere/memctl hook|; s|"command": "memctl"|"command": "/nowhere/memctl"|' `
)

// follow does what a fix says about the PATH, and runs its command.
func (p *patient) follow(fix string) {
	p.t.Helper()
	if found := pathLine.FindStringSubmatch(fix); found != nil {
		p.path = found[1] + ":" + p.path
	}
	for _, found := range printedCommand.FindAllStringSubmatch(fix, -1) {
		p.sh(found[1])
	}
}

// doctorCases are states and a finding about each, with its fix.
var doctorCases = map[string]struct {
	state   string // a script that makes it
	offPath bool   // memctl is not on the PATH
	plugin  bool   // CLAUDE_PLUGIN_ROOT is set
	args    string // of doctor, which then runs in the home folder
	message string // of the finding, a part
	not     string // a part of a message that is no finding here
	fix     string // SELF stands for this program's folder, P for the project
	mend    string // a script that does what the fix says beyond the PATH and commands
}{
	"the project's hooks, another program": {
		state: `memctl install; ` + elsewhere + `.claude/settings.json`, message: "runs a program that cannot be started", fix: "memctl install",
	},
	"the user's hooks, another program": {
		state: `memctl install --scope user; ` + elsewhere + `~/.claude/settings.json`, message: "runs a program that cannot be started",
		fix: "memctl install --scope user",
	},
	"local hooks, another program": {
		state: `memctl install --scope local; ` + elsewhere + `.claude/settings.local.json`, message: "runs a program that cannot be started",
		fix: "memctl install --scope local",
	},
	"local hooks by name, not on the PATH": {
		state: `PATH=${SELF%/*}:$PATH memctl install --scope local`, offPath: true, message: ".local.json runs a program that cannot be started",
		fix: `add the folder of this memctl to the PATH: export PATH=SELF:"$PATH"  (in your shell's profile)`,
	},
	"the project's hooks by name, not on the PATH": {
		state: `$SELF install`, offPath: true, message: ".claude/settings.json runs a program that cannot be started",
		fix: `add the folder of this memctl to the PATH: export PATH=SELF:"$PATH"  (in your shell's profile)`,
	},
	"the project's hooks, another program, not on the PATH": {
		state: `$SELF install; ` + elsewhere + `.claude/settings.json`, offPath: true, message: "settings.json runs a program that cannot be started",
		fix: `add the folder of this memctl to the PATH: export PATH=SELF:"$PATH"  (in your shell's profile); then run memctl install`,
	},
	"the PATH has another": {
		state: `mkdir ~/bin; ln /bin/true ~/bin/memctl || cp /bin/true ~/bin/memctl; $SELF install`, offPath: true, message: "settings.json runs another memctl",
		fix: `add the folder of this memctl to the PATH: export PATH=SELF:"$PATH"  (in your shell's profile), or run memctl doctor of that program`,
	},
	"a line with flags that install does not know": {
		state:   `memctl install; sed -i 's|memctl hook stop|/nowhere/memctl --root . hook stop|' .claude/settings.json`,
		message: "runs a program that cannot be started", fix: "remove it from .claude/settings.json; then run memctl install",
		mend: `sed -i 's|/nowhere/memctl --root . hook stop|true|' .claude/settings.json`,
	},
	"the user's hooks, one missing": {
		state: `memctl install --scope user; ` + partly + `~/.claude/settings.json`, message: "not registered: Stop", fix: "memctl install --scope user",
	},
	"the project's hooks, one missing": {
		state: `memctl install; ` + partly + `.claude/settings.json`, message: "not registered: Stop", fix: "memctl install",
	},
	"no hooks, settings that install cannot edit": {
		state: `echo '{"hooks": {},}' >.claude/settings.json`, message: "not registered: SessionStart",
		fix:  "memctl install, after you mend P/.claude/settings.json: line 1, column 14: invalid character '}' looking for beginning of object key string",
		mend: `echo '{}' >.claude/settings.json`,
	},
	"no hooks, another program's server": {
		state:   `echo '{"mcpServers": {"memctl": {"command": "python", "args": ["-m", "memctl"]}}}' >.mcp.json`,
		message: "not registered: SessionStart",
		fix:     `memctl install, after you mend P/.mcp.json: line 1, column 27: mcpServers has another "memctl" already`,
		mend:    `rm .mcp.json`,
	},
	"a hook at the wrong event": {
		state: `memctl install; cp .claude/settings.json ~/good
			sed -i 's|"Stop": |"SubagentStop": [{"hooks": [{"type": "command", "command": "memctl hook stop"}]}], &|' .claude/settings.json`,
		message: "runs memctl hook stop at SubagentStop", fix: "remove it from .claude/settings.json",
		not:  "as an older memctl", // install would not rewrite it
		mend: `cp ~/good .claude/settings.json`,
	},
	"the project's hooks of an older memctl": {
		state: `memctl install; sed -i 's|exec 2>/dev/null; ||; s|; exit 0||' .claude/settings.json`, message: "as an older memctl", fix: "memctl install",
	},
	"the user's hooks of an older memctl": {
		state:   `memctl install --scope user; sed -i 's|exec 2>/dev/null; ||; s|; exit 0||' ~/.claude/settings.json`,
		message: "as an older memctl", fix: "memctl install --scope user",
	},
	"a plugin of an older memctl": {
		state:  `memctl install; mkdir -p ~/plugin/hooks; mv .claude/settings.json ~/plugin/hooks/hooks.json; sed -i 's|exec 2>/dev/null; ||; s|; exit 0||' ~/plugin/hooks/hooks.json`,
		plugin: true, message: "as an older memctl", fix: "update the plugin",
		mend: `memctl install; mv .claude/settings.json ~/plugin/hooks/hooks.json`,
	},
	"a plugin without its program": {
		state:  `memctl install; mkdir -p ~/plugin/hooks; mv .claude/settings.json ~/plugin/hooks/hooks.json; ` + elsewhere + `~/plugin/hooks/hooks.json`,
		plugin: true, message: "runs a program that cannot be started", fix: "update the plugin",
		mend: `memctl install; mv .claude/settings.json ~/plugin/hooks/hooks.json`,
	},
	"the project's server": {
		state: `memctl install; ` + elsewhere + `.mcp.json`, message: ".mcp.json runs a program that cannot be started", fix: "memctl install",
	},
	"the project's server, hooks for the user alone": {
		state: `memctl install --scope local; ` + elsewhere + `.mcp.json`, message: ".mcp.json runs a program that cannot be started",
		fix: "memctl install --scope local",
	},
	"the project's server by another name": {
		state:   `memctl install; ` + elsewhere + `.mcp.json; sed -i 's|"memctl":|"notes":|' .mcp.json`,
		message: ".mcp.json runs a program that cannot be started", fix: "remove notes from .mcp.json; then run memctl install",
		mend: `rm .mcp.json`,
	},
	"the user's server": {
		state:   `memctl install --scope user; ` + elsewhere + `~/.claude.json; sed -i 's|"command": "[^"]*"|"command": "/nowhere/memctl"|' ~/.claude.json`,
		message: "~/.claude.json runs a program that cannot be started", fix: "memctl install --scope user",
	},
	"the user's server for one project": {
		state: `memctl install; echo '{"projects": {"'$P'": {"mcpServers": {"memctl": {"command": "/nowhere/memctl", "args": ["mcp"]}}}}}' >~/.claude.json`,
		// the project has one of its own
		message: "~/.claude.json runs a program that cannot be started", fix: "remove memctl from ~/.claude.json; then run memctl install",
		mend: `rm ~/.claude.json`,
	},
	"a server that nobody has approved": {
		state:   `memctl install; sed -i 's|"enabledMcpjsonServers"|"other"|' .claude/settings.json`,
		message: "Claude Code asks before it starts the server", fix: "memctl install",
	},
	"one by another name": {
		state:   `memctl install; sed -i 's|"memctl":|"notes":|' .mcp.json; sed -i 's|"enabledMcpjsonServers"|"other"|' .claude/settings.json`,
		message: "Claude Code asks before it starts the server",
		fix:     "approve notes when Claude Code asks, or add it to enabledMcpjsonServers in .claude/settings.local.json",
		mend:    `echo '{"enabledMcpjsonServers": ["notes"]}' >.claude/settings.local.json`,
	},
	"the plugin's server and one that nobody has approved": {
		state:   `memctl install; sed -i 's|"enabledMcpjsonServers"|"other"|; s|^{|{"enabledPlugins": {"memctl@shop": true},|' .claude/settings.json`,
		not:     "Claude Code asks before", // install would not approve it
		message: "the agent has each tool 2 times", fix: "remove it from .mcp.json", mend: `rm .mcp.json`,
	},
	"registered hooks that never ran": {
		state: `memctl install`, message: "no hook has ever run here",
		fix: "start a session of the agent in this project and submit a prompt; if this does not help, check that /hooks lists memctl there",
		mend: `echo '{"prompt": "what about kafka"}' | memctl hook user-prompt-submit
			echo '{"prompt": "what about kafka"}' | memctl hook session-start; echo '{}' | memctl hook stop`,
	},
	"no hooks, none ever ran": {
		state: `true`, message: "no hook has ever run here",
		fix:  "memctl install; then start a session of the agent in this project and submit a prompt",
		mend: `echo '{"prompt": "what about kafka"}' | memctl hook user-prompt-submit`,
	},
	"a registered hook that never ran": {
		state: `memctl install; echo '{"prompt": "what about kafka"}' | memctl hook user-prompt-submit`, message: "it has never run here, though other hooks have",
		fix:  "start a new session of the agent in this project; if this does not help, check that /hooks lists memctl there",
		mend: `echo '{"session_id": "s", "source": "startup"}' | memctl hook session-start; echo '{}' | memctl hook stop`,
	},
	"observations without any": {
		state:   `memctl install --observations; echo '{"prompt": "what about kafka"}' | memctl hook user-prompt-submit`,
		message: "on, but nothing has been recorded", fix: "restart the agent, so that it runs the hooks after its tools",
		mend: `echo '{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{}}' | memctl hook post-tool-use`,
	},
	"the hooks of another project": {
		state: `memctl install; ` + partly + `.claude/settings.json`, args: "--root project", message: "not registered: Stop", fix: "memctl install --root project",
	},
	"merges of a clone": {
		state: `git init -q .; memctl install --git; git config --unset merge.memctl.driver`, message: "this clone merges them line by line",
		fix: "memctl install --git",
	},
	"merges of the user's own memories": {
		state: `mkdir -p ~/.claude/memory; git init -q ~/.claude/memory; memctl init --user; memctl install --git --root ~/.claude/memory
			git -C ~/.claude/memory config --unset merge.memctl.driver`,
		message: "this clone merges them line by line", fix: "memctl install --git --root HOME/.claude/memory",
	},
	"another agent's hooks, another program": {
		state:   `memctl install --client gemini --scope user; sed -i 's|"command": "\(exec[^;]*; \)[^ ]* hook|"command": "\1/nowhere/memctl hook|' ~/.gemini/settings.json`,
		message: "runs a program that cannot be started", fix: "memctl install --client gemini --scope user",
	},
	"another agent's hooks, not on the PATH": {
		state: `$SELF install --client gemini`, offPath: true, message: ".gemini/settings.json runs a program that cannot be started",
		fix: `add the folder of this memctl to the PATH: export PATH=SELF:"$PATH"  (in your shell's profile)`,
	},
	"another agent's hooks of another project": {
		state: `memctl install --client gemini; ` + partly + `.gemini/settings.json; sed -i 's|AfterAgent|Other|' .gemini/settings.json`, args: "--root project",
		message: "lacks the hooks for", fix: "memctl install --client gemini --root project",
	},
	"a copy of an older memctl": {
		state: `memctl install; echo '{}' >.claude/settings.json.memctl-backup`, message: "is a copy of the settings by an earlier memctl",
		fix: "move it out of the project", mend: `mv .claude/settings.json.memctl-backup ~`,
	},
}

// Who does what doctor says about a finding has mended it, and made no other trouble.
func TestDoctorsFixesMend(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the states are made by shell scripts")
	}
	for name, tt := range doctorCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPatient(t, !tt.offPath)
			home := filepath.Dir(p.project)
			if strings.Contains(tt.state, "~/bin") {
				p.path = filepath.Join(home, "bin") + ":" + p.path
			}
			if tt.plugin {
				p.env = append(p.env, "CLAUDE_PLUGIN_ROOT="+filepath.Join(home, "plugin"))
			}
			p.sh(tt.state)
			if tt.args != "" {
				p.args, p.inFolder = strings.Fields(tt.args), home
			}
			before := p.trouble()
			var found diagnosis
			for line, d := range before {
				if strings.Contains(line, tt.message) {
					found = d
				}
				if tt.not != "" && strings.Contains(line, tt.not) {
					t.Errorf("%s: fix %q", line, d.Fix)
				}
			}
			fix := strings.NewReplacer("SELF", filepath.Dir(p.self), "P/", p.project+"/", "HOME", home).Replace(tt.fix)
			if found.Fix != fix {
				t.Fatalf("%q\nfix %q\nwant %q\nall: %q", found.Message, found.Fix, fix, slices.Sorted(maps.Keys(before)))
			}
			p.sh(tt.mend)
			p.follow(found.Fix)
			after := p.trouble()
			for line, d := range after {
				if _, had := before[line]; !had && !strings.HasSuffix(d.Check, " runs") { // those are of the past
					t.Errorf("after %q there is new trouble: %s", fix, line)
				}
				if d.Check == found.Check && d.Message == found.Message {
					t.Errorf("%q does not mend %s", fix, line)
				}
			}
		})
	}
}
