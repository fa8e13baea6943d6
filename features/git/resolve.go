package git

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/features/git/versions"
	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// disputed is a memory that a merge left in conflict.
type disputed struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	// Markers reports that git merged the file line by line.
	Markers   bool               `json:"markers,omitempty"`
	Conflicts []schemas.Conflict `json:"conflicts"`
	Problem   string             `json:"problem,omitempty"` // why it cannot be resolved

	root  files.Root
	below string
	w     *writer.Writer
}

// Command ends the conflict.
func (d *disputed) Command() string { return d.root.ResolveCommand(d.below) }

func runResolve(c *cli.Context, std command.Streams) error {
	choice, err := readChoice(c)
	if err != nil {
		return err
	}
	if c.NArg() == 0 && c.String("target") == "" {
		if choice != versions.Undecided {
			return console.Usagef("--%s needs an id or a path", choice)
		}
		return resolveAll(c, std)
	}
	root, ref, err := command.FindMemory(c, std)
	if err != nil {
		return err
	}
	d, err := newDisputed(std, root, ref.Path)
	if err != nil {
		return err
	}
	if choice == versions.Undecided && asks(c, std) {
		if err := d.look(c.Context); err != nil {
			return err
		}
		return walk(c, std, []*disputed{d})
	}
	resolved, err := d.resolve(c.Context, versions.Answer{Choice: choice, Fields: c.StringSlice("field")})
	if err != nil {
		return err
	}
	isOpen := len(resolved.Conflicts) > 0
	if err := command.PrintFindings(c, std, resolved, "resolved", isOpen); err != nil {
		return err
	}
	hintAdd(c.Context, std, []*disputed{d})
	return nil
}

// asks reports whether a person decides on a terminal.
func asks(c *cli.Context, std command.Streams) bool {
	return !c.Bool("json") && !c.Bool("list") && command.CanAsk(std) && !clients.InAgentShell()
}

func readChoice(c *cli.Context) (versions.Choice, error) {
	ours, theirs := c.Bool("ours"), c.Bool("theirs")
	switch {
	case ours && theirs:
		return "", console.Usagef("--ours and --theirs contradict each other")
	case ours:
		return versions.TakeOurs, nil
	case theirs:
		return versions.TakeTheirs, nil
	case len(c.StringSlice("field")) > 0:
		return "", console.Usagef("--field needs --ours or --theirs")
	}
	return versions.Undecided, nil
}

func newDisputed(std command.Streams, root files.Root, below string) (*disputed, error) {
	w, err := store.At(root, command.StoreOptions(std)).Writer()
	return &disputed{ID: command.StemOf(below), Path: root.ShownPath(below), Conflicts: []schemas.Conflict{},
		root: root, below: below, w: w}, err
}

// look finds both sides, and changes nothing. The error says why the memory cannot be resolved.
func (d *disputed) look(ctx context.Context) error {
	if _, err := d.root.ReadFile(d.below); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the memory is gone: remove %s", strings.TrimSuffix(d.Path, ".json")+files.ConflictSuffix)
	}
	found, err := d.resolve(ctx, versions.Answer{Look: true})
	if err == nil {
		d.Markers, d.Conflicts = found.Merged, found.Conflicts
	}
	return err
}

func (d *disputed) resolve(ctx context.Context, a versions.Answer) (versions.Resolved, error) {
	return versions.Resolve(ctx, d.w, d.root.Shown+"/"+d.below, a)
}

// resolveAll lists the conflicts of the project and of the user's own memories. On a terminal a person settles them.
func resolveAll(c *cli.Context, std command.Streams) error {
	_, roots, err := command.FindRoots(c, std)
	if err != nil {
		return err
	}
	list := []*disputed{}
	for _, root := range roots {
		if root.ReadOnly() {
			continue
		}
		paths, err := versions.InConflict(c.Context, root)
		if err != nil {
			return err
		}
		for _, path := range paths {
			d, err := newDisputed(std, root, path)
			if err != nil {
				return err
			}
			if err := d.look(c.Context); err != nil {
				d.Problem = problemOf(err)
			}
			if c.Context.Err() != nil {
				return c.Context.Err()
			}
			list = append(list, d)
		}
	}
	if len(list) > 0 && asks(c, std) {
		return walk(c, std, list)
	}
	command.NoteNone(c, std, len(list), "no memory is in conflict")
	return command.PrintFindings(c, std, list, "disputed", len(list) > 0)
}

func problemOf(err error) string {
	if refused := new(writer.Error); errors.As(err, &refused) && refused.Problems[0].Fix != "" {
		return writer.Reason(err) + "; " + refused.Problems[0].Fix
	}
	return writer.Reason(err)
}

// walk settles conflicts one by one.
func walk(c *cli.Context, std command.Streams, list []*disputed) (err error) {
	dialog := command.NewDialog(c.Context, std)
	width, _ := console.TerminalSize(command.TerminalOf(std.Err))
	s := console.NewScreen(std.Err, width, false)
	var settled []*disputed
	for i, d := range list {
		fmt.Fprintf(std.Err, "\n%d of %d  %s\n", i+1, len(list), text.Printable(d.Path))
		var done bool
		if done, err = d.settle(c.Context, std, s, dialog); done {
			settled = append(settled, d)
		}
		if err != nil {
			break
		}
	}
	fmt.Fprintf(std.Out, "resolved %d of %s\n", len(settled), command.Memories(len(list)))
	hintAdd(c.Context, std, settled)
	switch {
	case err != nil && !errors.Is(err, io.EOF): // the person has had enough
		return err
	case len(settled) < len(list):
		return console.ErrFindings
	}
	return nil
}

