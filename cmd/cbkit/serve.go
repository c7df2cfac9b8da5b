package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/cmd/internal/viewer"
	"cbkit/cmd/internal/viewhttp"
	"cbkit/model"
)

// serveCmd is "cbkit serve".
type serveCmd struct {
	Paths    []string `arg:"" zip:"reads" name:"db" help:"Databases, archives, PGN, JSON Lines or Parquet files, and opening books (.ctg, .bin); a folder is all that is in it."`
	Open     bool     `help:"Open the page in the browser."`
	Port     count    `help:"Port to listen on; without it, any that is free." placeholder:"N"`
	Quiet    bool     `short:"q" help:"No progress bar."`
	Codepage codePage `help:"Code page of names and texts that are not UTF-8; recognised where none is given." default:"" placeholder:"PAGE"`
	Jobs     count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	passwordFlag
}

// Run implements the verb.
func (c *serveCmd) Run(env *environment) error {
	v := new(viewer.Viewer)
	defer func() { _ = v.Close() }() // it was only read
	wanted := func(as format) bool { return as != formatParquet }
	paths, _, err := env.inFolders(c.Paths, wanted)
	if err != nil {
		return err
	}
	env.reportFolders(c.Paths, wanted)
	for _, name := range paths {
		if err := c.add(env, v, name); err != nil && slices.Contains(c.Paths, name) {
			return err
		} else if err != nil { // of a folder the others are shown
			env.unread(messageSkipped, err)
		}
	}
	server, err := viewhttp.Listen(v, int(c.Port))
	if err != nil {
		return err
	}
	fmt.Fprintln(env.text, server.Address())
	fmt.Fprintln(env.stderr, "cbkit: the page is for this machine alone; Ctrl-C ends it")
	if c.Open {
		remove, err := openPage(env, server)
		defer remove()
		if err != nil {
			env.warn(fmt.Errorf("no browser was opened: %w; open the address yourself", err))
		}
	}
	return server.Serve(env.ctx)
}

// add opens what a name names.
func (c *serveCmd) add(env *environment, v *viewer.Viewer, name string) error {
	as := formatOf(name)
	switch {
	case name == "-":
		return usageError{errors.New("serve reads files; standard input can be read only once")}
	case as == formatJSONL || as == formatEPD || as == formatParquet:
		// It can only be read from its beginning on.
		return v.Load(env.ctx, name, func(ctx context.Context) (*model.Database, error) {
			src, err := lib.Open(name, lib.Options{CodePage: string(c.Codepage), Jobs: int(c.Jobs), KeepGoing: true})
			if err != nil {
				return nil, err
			}
			defer src.Close()
			return model.Load(ctx, src)
		})
	}
	password, err := c.passwordIf(as == formatArchive)
	if err != nil {
		return err
	}
	page := string(c.Codepage)
	if as == formatPGN && page == "" {
		guess := lib.GuessTextPage(name)
		env.reportPage(name, guess)
		page = guess.Page
	}
	bar := newProgress(env.stderr, c.Quiet, -1, "read", "KiB")
	defer bar.done()
	err = v.Add(env.ctx, name, viewer.Options{CodePage: page, Jobs: int(c.Jobs), Password: password, Progress: bar.set})
	if as.IsFile() && as != formatArchive {
		return plainError(err)
	}
	return err
}

// openPage opens the page in the browser, by a file that the user alone can read: all on
// the machine can read what stands in a command line. The file goes with remove, or once
// it was used.
func openPage(env *environment, server *viewhttp.Server) (remove func(), err error) {
	var file *os.File
	folder, err := browserFolder(env.ctx)
	if err == nil {
		file, err = os.CreateTemp(folder, "cbkit-serve-*.html") // mode 0600
	}
	if err != nil {
		env.warn(fmt.Errorf("the browser gets the way to the page in its command line, where other users of this machine may be faster: %w", err))
		return func() {}, openBrowser(server.Door(nil))
	}
	remove = func() { _ = os.Remove(file.Name()) } // it leads nowhere any more
	_, err = fmt.Fprintf(file, `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=%s"><title>cbkit</title>`, server.Door(remove))
	if err = errors.Join(err, file.Close()); err != nil {
		return remove, err
	}
	return remove, openBrowser(file.Name())
}

// browserFolder returns a folder that browsers in sandboxes may read: neither the
// system's temporary folder nor hidden ones are. It is that of downloads or, where that
// is not known, the home folder.
func browserFolder(ctx context.Context) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil || runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return home, err
	}
	name, err := exec.CommandContext(ctx, "xdg-user-dir", "DOWNLOAD").Output()
	folder := strings.TrimSpace(string(name))
	if info, missing := os.Stat(folder); err != nil || !filepath.IsAbs(folder) || missing != nil || !info.IsDir() {
		return home, nil
	}
	return folder, nil
}

// openBrowser opens a file or an address as the system does.
func openBrowser(what string) error {
	command := []string{"xdg-open", what}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", what}
	}
	return exec.Command(command[0], command[1:]...).Start()
}
