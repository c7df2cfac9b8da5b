package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// exampleFiles makes what the examples of the help read, of the games of the demo.
var exampleFiles = [][]string{
	{"demo", "games.pgn"}, {"import", "-q", "games.pgn", "Games.cbh"}, {"convert", "-q", "games.pgn", "games.pgn.zst"},
	{"convert", "-q", "games.pgn", "new.pgn"}, {"convert", "-q", "games.pgn", "club.pgn"}, {"convert", "-q", "games.pgn", "B.pgn"}, {"convert", "-q", "games.pgn", "server.pgn"},
	{"export", "-q", "games.pgn", "notes.pgn", "--games", "1"}, {"convert", "-q", "games.pgn", "C.jsonl"},
	{"convert", "-q", "Games.cbh", "Old.cbh"}, {"convert", "-q", "Games.cbh", "New.cbh"}, {"convert", "-q", "Games.cbh", "A.cbh"},
	{"book", "build", "-q", "games.pgn", "Openings.ctg"}, {"book", "build", "-q", "games.pgn", "Other.ctg"},
	{"pack", "-q", "Games.cbh", "Packed.cbv"}, {"pack", "-q", "Games.cbh", "Secret.cbz", "--password-file", "secret.txt"},
	{"export", "-q", "games.pgn", "rows", "--format", "parquet"},
	{"split", "-q", "games.pgn", "Season", "--by", "2"}, {"book", "export", "-q", "Openings.ctg", "one.bin"}, {"book", "export", "-q", "Openings.ctg", "two.bin"},
}

// madeByExamples are the verbs whose last argument is made, and must not be there.
var madeByExamples = regexp.MustCompile(`^(import|convert|pack|demo|book build) `)

// helpExample is a line of help with a command, behind which two blanks and a word
// about it may stand.
var helpExample = regexp.MustCompile(`(?m)^ +cbkit ((?:[^ \n>]| [^ \n>])+)`)

// The help of every verb has examples, and each of them does what it says with the
// games of the demo.
func TestExamplesOfTheHelp(t *testing.T) {
	t.Chdir(gen.Folder(t))
	save(t, "secret.txt", "sesame\n")
	save(t, "names.csv", "old,new\n\"Morphy, Paul\",\"Morphy, Paul Charles\"\n")
	save(t, "spelling.ssp", "@PLAYER \"., -_*\"\nMorphy, Paul Charles\n   = Morphy, Paul\n")
	save(t, "suite.epd", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;\n")
	save(t, "players_list.txt", "ID Number      Name            MAY24\n1              Morphy, Paul    2690\n")
	for _, args := range exampleFiles {
		mustRun(t, args...)
	}
	saveZip(t, "week.zip", "games.pgn")
	files := must.Get(filepath.Abs("."))(t)
	n := 0
	for _, v := range allVerbs() {
		if v.path == "" {
			continue
		}
		help := mustRun(t, append(strings.Fields(v.path), "--help")...).out
		_, examples, found := strings.Cut(help, "\nExamples:\n")
		lines := helpExample.FindAllStringSubmatch(examples, -1)
		if !found || len(lines) == 0 {
			t.Errorf("cbkit %s --help has no examples", v.path)
		}
		for _, line := range lines {
			command := line[1]
			if n++; !isTried(n, 5) {
				continue
			}
			if !strings.HasPrefix(command, v.path) {
				t.Errorf("cbkit %s --help has an example of another verb: %s", v.path, command)
			}
			dir := gen.Folder(t)
			must.Do(t, os.CopyFS(dir, os.DirFS(files)))
			t.Chdir(dir)
			args := shellWords(command)
			if madeByExamples.MatchString(command) && !strings.Contains(command, "--append") {
				clearTarget(t, args)
			}
			if v.path == "serve" { // ends when it is interrupted
				serving(t, args...)
				continue
			}
			if r := cbkit(t, "", args...); r.status != exitDone && !(v.path == "diff" && r.status == exitFailed) {
				t.Errorf("cbkit %s: status %d: %s", command, r.status, r.errOut)
			}
		}
	}
}

// clearTarget removes the files of the last argument that is no flag's.
func clearTarget(t *testing.T, args []string) {
	t.Helper()
	var target string
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && !(i > 0 && takesValue()[args[i-1]]) {
			target = arg
		}
	}
	names := []string{target}
	if as := named(target); !as.IsFile() {
		names = filesOf(target, as)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// shellWords takes a command apart as a shell does: at blanks outside of quotes.
func shellWords(command string) (list []string) {
	for _, word := range regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s"'])+`).FindAllString(command, -1) {
		list = append(list, strings.NewReplacer(`"`, "", `'`, "").Replace(word))
	}
	return list
}
