// Package proposals is the feature that keeps the changes of agents until a person takes them, where capture.review
// says so. Package writer checks a change and hands it over; package store says whose changes are kept.
package proposals

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Bounds of a list.
const (
	maxWaiting = 1_000
	maxDropped = 100 // that are remembered, so that no agent proposes them again
	maxBytes   = 8 << 20
)

// Proposal is a change that waits for a person, or that a person has dropped.
type Proposal struct {
	Number int    `json:"number"`
	Date   string `json:"date"`
	writer.Proposal
	Dropped string `json:"dropped,omitempty"` // why; "" while it waits
}

// Category is the category of the memory.
func (p *Proposal) Category() schemas.Category {
	category, _ := schemas.CategoryOfPath(p.Path)
	return category
}

// Does is a word for the change.
func (p *Proposal) Does() string {
	return map[string]string{"created": "new", "updated": "change", "retired": "retire", "archived": "archive",
		"restored": "restore", "unarchived": "unarchive"}[p.Action]
}

// By names the agent: its client and the beginning of its session.
func (p *Proposal) By() string {
	return text.Printable(cmp.Or(p.Client, "an agent") + " " + text.Truncate(p.Session, 8))
}

// Decoded is the memory as it would be, a zero one for a change of status.
func (p *Proposal) Decoded() schemas.Memory {
	m, _ := schemas.Decode(p.Memory)
	return m
}

// repeats reports whether two proposals do the same.
func (p *Proposal) repeats(other *Proposal, m *schemas.Memory) bool {
	switch {
	case p.Action != other.Action:
		return false
	case p.Action == "created":
		same := other.Decoded()
		return p.Category() == other.Category() && m.Repeats(&same)
	}
	return p.Path == other.Path && p.Hash == other.Hash && sameChange(p.Memory, other.Memory)
}

// sameChange reports whether two changes make the same memory, but for its dates.
func sameChange(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	one, err := schemas.DecodeExact(a)
	two, otherErr := schemas.DecodeExact(b)
	if err != nil || otherErr != nil {
		return bytes.Equal(a, b)
	}
	return !slices.ContainsFunc(schemas.Differences(one, two), func(d schemas.Difference) bool { return !d.Routine() })
}

// List has the proposals of a root, the oldest first.
type List struct {
	Last    int         `json:"last"` // the number that was given last
	Waiting []*Proposal `json:"waiting"`
	Dropped []*Proposal `json:"dropped"`
}

func listOf(root files.Root) files.StateList[List] {
	return files.StateList[List]{Name: "proposals-" + root.Key() + ".json", What: "the list of proposals",
		Limit: maxBytes}
}

// Read reads the list of a root, which is empty if there is none.
func Read(root files.Root) (*List, error) { return listOf(root).Read() }

// Find returns a proposal that waits.
func (l *List) Find(number int) (*Proposal, error) {
	i := slices.IndexFunc(l.Waiting, func(p *Proposal) bool { return p.Number == number })
	if i < 0 {
		return nil, text.WithHint(fmt.Errorf("there is no proposal %d", number), "memctl proposals --list lists them")
	}
	return l.Waiting[i], nil
}

// remove removes a proposal, if it is there.
func (l *List) remove(number int) {
	l.Waiting = slices.DeleteFunc(l.Waiting, func(p *Proposal) bool { return p.Number == number })
}

// add adds a proposal that is not there yet.
func (l *List) add(p *Proposal) error {
	m := p.Decoded()
	same := func(known *Proposal) bool { return p.repeats(known, &m) }
	if i := slices.IndexFunc(l.Waiting, same); i >= 0 {
		return refused(fmt.Sprintf("proposal %d already says this, and waits for the user", l.Waiting[i].Number),
			"go on without it")
	}
	if i := slices.IndexFunc(l.Dropped, same); i >= 0 {
		return refused("the user has dropped this: "+l.Dropped[i].Dropped, "go on without it, or ask the user")
	}
	if len(l.Waiting) >= maxWaiting {
		return refused(fmt.Sprintf("%d proposals wait already", maxWaiting), "ask the user to run: memctl proposals")
	}
	l.Last++
	p.Number = l.Last
	l.Waiting = append(l.Waiting, p)
	return nil
}

// refused is the refusal of a proposal.
func refused(why, fix string) error {
	return &writer.Error{Code: writer.ProposalError, Problems: []writer.Problem{{Reason: "nothing was saved: " + why,
		Fix: fix}}}
}

// Keep adds a change to the list of a root, and returns its number.
func Keep(ctx context.Context, root files.Root, change writer.Proposal) (number int, err error) {
	p := &Proposal{Date: schemas.FormatTime(time.Now()), Proposal: change}
	err = listOf(root).Change(ctx, func(l *List) error { return l.add(p) })
	return p.Number, err
}

// Wait says in a line for the person how much waits, "" for nothing.
func Wait(root files.Root) string {
	l, err := Read(root)
	if err != nil {
		return "memctl: " + text.Printable(err.Error())
	}
	n := len(l.Waiting)
	if n == 0 {
		return ""
	}
	of, user, verb := "", "", "wait"
	if root.Scope == files.UserScope {
		of, user = " for your own", " --user"
	}
	if n == 1 {
		verb = "waits"
	}
	return fmt.Sprintf("memctl: %s proposed by agents%s %s: memctl proposals%s",
		text.Plural(n, "memory", "memories"), of, verb, user)
}
