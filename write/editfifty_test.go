package write_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
	"cbkit/write"

	"pgregory.net/rapid"
)

var editScripts = flag.Int("edit.scripts", 6, "`number` of random scripts of 50 edits")

// alone returns a record with tables of its own that have nothing but its entities, so
// that the numbers of two records mean different ones.
func alone(rec model.Record, from *model.Entities) (model.Record, *model.Entities) {
	own := &model.Entities{}
	rec = rec.Clone()
	if g := rec.Game; g != nil {
		g.White, g.Black = moved(g.White, &from.Players, &own.Players), moved(g.Black, &from.Players, &own.Players)
		g.Tournament, g.Annotator = moved(g.Tournament, &from.Tournaments, &own.Tournaments), moved(g.Annotator, &from.Annotators, &own.Annotators)
		g.Source, g.GameTitle = moved(g.Source, &from.Sources, &own.Sources), moved(g.GameTitle, &from.GameTitles, &own.GameTitles)
		g.WhiteTeam, g.BlackTeam = moved(g.WhiteTeam, &from.Teams, &own.Teams), moved(g.BlackTeam, &from.Teams, &own.Teams)
		return rec, own
	}
	g := rec.Text
	g.Tournament, g.Annotator = moved(g.Tournament, &from.Tournaments, &own.Tournaments), moved(g.Annotator, &from.Annotators, &own.Annotators)
	g.Source, g.GameTitle = moved(g.Source, &from.Sources, &own.Sources), moved(g.GameTitle, &from.GameTitles, &own.GameTitles)
	return rec, own
}

// moved returns the number that an entity gets in another table.
func moved[T comparable](id model.EntityID, from, to *model.Table[T]) model.EntityID {
	v, ok := from.Get(id)
	if !ok {
		return model.NoEntity
	}
	return to.Intern(v)
}

// scriptBase is a database that scripts change.
type scriptBase struct {
	name, page string
	titles     bool // its records have room for game titles
	weight     int
	from       string // the folder
}

// Random scripts of 50 edits over generated databases and all of the corpus that can be
// edited, with the search boosters that they have or with all: after each commit, which
// comes after every fourth edit or so, the database is what a plain model says, and check
// finds no error that was not there before.
func TestEditScriptsOfFifty(t *testing.T) {
	bases := []scriptBase{
		{name: "", titles: true, weight: 8}, {name: "hedgehog", page: "1251", weight: 5}, {name: "mate2", titles: true, weight: 5},
		{name: "small", weight: 5}, {name: "cbh_test", titles: true, weight: 5}, {name: "cbh_cbj_test", titles: true, weight: 5},
	}
	if !testing.Short() {
		bases = append(bases, scriptBase{name: "twic1134", titles: true, weight: 1}) // it is large
	}
	var choice []scriptBase
	for _, b := range bases {
		if b.name != "" {
			b.from = corpus.Path(t, "cbh/"+b.name)
		}
		choice = append(choice, slices.Repeat([]scriptBase{b}, b.weight)...)
	}
	checks := flag.Lookup("rapid.checks").Value
	defer flag.Set("rapid.checks", checks.String())
	if err := flag.Set("rapid.checks", fmt.Sprint(*editScripts)); err != nil {
		t.Fatal(err)
	}
	dir := gen.Folder(t)
	scripts, edits, commits, by := 0, 0, 0, map[string]int{}
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom(choice).Draw(t, "database")
		records := pool(t, dir, 8, base.titles)
		path := layOut(t, dir, base)
		if _, err := os.Stat(strings.TrimSuffix(path, ".cbh") + ".cbj"); err != nil {
			complete(t, path)
		}
		if rapid.Bool().Draw(t, "with boosters") {
			if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{Jobs: 1}); err != nil {
				t.Fatal(err)
			}
		}
		near := neighbours.Lay(outer, path, true)
		s := begin(t, path, base.page, records, near, false)
		defer func() { _ = s.ed.Close() }()
		often := 4
		if base.name == "twic1134" {
			often = 25
		}
		for tries := 0; s.edits < 50 && tries < 500; tries++ { // with nothing to add there may be nothing to do
			s.edit()
			if rapid.IntRange(1, often).Draw(t, "commit") == 1 {
				s.commitAll()
			}
			if rapid.IntRange(1, 20).Draw(t, "roll back") == 20 {
				s.rollback()
			}
		}
		s.end()
		if wrong := near.Wrong(filepath.Dir(path)); wrong != "" {
			t.Fatal(wrong)
		}
		scripts, edits, commits, by[base.name] = scripts+1, edits+s.edits, commits+s.commits, by[base.name]+1
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%d scripts, %d edits, %d commits compared; databases %v", scripts, edits, commits, by)
}

// complete adds a game to a database without a .cbj file, which it gets by that; teams
// to which the file that is gone referred go too, of which the model knows nothing; so
// may details of a source without a title, which the game has not.
func complete(t *rapid.T, path string) {
	ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, AcceptLosses: true})
	if err == nil {
		err = appendAll(ed, oneGame("Nobody"))
	}
	if err == nil {
		err = errors.Join(ed.Commit(), ed.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// layOut makes a copy of a database, or a generated one, in a folder of its own, and
// returns its main file.
func layOut(t *rapid.T, dir string, base scriptBase) string {
	sub := filepath.Join(dir, "work")
	err := os.RemoveAll(sub)
	if base.name == "" {
		trip(t, dir, gen.Database(gen.Config{NoTags: true, NoHalfMoves: true, NameBytes: 12, TextBytes: 60, Records: 8, Plies: 40}).Draw(t, "generated"), write.Options{})
		err = errors.Join(err, os.Mkdir(sub, 0o755))
		list, _ := filepath.Glob(filepath.Join(dir, "trip.*"))
		for _, name := range list {
			if !slices.Contains(write.BoosterExts(), filepath.Ext(name)) {
				err = errors.Join(err, os.Rename(name, filepath.Join(sub, filepath.Base(name))))
			}
		}
	} else {
		err = errors.Join(err, os.CopyFS(sub, os.DirFS(base.from)))
	}
	list, _ := filepath.Glob(filepath.Join(sub, "*.cbh"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}
