package install

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

// removal is the result of uninstall --leftovers or --all-projects.
type removal struct {
	Projects []*cleaned `json:"projects"`
	Own      *cleaned   `json:"own,omitempty"` // of the user, for all projects; nil without --all-projects
	Gone     []string   `json:"gone"`          // folders that the catalogue lists, and that are not there
	DryRun   bool       `json:"dry_run"`
}

// cleaned lists the files that are removed for a project, or for the user.
type cleaned struct {
	Project  string     `json:"project"` // "" for the user
	Settings []Change   `json:"settings"`
	Git      *gitChange `json:"git,omitempty"`
	Removed  []leftover `json:"removed"`
	Kept     []string   `json:"kept"` // files that git has
	Memories int        `json:"memories"`
	Problem  string     `json:"problem,omitempty"` // why not all is removed

	root    files.Root // without a path for none
	targets []clients.Target
	team    bool  // files of clients that git has are a team's, and stay
	err     error // why the project cannot be opened
}

func runRemoval(c *cli.Context, std command.Streams) error {
	r, err := planRemoval(c)
	if err != nil {
		return err
	}
	if r.DryRun = true; !c.Bool("dry-run") && !c.Bool("yes") {
		if !command.CanAsk(std) {
			return console.Refused("use --yes to remove it, or --dry-run to list it",
				"cannot ask for confirmation without a terminal")
		}
		r.clean(c.Context)
		if err := std.Say(std.Err, "removal", r); err != nil || len(r.Found()) == 0 {
			return err
		}
		yes, err := command.Ask(c.Context, std, "Remove this? Memories stay.", false)
		if err != nil {
			return err
		}
		if !yes {
			return console.Refused("answer yes to remove it", "nothing was removed")
		}
	}
	r.DryRun = c.Bool("dry-run")
	r.clean(c.Context)
	if err := c.Context.Err(); err != nil {
		return err
	}
	failed := slices.ContainsFunc(r.Found(), func(p *cleaned) bool { return p.Problem != "" })
	if err := command.PrintFindings(c, std, r, "removal", failed); err != nil {
		return err
	}
	if !r.DryRun {
		r.advise(std)
	}
	for _, p := range r.Projects {
		tellTeam(c.Context, std, p.Settings)
	}
	return nil
}

// planRemoval finds the projects.
func planRemoval(c *cli.Context) (*removal, error) {
	all := c.Bool("all-projects")
	switch {
	case !all && !c.Bool("leftovers"):
		return nil, console.Usagef("--yes needs --leftovers or --all-projects")
	case c.IsSet("client") || c.IsSet("scope"):
		return nil, console.Usagef("--leftovers and --all-projects are about every agent and scope: they cannot be " +
			"combined with --client or --scope")
	case all && command.RootArg(c) != "":
		return nil, console.Usagef("--all-projects cannot be combined with --root")
	}
	r := &removal{Gone: []string{}}
	project, err := projectFolder(command.RootArg(c))
	switch {
	case err == nil:
		r.add(project, all)
	case !all: // with it, MEMCTL_ROOT or a foreign folder may be here
		return nil, err
	}
	if !all {
		return r, nil
	}
	paths, err := (store.Catalogue{}).Paths()
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if _, err := gate.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			r.Gone = append(r.Gone, path)
		} else if root, err := files.At(path); err != nil || !files.IsUsers(root) {
			r.add(path, true)
		}
	}
	r.Own = &cleaned{}
	if root, found, err := files.UserRoot(); err == nil && found {
		r.Own.root = root
	}
	r.Own.targets = targetsOf(clients.UserScope, "", clients.All())
	return r, nil
}

// add adds the project of a folder or a root once.
func (r *removal) add(path string, team bool) {
	root, err := files.At(path)
	p := &cleaned{Project: path, root: root, team: team, err: err}
	if err == nil || errors.Is(err, files.ErrNoRoot) {
		p.Project, p.err = cmp.Or(root.Project, path), nil
	}
	if root.Path == "" || root.Shown == files.RootPath {
		p.targets = projectTargets(p.Project)
	}
	if !slices.ContainsFunc(r.Projects, func(q *cleaned) bool { return q.Project == p.Project }) {
		r.Projects = append(r.Projects, p)
	}
}

// clean removes everything, or lists it in a dry run. The state folder, which has the list of projects, goes only if
// all projects are done.
func (r *removal) clean(ctx context.Context) {
	failed := false
	for _, p := range r.Projects {
		p.clean(ctx, r.DryRun)
		failed = failed || p.Problem != ""
	}
	if r.Own != nil && failed {
		r.Own.reset()
		r.Own.Problem = "kept until memctl is removed from the projects above"
	} else if r.Own != nil {
		r.Own.clean(ctx, r.DryRun)
	}
	if !r.DryRun {
		removeIfEmpty()
	}
}

