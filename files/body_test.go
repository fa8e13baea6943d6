package files

import "testing"

func TestOtherFrontMatterAloneSaysNothingElse(t *testing.T) {
	const before = "---\ndate: 2026-01-01\nstatus: accepted\n---\n# Use Go\n"
	record := ImportRecord{File: FileHash([]byte(before)), Body: BodyHash([]byte(before))}
	for _, tt := range []struct {
		name, now string
		same      bool
	}{
		{"nothing", before, true},
		{"the date", "---\ndate: 2026-02-02\nstatus: accepted\n---\n# Use Go\n", true},
		{"more of it", "---\ntags: [a]\nstatus: accepted\nowner: b\n---\n# Use Go\n", true},
		{"the status", "---\ndate: 2026-01-01\nstatus: superseded\n---\n# Use Go\n", false},
		{"what took its place", "---\nstatus: accepted\nsuperseded-by: 7\n---\n# Use Go\n", false},
		{"the text", "---\ndate: 2026-01-01\nstatus: accepted\n---\n# Use Rust\n", false},
		{"the front matter is no more", "# Use Go\n", false},
	} {
		if got := record.SaysTheSame([]byte(tt.now)); got != tt.same {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
	for _, text := range []string{"# Use Go\n", "---\nno end\n", "a\n---\nb\n---\n"} {
		if BodyHash([]byte(text)) != "" {
			t.Errorf("%q has front matter", text)
		}
	}
	if BodyHash([]byte("---\n---\nText")) == "" || BodyHash([]byte("---\r\na: b\r\n---")) == "" {
		t.Error("front matter was not found")
	}
	if (ImportRecord{File: "x"}).SaysTheSame([]byte("# Use Go\n")) {
		t.Error("a line without the hash goes by the file")
	}
}
