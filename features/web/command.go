package web

import (
	"embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// uiIdle is how long the server waits for a request.
const uiIdle = time.Hour

//go:embed help
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{Name: "web", Texts: commandTexts, Commands: func(std command.Streams) []*cli.Command {
		return []*cli.Command{command.NewCommand(std, "ui", command.NoAgent(store.OtherProjects, "open the pages"),
			runUI,
			&cli.IntFlag{Name: "port", Usage: "listen on port `N`", DefaultText: "a free one",
				Action: command.Between("port", 1, 65535)})}
	}}
}

func runUI(c *cli.Context, std command.Streams) error {
	_, roots, err := command.FindRoots(c, std)
	if err != nil {
		return err
	}
	root := roots[0]
	server, err := Listen(Options{
		Root: root, Places: command.Places(c), Version: console.Version, Port: c.Int("port"), Idle: uiIdle,
		UserModel: std.UserModel(), Checks: std.Checks(false, false),
		Warn: func(message string) { console.Warning(std.Err, "%s", text.Printable(message)) },
	})
	if errors.Is(err, syscall.EADDRINUSE) {
		return &console.Failure{Err: err, Hint: "leave out --port for a free one", Code: console.ExitFailed}
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(std.Out, server.Address()); err != nil {
		return err
	}
	console.Note(std.Err, "Ctrl-C ends it")
	if !c.Bool("no-open") {
		remove, err := openBrowser(root, server.Address())
		defer remove()
		if err != nil {
			console.Note(std.Err, "no browser could be opened (%v): open the address in one", err)
		}
	}
	err = server.Serve(c.Context)
	if err == nil && c.Context.Err() == nil {
		console.Note(std.Err, "ended after an hour without a request")
	}
	return err
}

// openBrowser opens an address in the person's browser. The address is a secret, and other
// users of the machine see the arguments of programs: the browser gets a file that leads
// there and that only this user can read. Remove removes it.
func openBrowser(root files.Root, address string) (remove func(), err error) {
	remove = func() {}
	staging, err := root.OpenStaging()
	if err != nil {
		return remove, err
	}
	defer staging.Close()
	page := fmt.Sprintf("<!doctype html><title>memctl</title><meta http-equiv=\"refresh\" content=\"0;url=%s\">",
		address)
	path, err := staging.Write(fmt.Sprintf("ui-%d.html", os.Getpid()), page)
	if err != nil {
		return remove, err
	}
	remove = func() { _ = gate.Remove(path) }
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	program, args := browser()
	command := exec.Command(program, append(args, file.String())...)
	if err := command.Start(); err != nil {
		return remove, err
	}
	go func() { _ = command.Wait() }()
	return remove, nil
}

// browser is the program that opens an address, with its first arguments.
func browser() (program string, args []string) {
	switch runtime.GOOS {
	case "darwin":
		return "open", nil
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}
	}
	return "xdg-open", nil
}
