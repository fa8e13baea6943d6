package doctor

import (
	"embed"
	"slices"
	"text/template"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "doctor", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{command.NewCommand(std, "doctor", command.InProject, runDoctor),
				command.NewCommand(std, "validate", command.InProject, command.Rooted(runValidate))}
		},
		Words: template.FuncMap{
			"retiredDays": func() int { return RetiredDays },
			"state":       func(s State, printed string) string { return console.Mark(stateStyles[s], printed) },
		},
	}
}

var stateStyles = map[State]console.Style{OK: console.Green, Warning: console.Yellow, Failed: console.Red}

func runDoctor(c *cli.Context, std command.Streams) error {
	if c.Bool("memories") {
		return command.Rooted(runHealth)(c, std)
	}
	places := files.PlacesFromEnv(command.RootArg(c), "")
	report, err := Run(c.Context, Options{Version: console.Version, Places: places, Now: time.Now(),
		Checks: std.Checks(c.Bool("hub"), c.Bool("plain-http"))})
	if err != nil {
		return err
	}
	return command.PrintFindings(c, std, report, "diagnosis", report.State == Failed)
}

func runHealth(c *cli.Context, std command.Streams, root files.Root) error {
	health, err := Health(c.Context, root, time.Now())
	if err != nil {
		return err
	}
	return command.PrintFindings(c, std, health, "health", health.Verdict != GoodHealth)
}

func runValidate(c *cli.Context, std command.Streams, root files.Root) error {
	if c.Bool("dry-run") && !c.Bool("fix") {
		return console.Usagef("--dry-run works only with --fix")
	}
	validation, err := Validate(c.Context, root)
	if err == nil && c.Bool("fix") {
		err = validation.fix(c.Context, store.At(root, command.StoreOptions(std)), c.Bool("dry-run"))
	}
	if err != nil {
		return err
	}
	if !c.Bool("fix") && slices.ContainsFunc(validation.Findings, Defect.lacksField) {
		defer console.Hint(std.Err, "run \"memctl validate --fix\" to complete files that were written by hand")
	}
	return command.PrintFindings(c, std, validation, "validation", len(validation.Findings) > 0)
}
