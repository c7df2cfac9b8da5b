package search

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"

	"pgregory.net/rapid"
)

func realFiles(t testing.TB, name string) *cbhdb.DB {
	t.Helper()
	return storedFiles(t, corpus.Path(t, name))
}

// storedFiles opens the files of a database.
func storedFiles(t testing.TB, path string) *cbhdb.DB {
	t.Helper()
	files := must.Get(read.FindFiles(path))(t)
	db := cbhdb.New(cbhdb.FilesOf(files))
	t.Cleanup(func() { db.Close() })
	return db
}

// scanned finds names by reading all records.
func scanned(t rapid.TB, files *cbhdb.DB, kind *nameKind, p pattern) (ids []model.RecordID, uses int64) {
	e := must.Get(files.Entities(kind.file))(t)
	for r := range must.All(t, e.Reader(1<<16).Live()) {
		for _, s := range kind.texts(r.Payload, cbh.CodePage{}) {
			if id := model.RecordID(r.ID); p.matches(s) && !slices.Contains(ids, id) {
				ids = append(ids, id)
				uses += int64(cbh.DecodeEntityUse(r.Payload).Count)
			}
		}
	}
	return ids, uses
}

// Names found through the trees of real files are those that reading every
// record finds, whatever the order of the file and the case of the pattern.
func TestLookUpInRealTrees(t *testing.T) {
	for _, name := range []string{"cbh/twic1134/twic1134.cbh", "cbh/hedgehog/Hedgehog.cbh", "cbh/world-ch/World-ch.cbh", "cbh/mate2/Mate2.cbh", "cbh/small/small.cbh"} {
		files := realFiles(t, name)
		for _, kind := range []*nameKind{players, tournaments, annotators, sources, teams, titles} {
			if !files.Files().Has(kind.file.Ext) {
				continue
			}
			t.Run(name+" "+kind.name, func(t *testing.T) {
				texts := allTexts(t, files, kind)
				rapid.Check(t, func(t *rapid.T) {
					p, whole := drawPattern(t, texts), rapid.Bool().Draw(t, "whole")
					got := must.Get((&nameFiles{files, cbh.CodePage{}, whole, func(err error) { t.Error(err) }, nil}).lookup(nameQuery{kind: kind, pattern: p}))(t)
					want, uses := scanned(t, files, kind, p)
					if !slices.Equal(got.ids.all(), want) || got.uses != uses {
						t.Fatalf("%q: %v with %d uses, want %v with %d", p, got.ids.all(), got.uses, want, uses)
					}
				})
			})
		}
	}
}

// allTexts returns the names of all entities of a kind.
func allTexts(t *testing.T, files *cbhdb.DB, kind *nameKind) []string {
	t.Helper()
	e := must.Get(files.Entities(kind.file))(t)
	texts := []string{"Nobody"}
	for r := range must.All(t, e.Reader(1<<16).Live()) {
		texts = append(texts, kind.texts(r.Payload, cbh.CodePage{})...)
	}
	return texts
}

// drawPattern draws a name with some of it changed.
func drawPattern(t *rapid.T, texts []string) pattern {
	r := []rune(rapid.SampledFrom(texts).Draw(t, "name"))
	switch rapid.IntRange(0, 4).Draw(t, "pattern") {
	case 0:
		return pattern(strings.ToUpper(string(r)))
	case 1:
		return pattern(strings.ToLower(string(r)))
	case 2:
		return pattern(r[:rapid.IntRange(0, len(r)).Draw(t, "letters")]) + "*"
	case 3:
		if len(r) > 0 {
			r[rapid.IntRange(0, len(r)-1).Draw(t, "at")] = '?'
		}
	}
	return pattern(r)
}

