package main

import (
	"os/exec"
	"strings"
	"testing"

	"memctl/files/systemtest"
)

func TestManualPage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil && systemtest.IsWine() {
		t.Skip("Wine: no go")
	}
	page, err := exec.Command("go", "run", "-tags", "man", ".", "man").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		".TH memctl 1\n",
		".SH search\n",
		"memctl config set KEY VALUE\n",
		`\fB--smart\fP`,
		".SH FILES\n",
		".SH ENVIRONMENT\n",
		".SH EXIT STATUS\n",
		".SH EXAMPLES\n",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(page), "Hidden") || strings.Contains(string(page), ".SH debug") {
		t.Error("the page has a hidden command")
	}
}
