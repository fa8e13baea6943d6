package main

import (
	"slices"
	"strings"

	"memctl/cmd/console"
)

// renamed are the commands that had a name of their own until 0.2, with what does the same now. Their old
// names work until 0.4.
var renamed = map[string]string{
	"archive":   "retire --keep",
	"unarchive": "restore --kept",
	"open":      "show --path",
	"status":    "doctor --memories",
	"health":    "doctor --memories",
	"enforce":   "gc --limits",
	"log":       "history",
	"blame":     "history --fields",
	"publish":   "hub publish",
}

// renew puts the name of today in the place of an old one, and says so on stderr.
func renew(args []string, std streams) []string {
	at := commandAt(args)
	helping := at < len(args)-1 && args[at] == "help"
	if helping {
		at++
	}
	if at == len(args) || renamed[args[at]] == "" {
		return args
	}
	old, now := args[at], renamed[args[at]]
	if i := slices.Index(args, "--editor"); old == "open" && i > at {
		now, args = "edit", slices.Delete(slices.Clone(args), i, i+1)
	}
	console.Note(std.Err, `"memctl %s" is "memctl %s" now`, old, now)
	if helping {
		now, _, _ = strings.Cut(now, " --")
	}
	return slices.Concat(args[:at], strings.Fields(now), args[at+1:])
}
