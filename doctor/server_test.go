package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestServerThatDoesNotWork(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	for name, test := range map[string]struct{ script, want string }{
		"it has no tools":  {`echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{}}}'`, "it has no tool search"},
		"it says nonsense": {`echo '"serverInfo" garbage'`, "it answered what is no JSON"},
		"it fails":         {`echo no luck >&2; exit 3`, "exit status 3, expected 0; it said: no luck"},
		"it never answers": {`cat > /dev/null`, `expected "\"serverInfo\"" on stdout`},
	} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "memctl")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+test.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			tr, err := newTrial(program)
			if err != nil {
				t.Fatal(err)
			}
			defer tr.remove()
			var e examination
			e.tryServer(t.Context(), tr, "0")
			if got := e.Findings[0]; got.State != Failed || !strings.Contains(got.Message, test.want) {
				t.Errorf("got %+v, want %s", got, test.want)
			}
		})
	}
}
