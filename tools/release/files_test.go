package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSameFilesGiveTheSameArchive(t *testing.T) {
	files := []file{{"memctl", 0o755, []byte("a program")}, {"man/memctl.1", 0o644, []byte("a page")}}
	other := slices.Clone(files)
	slices.Reverse(other)
	date := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	for name, pack := range map[string]func(string, []file, time.Time) ([]byte, error){"tar": tarball, "zip": zipped} {
		first, err := pack("memctl_1", files, date)
		if err != nil {
			t.Fatal(err)
		}
		second, err := pack("memctl_1", other, date)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: two archives differ, %v", name, err)
		}
	}
	data, err := zipped("memctl_1", files, date)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	program, err := archive.Open("memctl_1/memctl")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := program.Stat(); err != nil || info.Mode() != 0o755 || !info.ModTime().Equal(date) {
		t.Errorf("%v, %v", info, err)
	}
	if got, err := io.ReadAll(program); err != nil || string(got) != "a program" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestLicences(t *testing.T) {
	mit, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"MIT":          string(mit),
		"MIT-0":        "Permission is hereby granted, free of charge, to any person",
		"Apache-2.0":   "Apache License\n   Version 2.0, January 2004",
		"BSD-3-Clause": "Redistribution and use in source and\nbinary forms ... may be used to endorse or promote products",
		"BSD-2-Clause": "Redistribution and use in source and\nbinary forms, with or without modification",
		"":             "GNU GENERAL PUBLIC LICENSE Version 3",
	} {
		if got := spdxID(text); got != want {
			t.Errorf("%.40q is %q, want %q", text, got, want)
		}
	}
}

// A module is shipped only with a licence that spdxID knows.
func TestUnknownLicenceIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/LICENSE", []byte("All rights reserved."), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readModule("example.org/closed", "v1.0.0", dir); err == nil || !strings.Contains(err.Error(), "example.org/closed v1.0.0") {
		t.Error(err)
	}
	if err := os.WriteFile(dir+"/COPYING.md", []byte("Permission is hereby granted, free of charge"), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := readModule("example.org/open", "v1.0.0", dir)
	if err != nil || !slices.Equal(m.SPDX, []string{"MIT-0"}) || len(m.texts) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestSectionOfChangelog(t *testing.T) {
	const changelog = "# Changelog\n\n## [Unreleased]\n\nnext\n\n## [0.2.0] - 2026-12-01\n\nsecond\n\n## [0.1.0] - 2026-11-01\n\nfirst\n"
	for version, want := range map[string]string{"0.1.0": "first\n", "0.2.0": "second\n", "0.3.0": "next\n"} {
		if got, err := sectionOf(changelog, version); got != want || err != nil {
			t.Errorf("%s: %q, %v", version, got, err)
		}
	}
	if _, err := sectionOf("# Changelog\n", "0.1.0"); err == nil {
		t.Error("a changelog without the version has a section")
	}
}

// The plugin has the commands and skills as they are in the repository, and none of the Go files beside them.
func TestPluginFilesAreThoseOfTheClient(t *testing.T) {
	t.Chdir("../..")
	files, err := new(release).pluginFiles()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	slices.Sort(names)
	want := []string{".claude-plugin/marketplace.json", ".claude-plugin/plugin.json", "LICENSE", "bin/memctl", "commands/memory-config.md",
		"commands/memory-import.md", "commands/memory-review.md",
		"commands/memory-save.md", "commands/memory-search.md", "commands/memory.md", "hooks/hooks.json", "skills/memory-management/SKILL.md"}
	if !slices.Equal(names, want) {
		t.Errorf("the plugin has %q", names)
	}
}
