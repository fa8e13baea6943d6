// Package command has what the commands of memctl are made of: streams, flags, rules on who may run them, answers,
// questions to a person, and the type Feature, by which a part of memctl joins the program. It owns no command: those
// of the core are in cmd/memctl, the others in their features.
package command

import (
	"context"
	"io"
	"io/fs"
	"slices"
	"sync"
	"text/template"

	"memctl/clients"
	"memctl/files"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// Streams are the input and outputs of a command: stdout is for the agent and for pipes, stderr for people. They
// come with the features of the program.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Features []Feature

	answers func() *answers
}

// With returns the streams with the features of a program.
func (std Streams) With(features []Feature) Streams {
	std.Features = features
	std.answers = sync.OnceValue(std.readAnswers)
	return std
}

// Hooks returns the streams alone: a hook has no features.
func (std Streams) Hooks() hooks.Streams {
	return hooks.Streams{In: std.In, Out: std.Out, Err: std.Err}
}

// Feature is a part of memctl that hangs on the core. It adds commands, and it serves commands of the core by
// the functions that it has; the others are nil.
type Feature struct {
	Name     string
	Commands func(Streams) []*cli.Command
	Texts    fs.FS            // help/*.txt and answers/*.tmpl of its commands
	Words    template.FuncMap // what its answers call
	Reaching []FlagAccess     // its flags that reach beyond the project
	Hints    []Hint           // what to do about its errors

	// Flags are those that it adds to commands of the core, by the command's name.
	Flags map[string][]cli.Flag
	// Values complete the arguments of its commands, given how many stand before.
	Values map[string]func(arguments int) []Suggestion

	// Clients are those besides Claude Code.
	Clients []*clients.Client
	// Notes are the client's notes on a project, which searches find beside the memories.
	Notes func(project string, asked bool, cfg schemas.Config) (files.Root, error)
	// UserModel finds what is near a prompt in meaning, if the user has a model.
	UserModel retrieve.UserModel
	// Check is one of doctor's. AsksHub lets it make a request of the user's hub, which plainHTTP allows without TLS.
	Check func(asksHub, plainHTTP bool) files.Check
	// Hub and OpenSessions serve agents, through the tools of a server.
	Hub          Hub
	OpenSessions func(ctx context.Context, std Streams, project string) (Sessions, error)
	// Why returns the decisions behind a place of the project, FILE[:LINE[,LINE]], for a server.
	Why func(ctx context.Context, std Streams, s *store.Store, place string) (any, error)
	// WorkItem returns where an item of the work list of an import stands, as an entry of the history of a memory, and
	// what settles the item once a memory with an id was made of it.
	WorkItem WorkItem
	// Propose keeps a change that an agent would make of a root for a person.
	Propose Propose
	// ProposalsWait says in a line for the person which changes of a root wait, "" for none.
	ProposalsWait func(root files.Root) string
	// Searches, Explains and Shows take the place of the core's answer where a flag is given.
	Searches map[string]func(c *cli.Context, std Streams, words string, f retrieve.Filter) error
	Explains map[string]func(c *cli.Context, std Streams, words string) error
	Shows    map[string]func(c *cli.Context, std Streams, names []string) error
	// CheckSearch returns an error for flags that contradict the feature's.
	CheckSearch func(c *cli.Context) error
	// CheckName returns an error for a name that only the feature knows.
	CheckName func(name string) error
	// AfterStart runs once a session's start has been answered.
	AfterStart func(ctx context.Context, std Streams, root files.Root)
	// AfterReindex completes what is derived from a root whose index was rebuilt. It returns how many
	// vectors it made.
	AfterReindex func(c *cli.Context, std Streams, root files.Root) (vectors int, err error)
	// Confirmations are settings that act only once a person has confirmed them.
	Confirmations map[string]Confirmation
	// Offers lists what setup could import into a project.
	Offers func(c *cli.Context, std Streams, project string) ([]*Offer, error)
	// CountSessions counts the past sessions of a project that a search reads. It changes nothing. Past a number of
	// transcripts it stops, and all is false.
	CountSessions func(ctx context.Context, project string) (count int, all bool, err error)
}

// WorkItem finds an item of a root's work list by its number.
type WorkItem func(root files.Root, number int) (
	origin schemas.Change, settle func(ctx context.Context, id string) error, err error)

// Propose keeps a change of a root for a person. It returns the number that the change has in the list.
type Propose func(ctx context.Context, root files.Root, p writer.Proposal) (number int, err error)

