package clients

import (
	"os"
	"path/filepath"
	"testing"

	"memctl/files/systemtest"
)

func TestShellFolder(t *testing.T) {
	for want, in := range map[string]struct{ folder, home, system string }{
		"/usr/lib/node_modules/memctl/bin": {"/usr/lib/node_modules/memctl/bin", "/home/dev", "linux"},
		`"$HOME"/.npm/bin`:                 {"/home/dev/.npm/bin", "/home/dev", "linux"},
		`"$HOME"/'a b/bin'`:                {"/home/dev/a b/bin", "/home/dev", "linux"},
		"/home/developer/bin":              {"/home/developer/bin", "/home/dev", "linux"},
		"/opt/bin":                         {"/opt/bin", "", "linux"},
		`"$HOME"/AppData/Roaming/npm`:      {`C:\Users\dev\AppData\Roaming\npm`, `C:\Users\dev`, "windows"},
		"/d/npm/bin":                       {`D:\npm\bin`, `C:\Users\dev`, "windows"},
	} {
		if got := shellFolder(in.folder, in.home, in.system); got != want {
			t.Errorf("%s is %s, want %s", in.folder, got, want)
		}
	}
}

// The shims are as npm and pnpm write them.
func TestShimIsTheLauncher(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "node_modules", "memctl", "bin", "memctl.js")
	write := func(path, data string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		systemtest.WriteProgram(t, path, data)
		return path
	}
	write(script, "#!/usr/bin/env node\n")
	t.Setenv(launcher, script)
	self := write(filepath.Join(dir, "self"), "")
	for line, want := range map[string]bool{
		`endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\memctl\bin\memctl.js" %*`: true,
		`@node  "%~dp0\node_modules\memctl\bin\memctl.js" %*`:                                                              true,
		`  exec node  "$basedir/node_modules/memctl/bin/memctl.js" "$@"`:                                                   true,
		`  exec node  "$basedir/node_modules/other/bin/other.js" "$@"`:                                                     false,
		`exec /opt/memctl "$@"`: false,
	} {
		shim := write(filepath.Join(dir, "memctl.cmd"), "@ECHO off\r\n"+line+"\r\n")
		if got := SameProgram(shim, self); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
