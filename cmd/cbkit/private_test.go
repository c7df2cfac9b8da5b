//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// What is made of a file that others may not read is as closed as that file: new
// databases, text, tables, books, archives, pages, reports, folders; what is made of
// others is as the user's mask says, and so is what is replaced.
func TestPrivateStaysPrivate(t *testing.T) {
	verbs := [][]string{
		{"import", "games.pgn", "out/A.cbh"}, {"import", "-", "out/A.cbh"}, {"convert", "Db", "out/B.cbh", "--boosters"}, {"convert", "Db.cbh", "out/B.pgn"},
		{"convert", "Db.cbp", "out/C.jsonl"}, {"convert", "Db.cbh", "out/C.dci"}, {"export", "Db.cbh", "out/D.pgn.zst"}, {"export", "Db.cbh", "out/D.pgn.gz"},
		{"export", "Db.cbh", "out/D.parquet"}, {"export", "Db.cbh", "out/tables", "--format", "parquet"}, {"export", "Db.cbh", "out/diagrams", "--diagrams"},
		{"export", "Db.cbh", "out/D.html"}, {"find", "Db.cbh", "--moves", "1..", "-o", "out/E.cbh"}, {"find", "Db.cbh", "--moves", "1..", "-o", "out/E.pgn"},
		{"salvage", "Db.cbh", "out/F.cbh"}, {"merge", "Other.cbh", "Db.cbh", "out/G.cbh"}, {"merge", "Other.cbh", "games.pgn", "out/G.pgn"},
		{"dedup", "Db.cbh", "out/H.cbh"}, {"split", "Db.cbh", "out/parts", "--by", "year", "--report", "out/report"}, {"split", "--by=year", "Db.cbh", "out/parts", "--format", "dci"},
		{"sort", "games.pgn", "out/H.pgn", "--by", "date"}, {"strip", "Db.cbh", "out/H.cbh", "--comments"}, {"eco", "Db.cbh", "out/I.cbh"},
		{"pack", "Db.cbh", "out/J.cbv"}, {"unpack", "Db.cbv", "out/unpacked"}, {"unpack", "Db.cbv:Db.cbh", "out/J.cbh"}, {"convert", "Db.cbv:Db.cbh", "out/J.pgn"},
		{"book", "build", "games.pgn", "out/K.ctg"}, {"book", "build", "Other.cbh", "games.pgn", "out/K.ctg"}, {"book", "export", "Book.ctg", "out/K.jsonl"},
		{"book", "export", "Book.cto", "out/K.bin"}, {"book", "merge", "Book.ctg", "Book.ctg", "out/K.ctg"}, {"book", "prune", "--min-games", "1", "Book.ctg", "out/K.ctg"},
	}
	for i, c := range []struct {
		what       string
		names      string // of the files that are closed, patterns
		mode, want fs.FileMode
		umask      int
	}{
		{"private", "*", 0o600, 0o600, 0o022}, {"private, whatever the mask", "*", 0o600, 0o600, 0}, {"of a group", "*", 0o640, 0o640, 0o022},
		{"public", "*", 0o644, 0o644, 0o022}, {"public, and nothing masked", "*", 0o644, 0o666, 0}, {"public, and all masked", "*", 0o644, 0o600, 0o077},
		{"one file of several", "games.pgn Db.CBP Db.cbv Book.cto", 0o600, 0o600, 0o022},
	} {
		dir := gen.Folder(t)
		source := written(t, dir, "games.pgn", spelt)
		at := func(name string) string { return filepath.Join(dir, name) }
		mustRun(t, "import", "-q", source, at("Db.cbh"))
		mustRun(t, "pack", "-q", at("Db.cbh"), at("Db.cbv"))
		mustRun(t, "book", "build", "-q", source, at("Book.ctg"))
		must.Do(t, os.Rename(at("Db.cbp"), at("Db.CBP")))
		must.Do(t, os.Chmod(at("Db.cbv"), 0o644))
		files := must.Get(filepath.Glob(at("*")))(t)
		closed := 0
		for _, name := range files {
			mode := fs.FileMode(0o644)
			for pattern := range strings.FieldsSeq(c.names) {
				if is, err := filepath.Match(pattern, filepath.Base(name)); is && err == nil {
					mode = c.mode
					closed++
				}
			}
			must.Do(t, os.Chmod(name, mode))
		}
		mustRun(t, "import", "-q", source, at("Other.cbh"))
		others, err := filepath.Glob(at("Other.*"))
		for _, name := range others {
			must.Do(t, os.Chmod(name, 0o644))
		}
		if err != nil || closed == 0 || len(others) == 0 {
			t.Fatalf("%s: %d, %v, %v", c.what, closed, others, err)
		}
		for n, args := range verbs {
			if !isTried(n, 11) {
				continue
			}
			if i > 0 && n%6 != i%6 { // what differs there is the mask
				continue
			}
			must.Do(t, os.Mkdir(at("out"), 0o777))
			if r := masked(t, c.umask, dir, source, args); r != "" {
				t.Errorf("%s: %q: %s", c.what, args, r)
			}
			made := 0
			err := filepath.WalkDir(at("out"), func(path string, d fs.DirEntry, err error) error {
				if err != nil || path == at("out") {
					return err
				}
				info, err := d.Info()
				want := c.want
				if d.IsDir() {
					want |= want & 0o444 >> 2 // whoever may read a folder may enter it
				}
				if made++; err == nil && info.Mode().Perm() != want {
					t.Errorf("%s: %q: %s is %v, want %v", c.what, args, path, info.Mode(), want)
				}
				return err
			})
			if err != nil || made == 0 {
				t.Errorf("%s: %q: %d files, %v", c.what, args, made, err)
			}
			must.Do(t, os.RemoveAll(at("out")))
		}
	}
}