// Hint says what to do about an error, by its cause.
type Hint struct {
	Cause error
	Hint  string
}

// Confirmation is about a setting of the user's that acts only once a person has confirmed it.
type Confirmation struct {
	With     []string                        // settings that the confirmation covers too
	Sends    func(cfg schemas.Config) string // what is sent where, "" if nothing is set
	Confirm  func(cfg schemas.Config) error
	Withdraw func() (was bool, err error)
}

// Offer is a source of the project that could be imported.
type Offer struct {
	Format   string `json:"format"`
	Source   string `json:"source"`
	New      int    `json:"new"`
	Imported int    `json:"imported"`
	// Files are those of prose, with the number of new items in each, most first.
	Files []OfferedFile `json:"files,omitempty"`

	// Write is nil for prose, which somebody has to read.
	Write func(ctx context.Context) (written int, err error) `json:"-"`
}

// OfferedFile is a file that an offer is about.
type OfferedFile struct {
	Path string `json:"path"` // as seen from the project
	New  int    `json:"new"`
}

// first returns the first feature that has something, a zero Feature if none does.
func (std Streams) first(has func(Feature) bool) Feature {
	for _, f := range std.Features {
		if has(f) {
			return f
		}
	}
	return Feature{}
}

// Notes returns the function that reads a client's notes, nil if no feature does.
func (std Streams) Notes() func(project string, asked bool, cfg schemas.Config) (files.Root, error) {
	return std.first(func(f Feature) bool { return f.Notes != nil }).Notes
}

// Confirmation returns the feature's confirmation of a setting, or of one that it covers.
func (std Streams) Confirmation(key string) (about string, found *Confirmation) {
	for _, f := range std.Features {
		for about, confirmation := range f.Confirmations {
			if about == key || slices.Contains(confirmation.With, key) {
				return about, &confirmation
			}
		}
	}
	return "", nil
}

// UserModel returns the function that finds the user's model, nil if no feature does.
func (std Streams) UserModel() retrieve.UserModel {
	return std.first(func(f Feature) bool { return f.UserModel != nil }).UserModel
}

// Checks returns the checks that features add to doctor's.
func (std Streams) Checks(asksHub, plainHTTP bool) (checks []files.Check) {
	for _, f := range std.Features {
		if f.Check != nil {
			checks = append(checks, f.Check(asksHub, plainHTTP))
		}
	}
	return checks
}

// Hub returns the user's hub, nil if no feature asks one.
func (std Streams) Hub() Hub {
	return std.first(func(f Feature) bool { return f.Hub != nil }).Hub
}

// OpenSessions returns the function that opens the past sessions of a project, nil if no feature has them.
func (std Streams) OpenSessions() func(ctx context.Context, project string) (Sessions, error) {
	open := std.first(func(f Feature) bool { return f.OpenSessions != nil }).OpenSessions
	if open == nil {
		return nil
	}
	return func(ctx context.Context, project string) (Sessions, error) { return open(ctx, std, project) }
}

// CountSessions returns the function that counts past sessions, nil if no feature has them.
func (std Streams) CountSessions() func(ctx context.Context, project string) (count int, all bool, err error) {
	return std.first(func(f Feature) bool { return f.CountSessions != nil }).CountSessions
}

// Why returns the function that finds the decisions behind a place, nil if no feature does.
func (std Streams) Why() func(ctx context.Context, s *store.Store, place string) (any, error) {
	find := std.first(func(f Feature) bool { return f.Why != nil }).Why
	if find == nil {
		return nil
	}
	return func(ctx context.Context, s *store.Store, place string) (any, error) { return find(ctx, std, s, place) }
}

// WorkItem returns the function that finds an item of a work list, nil if no feature has one.
func (std Streams) WorkItem() WorkItem {
	return std.first(func(f Feature) bool { return f.WorkItem != nil }).WorkItem
}

// Propose returns the function that keeps an agent's changes for a person, nil if no feature does.
func (std Streams) Propose() Propose {
	return std.first(func(f Feature) bool { return f.Propose != nil }).Propose
}

// ProposalsWait returns the function that says how much waits for the person, nil if no feature does.
func (std Streams) ProposalsWait() func(root files.Root) string {
	return std.first(func(f Feature) bool { return f.ProposalsWait != nil }).ProposalsWait
}

// ClientsOf returns the clients of features.
func ClientsOf(features []Feature) (list []*clients.Client) {
	for _, f := range features {
		list = append(list, f.Clients...)
	}
	return list
}
