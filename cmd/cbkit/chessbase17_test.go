package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	lib "cbkit"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// Every verb that takes games says and makes the same of a database of ChessBase 17, and of one
// in a zip, as of the same games in a .cbh.
func TestVerbsTakeChessBase17(t *testing.T) {
	here(t)
	save(t, "games.pgn", formsOfServers)
	save(t, "base.pgn", "[White \"ada\"]\n[Black \"cy\"]\n\n1. e4 e5 2. Bc4 *\n")
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	src := must.Get(lib.Open("Games.cbh", lib.Options{}))(t)
	defer src.Close()
	all := must.Get(model.Load(t.Context(), src))(t)
	files := must.Get(gen.ChessBase2(t.Context(), all))(t)
	var newer []string
	for name, f := range files {
		newer = append(newer, name)
		save(t, name, string(f.Data))
	}
	saveZip(t, "Games.zip", newer...)
	inFS := must.Get(lib.Open("Games.2cbh", lib.Options{FS: files}))(t)
	defer inFS.Close()
	for rec, err := range inFS.Records(t.Context(), 1, model.WantMoves|model.WantAnnotations) {
		if err != nil || !model.EqualRecords(rec, inFS.Entities(), all.List[rec.ID-1], all.Entities()) {
			t.Errorf("record %d is another in a file system: %v", rec.ID, err)
		}
	}
	for _, command := range []string{
		"show DB 1", "show DB 5 --ply 3", "list DB players", "list DB tournaments", "list DB sources", "list DB teams", "list DB annotators", "list DB titles", "stats DB", "stats DB --json", "report DB e4",
		"find DB player:ada", "find DB move:e4 --format pgn", "find DB date:2024.05.. --sort -date --json", "find DB has:clock --count", "table DB Open", "names DB --suggest",
		"export DB out.pgn", "export DB out.pgn --lossless", "export DB out.html", "convert DB out.dci", "convert DB out.si4", "convert DB out.pgn", "untangle DB out.pgn", "tree DB out.pgn", "tree base.pgn --novelties DB",
		"merge DB base.pgn out.pgn", "dedup DB out.pgn", "sort DB out.pgn --by -white", "split DB parts --by year --format pgn", "strip DB out.pgn --engines", "eco DB out.pgn", "book build DB out.ctg", "diff DB Games.cbh", "import --append DB Base.dci",
	} {
		var first string
		for _, name := range []string{"Games.cbh", "Games.2cbh", "Games.zip"} {
			before := map[string]bool{}
			entries, _ := os.ReadDir(".")
			for _, e := range entries {
				before[e.Name()] = true
			}
			mustRun(t, "convert", "-q", "base.pgn", "Base.dci") // which some of them change
			r := cbkit(t, "", strings.Fields(strings.ReplaceAll(command, "DB", name))...)
			got := strings.NewReplacer("Games.zip:Games.2cbh", "DB", name, "DB").Replace(strings.TrimSpace(r.out + r.errOut))
			entries, _ = os.ReadDir(".")
			for _, e := range entries {
				if before[e.Name()] {
					continue
				}
				_ = filepath.WalkDir(e.Name(), func(path string, d os.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						got += "\n" + path + "\n" + content(t, path)
					}
					return err
				})
				must.Do(t, os.RemoveAll(e.Name()))
			}
			if first == "" {
				first = got
			} else if got != first {
				t.Errorf("%s: %s, want %s", strings.ReplaceAll(command, "DB", name), got, first)
			}
			if r.status != exitDone {
				t.Errorf("%s: %+v", command, r)
			}
		}
	}
}
