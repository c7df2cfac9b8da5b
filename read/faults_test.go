package read_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// faultsOf returns what is wrong with the records of a database, and with its
// files.
func faultsOf(t *testing.T, path string, opt read.Options) (records, files []string) {
	t.Helper()
	opt.Damage = func(err error) { files = append(files, err.Error()) }
	db := must.Get(read.Open(path, opt))(t)
	defer db.Close()
	for rec := range must.All(t, db.Records(context.Background(), 1, model.WantAll)) {
		for _, fault := range rec.Faults() {
			records = append(records, fault.Error())
		}
	}
	return records, files
}

// A reference to an entity that its file has lost names that file; one to an
// entity that there never was names the .cbh file; a file that is missing is
// none of it.
func TestDanglingReferences(t *testing.T) {
	path := newDatabase(t, 3)
	players := sibling(path, ".cbp")
	edit(t, players, func(b []byte) []byte { return b[:100] })
	records, files := faultsOf(t, path, read.Options{})
	const lost = "db.cbp: record 1: truncated: the file has 1 of 4 records; record 1 of db.cbh refers to this one as black"
	if len(records) != 5 || records[0] != lost || len(files) != 0 {
		t.Errorf("%q, %q", records, files)
	}

	path = newDatabase(t, 3)
	edit(t, path, func(b []byte) []byte { b[2*46+9] = 0x7f; return b })
	records, _ = faultsOf(t, path, read.Options{})
	const wrong = "db.cbh: record 2 at 0x5c (white): corrupt: there is no player 8323074; db.cbp has 4"
	if len(records) != 1 || records[0] != wrong {
		t.Errorf("%q", records)
	}

	db := &model.Database{}
	g := model.NewGame()
	g.WhiteTeam = db.Tables.Teams.Intern(model.Team{Title: "Riga"})
	db.AddGame(g)
	path = store(t, db)
	must.Do(t, os.Remove(sibling(path, ".cbe")))
	src := must.Get(read.Open(path, read.Options{}))(t)
	defer src.Close()
	rec, err := src.Record(context.Background(), 1, model.WantHeaders)
	if err != nil || len(rec.Faults()) != 0 || len(rec.Damage) != 1 || !errors.Is(rec.Damage[0], fs.ErrNotExist) {
		t.Errorf("%v, %v", rec.Damage, err)
	}
}

// Numbers of the .cbj file below that for none are told, of texts too, which have
// no teams.
func TestMeaninglessNumbers(t *testing.T) {
	for _, c := range []struct {
		field *cbh.Field
		want  []string // of the game, and of the text
	}{
		{&cbh.ExtWhiteTeam, []string{"(white team)"}}, {&cbh.ExtBlackTeam, []string{"(black team)"}},
		{&cbh.ExtGameTitle, []string{"(game title)", "(game title)"}},
	} {
		db := &model.Database{}
		db.AddGame(model.NewGame())
		db.AddText(model.NewGuidingText())
		path := store(t, db)
		edit(t, sibling(path, ".cbj"), func(b []byte) []byte {
			for record := cbh.ExtHeaderSize; record < len(b); record += cbh.ExtRecordSize {
				c.field.Put(b[record:], 1<<31)
			}
			return b
		})
		records, _ := faultsOf(t, path, read.Options{})
		if len(records) != len(c.want) {
			t.Errorf("%s: %q", c.field.Name, records)
			continue
		}
		for i, fault := range records {
			if !strings.HasPrefix(fault, "db.cbj: record ") || !strings.Contains(fault, c.want[i]+": corrupt: -2147483648 is no number") {
				t.Errorf("%s: %q", c.field.Name, fault)
			}
		}
	}
}

// store writes a database without regard to losses.
func store(t testing.TB, db model.Source) string {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "db.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	return path
}

// played is a source that claims to have played its moves.
type played struct{ model.Source }

func (played) LegalMoves() bool { return true }

// A move that leaves the own king in check does not decode. A reader that keeps
// going gives the moves before it.
func TestKingLeftInCheck(t *testing.T) {
	db := &model.Database{}
	g := model.NewGame()
	for _, m := range [][2]model.Square{{model.E2, model.E4}, {model.F7, model.F6}, {model.D1, model.H5}, {model.A7, model.A6}} {
		g.Moves.Append(model.NewMove(m[0], m[1]))
	}
	g.Annotate(3, model.Text{Text: "overlooked"})
	db.AddGame(g)
	path := store(t, played{db})

	records, _ := faultsOf(t, path, read.Options{})
	if len(records) != 1 || !strings.HasPrefix(records[0], "db.cbg: record 1 at 0x1a (moves): move 4: a7a6 leaves the own king in check") {
		t.Errorf("%q", records)
	}
	for _, keep := range []bool{false, true} {
		src := must.Get(read.Open(path, read.Options{KeepGoing: keep}))(t)
		rec := must.Get(src.Record(context.Background(), 1, model.WantAll))(t)
		want := 0
		if keep {
			want = 3
		}
		if got := rec.Game; got.MovesErr == nil || got.Moves.Len() != want || got.Leftovers.Moves == nil || len(got.Annotations) != 1 {
			t.Errorf("keep going %v: %d moves, %v, %v", keep, got.Moves.Len(), got.MovesErr, got.Annotations)
		}
		src.Close()
	}
}

// Moves that break off leave those before the damage, also inside a variation.
func TestMovesBeforeDamage(t *testing.T) {
	path := newDatabase(t, 1) // 1.e4 e5 (1...c5)
	games := sibling(path, ".cbg")
	// The size of the record ends before the variation does.
	edit(t, games, func(b []byte) []byte { b[cbh.BlockHeaderSize+3] -= 2; return b })
	db := must.Get(read.Open(path, read.Options{KeepGoing: true}))(t)
	defer db.Close()
	rec := must.Get(db.Record(context.Background(), 1, model.WantAll))(t)
	g := rec.Game
	if g.MovesErr == nil || g.Moves.Len() != 2 || g.Moves.MainLen() != 2 {
		t.Errorf("%d moves, %v", g.Moves.Len(), g.MovesErr)
	}
}