// A look-up reads a small part of the file.
func TestLookUpReadsLittle(t *testing.T) {
	files := nameFiles{realFiles(t, "cbh/twic1134/twic1134.cbh"), cbh.CodePage{}, false, func(err error) { t.Error(err) }, nil}
	for _, p := range []pattern{"carlsen", "Naka*", "Xu, J*"} {
		set := must.Get(files.lookup(nameQuery{kind: players, pattern: p}))(t)
		if set.total != 2737 || set.visited > 150 {
			t.Errorf("%q: %d of %d looked at", p, set.visited, set.total)
		}
	}
	set, err := files.lookup(nameQuery{kind: players, pattern: "*son"})
	if err != nil || set.visited != set.total || set.ids.Len() == 0 {
		t.Errorf("*son: %d found, %d of %d looked at, %v", set.ids.Len(), set.visited, set.total, err)
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern pattern
		name    string
		want    bool
	}{
		{"", "", true}, {"", "x", false}, {"*", "", true}, {"*", "Carlsen", true}, {"?", "", false}, {"?", "ü", true},
		{"carlsen", "CARLSEN", true}, {"Carl*", "Carlsen, Magnus", true}, {"Carl*", "Car", false},
		{"*sen", "Carlsen", true}, {"*sen", "Carlsens", false}, {"c*l*n", "Carlsen", true}, {"c*l*n*x", "Carlsen", false},
		{"ÇELIK", "çelik", true}, {"k", "\u212A", false}, {"**a**", "bab", true}, {"a*a*a*a*a*b", strings.Repeat("a", 60), false},
		{"Carlsen, M*", "Carlsen, Magnus", true}, {"\xff", "\xff", true},
	} {
		if got := c.pattern.matches(c.name); got != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.name, got)
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		pattern    pattern
		untilComma bool
		want       string
	}{
		{"Carlsen", false, "Car"}, {"Xu, J", true, "Xu"}, {"Xu, J", false, "Xu,"}, {"*x", false, ""}, {"a?b", false, "a"}, {"Çe", false, ""}, {"aÇ", false, "a"},
	} {
		if got := c.pattern.prefix(3, c.untilComma); got != c.want {
			t.Errorf("%q: %q, want %q", c.pattern, got, c.want)
		}
	}
	for _, c := range []struct {
		name, prefix string
		want         bool
	}{{"Carlsen", "cAR", true}, {"Carlsen", "", true}, {"Ca", "Car", false}, {"A[", "a{", false}, {"a@", "a`", false}, {"\xc7", "G", false}} {
		if got := hasPrefixFold([]byte(c.name), c.prefix); got != c.want {
			t.Errorf("%q and %q: %v", c.name, c.prefix, got)
		}
	}
	if got := strings.Join(caseVariants("a1B"), " "); got != "a1b a1B A1b A1B" {
		t.Errorf("%s", got)
	}
}

// In the signed order of annotators a name that begins with a letter above 7F
// comes before the end of a shorter one. The trees are in that order, and the
// walks find every name.
func TestLookUpBeforeTheEndOfAName(t *testing.T) {
	names := []string{
		"", "È", "ågren", "ûrgh", "Foo", "Lund", "Lundén", "Lunda", "Lunå", "Lu", "Öhh", "Ö", "äsch", "L", "Lå", "Låge", "Lé", "TE", "fooBar",
	}
	db := &model.Database{}
	for _, name := range names {
		g := &model.Game{Header: model.NewHeader()}
		g.Header.Annotator = db.Tables.Annotators.Intern(model.Annotator{Name: name})
		db.AddGame(g)
	}
	path := filepath.Join(gen.Folder(t), "names.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	files := storedFiles(t, path)
	for _, name := range names[1:] {
		p := pattern(name)
		got, err := (&nameFiles{files, cbh.CodePage{}, false, func(err error) { t.Error(err) }, nil}).lookup(nameQuery{kind: annotators, pattern: p})
		if err != nil || got.damage != nil {
			t.Errorf("%q: %v, the tree is not trusted: %v", name, err, got.damage)
			continue
		}
		if want, uses := scanned(t, files, annotators, p); len(want) == 0 || !slices.Equal(got.ids.all(), want) || got.uses != uses {
			t.Errorf("%q: %v with %d uses, want %v with %d", name, got.ids.all(), got.uses, want, uses)
		}
	}
}

// A number names one entity, whatever it is called, in databases and in memory.
func TestNumberNamesOne(t *testing.T) {
	db := &model.Database{}
	for _, first := range []string{"A", "B", "C"} {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: "Adams", FirstName: first})
		g.Black = g.White
		db.AddGame(g)
	}
	path := filepath.Join(gen.Folder(t), "adams.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	stored := must.Get(Open(path, Options{}))(t)
	defer stored.Close()
	for _, c := range []struct {
		query string
		want  []model.RecordID
	}{
		{"player:#0", []model.RecordID{1}}, {"white-player:#2", []model.RecordID{3}}, {"player:#1", []model.RecordID{2}},
		{"black-player:#1 white-player:#2", nil}, {"player:#7", nil}, {"player:adams", []model.RecordID{1, 2, 3}},
	} {
		cond := must.Get(Parse(c.query))(t)
		if got, err := stored.Find(t.Context(), cond); err != nil || !slices.Equal(got.IDs, c.want) {
			t.Errorf("%s in a file: %v, %v; want %v", c.query, got.IDs, err, c.want)
		}
		inMemory := must.Get(Select(db, cond))(t)
		var ids []model.RecordID
		for rec := range inMemory.Records(t.Context(), 1, model.WantHeaders) {
			ids = append(ids, rec.ID)
		}
		if !slices.Equal(ids, c.want) {
			t.Errorf("%s in memory: %v, want %v", c.query, ids, c.want)
		}
	}
}