// masked runs the program in a folder with a user's mask, and returns what it says if
// it fails. It has a file as its standard input.
func masked(t *testing.T, umask int, dir, stdin string, args []string) string {
	t.Helper()
	cmd, errOut := program(args)
	shell := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`umask %o; exec "$0" "$@"`, umask)}, cmd.Args...)...)
	in := must.Get(os.Open(stdin))(t)
	defer in.Close()
	shell.Env, shell.Stderr, shell.Stdin, shell.Dir = cmd.Env, errOut, in, dir
	if err := shell.Run(); err != nil {
		return fmt.Sprintf("%v: %s", err, strings.TrimSpace(errOut.String()))
	}
	return ""
}

// A database that all may read stays that when private games go into it, with the
// files that are new; a private one stays private when public games do. What says who
// may open an archive, and a standard input that was not asked for, make nothing
// private.
func TestPermissionsOfOthersStay(t *testing.T) {
	dir := gen.Folder(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	private := written(t, dir, "private.pgn", spelt)
	public := written(t, dir, "public.pgn", spelt)
	written(t, dir, "password", "secret\n")
	mustRun(t, "import", "-q", public, at("Public.cbh"))
	mustRun(t, "import", "-q", public, at("Private.cbh"))
	for _, mode := range []struct {
		pattern string
		is      fs.FileMode
	}{{"p*", 0o600}, {"P*", 0o644}, {"public.pgn", 0o644}, {"Private.*", 0o600}} { // in this order
		files := must.Get(filepath.Glob(at(mode.pattern)))(t)
		for _, name := range files {
			must.Do(t, os.Chmod(name, mode.is))
		}
	}
	must.Do(t, os.Chmod(public, 0o644))
	for _, args := range [][]string{
		{"import", "--append", "private.pgn", "Public.cbh"}, {"boosters", "Public.cbh"}, {"import", "--append", "public.pgn", "Private.cbh"},
		{"boosters", "Private.cbh"}, {"edit", "Public.cbh", "--set", "1.gameTitle=Title"}, {"edit", "Private.cbh", "--set", "1.whiteTeam=Team"},
		{"pack", "Public.cbh", "Public.cbz", "--password-file", "password"}, {"convert", "public.pgn", "Public.dci"},
	} {
		if r := masked(t, 0o022, dir, private, args); r != "" {
			t.Errorf("%q: %s", args, r)
		}
	}
	for pattern, want := range map[string]fs.FileMode{"Public.*": 0o644, "Private.*": 0o600} {
		files, err := filepath.Glob(at(pattern))
		if err != nil || len(files) < 16 {
			t.Errorf("%v, %v", files, err)
		}
		for _, name := range files {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
}
