package doctor

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memctl/files/systemtest"
)

func TestServerThatDoesNotWork(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	server := Trials[len(Trials)-1]
	for name, test := range map[string]struct{ script, want string }{
		"it has no tools":  {`echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{}}}'`, `expected "\"name\":\"search\""`},
		"it says nonsense": {`echo garbage`, `expected "\"serverInfo\"" in its output; it said: garbage`},
		"it fails":         {`echo no luck >&2; exit 3`, "exit status 3, expected 0; it said: no luck"},
		"it never answers": {`cat > /dev/null`, `expected "\"serverInfo\"" in its output`},
		"it is gone":       {``, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			if err := makeTrialProject(home); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(home, "memctl")
			if test.script != "" {
				systemtest.WriteProgram(t, program, "#!/bin/sh\n"+test.script+"\n")
			}
			if err := server.run(t.Context(), program, home); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