// settle asks about each field of a memory. It reports whether none is left.
func (d *disputed) settle(
	ctx context.Context, std command.Streams, s console.Screen, dialog *command.Dialog,
) (done bool, err error) {
	if d.Problem != "" {
		dialog.Say("%s", text.Printable(d.Problem))
		return false, nil
	}
	if len(d.Conflicts) == 0 { // git's markers are all that is left
		answer, err := dialog.Line("both sides fit together: Return merges them, s skip, q stop > ")
		switch {
		case err != nil:
			return false, err
		case strings.ToLower(answer) == "q":
			return false, io.EOF
		case answer != "":
			return false, nil
		}
		return d.decide(ctx, dialog, versions.Answer{}), ctx.Err()
	}
	left := len(d.Conflicts)
	for _, conflict := range d.Conflicts {
		if err := std.Say(s, "side by side", conflict); err != nil {
			return false, err
		}
		decided, err := d.ask(ctx, std, dialog, conflict)
		if decided {
			left--
		}
		if err != nil {
			return left == 0, err
		}
	}
	return left == 0, nil
}

// ask asks until a field is decided or left.
func (d *disputed) ask(
	ctx context.Context, std command.Streams, dialog *command.Dialog, conflict schemas.Conflict,
) (decided bool, err error) {
	var draft []byte // what the editor left, for another try
	for {
		typed, err := dialog.Line("o ours, t theirs, e edit, s skip, q stop > ")
		if err != nil {
			return false, err
		}
		a := versions.Answer{Fields: []string{conflict.Field}}
		switch strings.ToLower(typed) {
		case "q":
			return false, io.EOF
		case "s":
			return false, nil
		case "o":
			a.Choice = versions.TakeOurs
		case "t":
			a.Choice = versions.TakeTheirs
		case "e":
			a.Choice = versions.TakeValue
			if a.Value, err = d.edit(std, conflict, &draft); err != nil {
				dialog.Say("%s; nothing was changed", text.Printable(err.Error()))
				continue
			}
		default:
			continue
		}
		if d.decide(ctx, dialog, a) {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
}

// decide writes a decision. It reports whether that was possible.
func (d *disputed) decide(ctx context.Context, dialog *command.Dialog, a versions.Answer) bool {
	resolved, err := d.resolve(ctx, a)
	if err != nil {
		dialog.Say("not resolved: %s", text.Paragraph(err.Error()))
		return false
	}
	for _, notice := range resolved.Notices {
		dialog.Say("%s", text.Printable(notice))
	}
	if len(resolved.Conflicts) == 0 {
		dialog.Say("resolved: %s", text.Printable(d.Path))
	}
	return true
}

// edit opens the editor on both sides of a field, and returns the value that it leaves.
func (d *disputed) edit(std command.Streams, conflict schemas.Conflict, draft *[]byte) (any, error) {
	ours, isText := conflict.Ours.(string)
	theirs, areTexts := conflict.Theirs.(string)
	if isText = isText && areTexts; !isText {
		ours, theirs = indented(conflict.Ours), indented(conflict.Theirs)
	}
	if *draft == nil {
		*draft = fmt.Appendf(nil, "<<<<<<< ours\n%s\n=======\n%s\n>>>>>>> theirs\n", ours, theirs)
	}
	data, err := command.EditCopy(std, d.root, strings.TrimSuffix(d.below, ".json")+".txt", *draft)
	if err == nil {
		*draft = data
	}
	said := strings.TrimSpace(string(data))
	switch {
	case err != nil:
		return nil, err
	case schemas.ConflictLine(data) > 0:
		return nil, errors.New("conflict markers are still in the text")
	case said == "":
		return nil, errors.New("the text is empty")
	case isText && (strings.ContainsFunc(said, isControl) || conflict.Field == "title" && strings.Contains(said, "\n")):
		return nil, errors.New("it has control characters, or a title of several lines")
	case isText:
		return said, nil
	case !json.Valid(data):
		return nil, fmt.Errorf("%s is not one JSON value", conflict.Field)
	}
	value, err := schemas.DecodeAny(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not JSON: %w", conflict.Field, err)
	}
	return value, schemas.CheckDepth(value)
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func indented(value any) string {
	var b strings.Builder
	_ = command.WriteJSON(&b, value) // was decoded from JSON
	return strings.TrimSpace(b.String())
}

// hintAdd names the resolved memories that a merge of git waits for.
func hintAdd(ctx context.Context, std command.Streams, list []*disputed) {
	adds := map[string][]string{} // by the folder of git
	for _, d := range list {
		unmerged, err := git.Run(ctx, d.root.Path, "ls-files", "--unmerged", "--", d.below)
		if err != nil || len(unmerged) == 0 {
			continue
		}
		folder, file := "", command.FromHere(d.root.Join(d.below))
		if filepath.IsAbs(filepath.FromSlash(file)) {
			folder, file = " -C "+text.ShellWord(filepath.ToSlash(d.root.Path)), d.below
		}
		adds[folder] = append(adds[folder], text.ShellWord(file))
	}
	for folder, files := range adds {
		console.Hint(std.Err, "run \"git%s add %s\"", folder, strings.Join(files, " "))
	}
}
