package text_test

import (
	"testing"

	"memctl/text"
)

func TestPhrase(t *testing.T) {
	korean := map[string]string{"%s in %s": "%[2]s에서 %[1]s", "%d files": "파일 %d개"}
	translate := func(english string) string {
		if translation := korean[english]; translation != "" {
			return translation
		}
		return english
	}
	for want, tt := range map[string]struct {
		phrase text.Phrase
		in     func(string) string
	}{
		"2 files in docs":   {text.Say("%s in %s", text.Counted(2, "file", "files"), "docs"), text.English},
		"docs에서 파일 2개":      {text.Say("%s in %s", text.Counted(2, "file", "files"), "docs"), translate},
		"1 file":            {text.Counted(1, "file", "files"), translate},
		"it is 50% %s done": {text.Say("it is %s", text.Say("50% %s done")), text.English},
	} {
		if got := tt.phrase.In(tt.in); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