func (p *cleaned) reset() {
	p.Settings, p.Removed, p.Kept, p.Git, p.Problem = []Change{}, []leftover{}, []string{}, nil, ""
}

// clean removes memctl from a project, or from the user's own files.
func (p *cleaned) clean(ctx context.Context, dryRun bool) {
	p.reset()
	err := p.err
	if err == nil {
		err = p.unregister(ctx, dryRun)
	}
	left := leftovers{}
	if err == nil && p.Project == "" {
		err = left.ofUser(ctx)
	} else if err == nil {
		err = left.ofProject(ctx, p.Project, p.root)
	}
	p.Removed, p.Kept = append(p.Removed, left.list...), append(p.Kept, left.kept...)
	if p.root.Path != "" {
		paths, _ := p.root.MemoryPaths() // for a person alone
		p.Memories = len(paths)
	}
	if err == nil && !dryRun {
		var roots []files.Root
		if p.root.Path != "" {
			roots = append(roots, p.root)
		}
		err = left.remove(ctx, roots...)
	}
	if err != nil {
		p.Problem = err.Error()
	}
}

// unregister removes memctl from the files of clients and from git's settings.
func (p *cleaned) unregister(ctx context.Context, dryRun bool) error {
	for _, t := range p.targets {
		o := Options{Options: clients.Options{Target: t}, DryRun: true, Step: command.WriteStep}
		changes, err := changesOf(Uninstall(ctx, o))
		if err != nil {
			return err
		}
		if p.team && p.keep(ctx, changes) {
			continue
		}
		if !dryRun {
			o.DryRun = false
			if changes, err = changesOf(Uninstall(ctx, o)); err != nil {
				return err
			}
		}
		p.Settings = append(p.Settings, changes...)
	}
	if p.root.Path == "" || p.Project == "" {
		return nil
	}
	inGit, err := trackedIn(ctx, p.root.Path)
	if err == nil {
		p.Git, err = unregisterGit(ctx, gitOptions{Root: p.root, Remove: true, DryRun: dryRun, Step: command.WriteStep,
			Clone: p.team && inGit[files.AttributesName]})
	}
	return err
}

// changesOf are those that Uninstall makes to the files of a client.
func changesOf(change Change, err error) (list []Change, _ error) {
	for _, part := range change.parts() {
		if part.Changed {
			part.Server, part.Asks = nil, nil
			list = append(list, part)
		}
	}
	return list, err
}

// keep reports whether git has one of the files that would be changed, and notes which.
func (p *cleaned) keep(ctx context.Context, changes []Change) (has bool) {
	for _, c := range changes {
		if !isTracked(ctx, c.Settings) {
			continue
		}
		if has = true; !slices.Contains(p.Kept, c.Settings) {
			p.Kept = append(p.Kept, c.Settings)
		}
	}
	return has
}

// isTracked reports whether git has a file.
func isTracked(ctx context.Context, path string) bool {
	names, err := trackedIn(ctx, filepath.Dir(path))
	return err == nil && names[filepath.Base(path)]
}

// Found are the projects in which there is something to remove, and then the user.
func (r *removal) Found() []*cleaned {
	return slices.DeleteFunc(append(slices.Clone(r.Projects), r.Own), func(p *cleaned) bool {
		return p == nil || len(p.Settings)+len(grouped(p.Removed))+len(p.Kept) == 0 && p.Git == nil && p.Problem == ""
	})
}

// advise names the parts of memctl that are still there.
func (r *removal) advise(std command.Streams) {
	if r.Own == nil {
		if names := registered(targetsOf(clients.UserScope, "", clients.All())); len(names) > 0 {
			console.Hint(std.Err, "agents still run memctl in every project; "+
				"\"memctl uninstall --client %s --scope user\" removes it from them", strings.Join(names, ","))
		}
		return
	}
	for name := range clients.EnabledPlugins("") {
		console.Hint(std.Err, "the plugin is the client's: run \"claude plugin uninstall %s\"", name)
	}
	self := clients.FindProgram(clients.UserScope).Self
	console.Hint(std.Err, "the program itself is still at %s; remove it the way you installed it", self)
}

// targetsOf are the files of clients in a scope.
func targetsOf(scope, project string, of []*clients.Client) (list []clients.Target) {
	for _, client := range of {
		if t, err := client.Target(scope, project); err == nil && t.Settings != "" {
			list = append(list, t)
		}
	}
	return list
}
