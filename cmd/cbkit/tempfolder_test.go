package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	lib "cbkit"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// What makes something keeps its temporary files beside that: the folder of the system can
// be small, and here there is none.
func TestTemporaryFilesLieBesideTheTarget(t *testing.T) {
	t.Chdir(gen.Folder(t))
	for _, name := range []string{"Games.cbh", "games.pgn", "games.jsonl", "Games.dci"} {
		must.Do(t, lib.Save(t.Context(), name, bulk.New(bulk.Options{Games: 200}), lib.SaveOptions{AcceptLosses: true}))
	}
	must.Do(t, os.Mkdir("out", 0o777))
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join("no", "such", "folder"))
	}
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	mustRun(t, "convert", "-q", "Games.cbh", "Edited.cbh", "--boosters")
	mustRun(t, "edit", "-q", "Edited.cbh", "--delete", "1-50")
	n := 0
	for _, verb := range []string{
		"sort -q --by white IN OUT.cbh", "sort -q --by date IN OUT.pgn", "split -q --by 50 IN OUT/of/all", "merge -q IN IN OUT.cbh",
		"merge -q --dedup IN IN OUT.pgn", "dedup -q IN OUT.cbh", "convert -q IN OUT.cbh --boosters", "strip -q --comments IN OUT.cbh",
		"book build -q --memory 1 IN OUT.ctg", "book build -q --memory 1 IN OUT.bin", "book add -q --memory 1 Book.ctg IN",
		"tree -q --max-ply 10 IN OUT.pgn", "find -q --sort white --year 1900-2100 IN -o OUT.cbh", "convert -q IN OUT.cbv",
		"import -q games.pgn OUT.cbh", "pack -q Games.cbh OUT.cbv", "convert -q --purge Edited.cbh OUT.cbv",
		"boosters -q --positions Edited.cbh", "compact -q --purge Edited.cbh", "book merge -q Book.ctg Book.ctg OUT.ctg", "book export -q Book.ctg OUT.bin",
	} {
		sources := []string{"Games.cbh", "games.pgn", "games.jsonl", "Games.dci"}
		if !strings.Contains(verb, "IN") {
			sources = sources[:1]
		}
		for _, source := range sources {
			if n++; !isTried(n, 13) {
				continue
			}
			args := strings.Fields(strings.NewReplacer("IN", source, "OUT", "out/"+strconv.Itoa(n)).Replace(verb))
			if r := cbkit(t, "", args...); r.status != exitDone {
				t.Errorf("%s: status %d: %s", strings.Join(args, " "), r.status, r.errOut)
			}
		}
	}
	left := must.Get(os.ReadDir("out"))(t)
	if names := slices.DeleteFunc(left, func(e os.DirEntry) bool { return !strings.Contains(e.Name(), "cbkit-") }); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}
