package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	const events = `{"Action":"run","Package":"memctl/db","Test":"TestA"}
{"Action":"pass","Package":"memctl/db","Test":"TestA"}
{"Action":"output","Package":"memctl/db","Test":"TestB/one","Output":"    b_test.go:7: no links\n"}
{"Action":"output","Package":"memctl/db","Test":"TestB/one","Output":"    --- SKIP: TestB/one (0.00s)\n"}
{"Action":"skip","Package":"memctl/db","Test":"TestB/one"}
{"Action":"pass","Package":"memctl/db","Test":"TestB"}
{"Action":"pass","Package":"memctl/db"}
`
	const table = `| package | tests | passed | skipped | failed |
|---|--:|--:|--:|--:|
| ` + "`db`" + ` | 2 | 1 | 1 | 0 |
| all | 2 | 1 | 1 | 0 |

| skipped | because |
|--:|---|
| 1 | no links |
`
	for name, tt := range map[string]struct {
		more, before string
		failed       bool
	}{
		"all is well":    {},
		"a test fails":   {`{"Action":"output","Package":"memctl/db","Test":"TestB","Output":"said\n"}{"Action":"fail","Package":"memctl/db","Test":"TestB"}`, "FAIL db TestB\nsaid\n\n", true},
		"no compilation": {`{"Action":"build-output","ImportPath":"memctl/hub","Output":"x.go:1\n"}{"Action":"build-fail","ImportPath":"memctl/hub"}`, "FAIL hub \nx.go:1\n\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			failed, err := run(strings.NewReader(events+tt.more), &out)
			if diff := cmp.Diff(tt.before+table, out.String()); diff != "" || failed != tt.failed || err != nil {
				t.Errorf("failed %v, %v (-want +got):\n%s", failed, err, diff)
			}
		})
	}
	for _, bad := range []string{"", "# memctl/db\nx.go:1: no\n"} {
		if _, err := run(strings.NewReader(bad), new(strings.Builder)); err == nil {
			t.Errorf("%q is taken for tests", bad)
		}
	}
}
