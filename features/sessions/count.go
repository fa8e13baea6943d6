package sessions

import (
	"cmp"
	"context"
	"slices"

	"memctl/clients"
	"memctl/files"
)

// maxCounted is how many transcripts Count opens, the latest first.
const maxCounted = 10_000

// Count returns how many past sessions of a folder's project a search reads, and whether it has looked at all
// transcripts. It reads their beginnings and changes nothing. There are none if the user has switched sessions off.
func Count(ctx context.Context, folder string) (count int, all bool, err error) {
	l := &Library{projects: projectsOf(folder)}
	if l.user, err = files.UserConfig(); err != nil || !l.user.Sessions.Enabled {
		return 0, true, err
	}
	forgotten, err := forgotten()
	if err != nil {
		return 0, false, err
	}
	transcripts, _ := clients.Transcripts() // doctor reports a folder that cannot be read
	slices.SortFunc(transcripts, func(a, b clients.Transcript) int { return cmp.Compare(b.MTime, a.MTime) })
	projects := map[clients.Head]string{}
	for _, t := range transcripts[:min(len(transcripts), maxCounted)] {
		if ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
		head, err := t.Head()
		if err != nil || l.excluded(head.Folder) || forgotten[keyOf(t.Path)] {
			continue
		}
		place := clients.Head{Folder: head.Folder, Hash: head.Hash}
		if _, known := projects[place]; !known {
			projects[place] = projectIn(head)
		}
		if slices.Contains(l.projects, projects[place]) {
			count++
		}
	}
	return count, len(transcripts) <= maxCounted, nil
}
