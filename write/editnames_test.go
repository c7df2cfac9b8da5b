package write_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// namedGame is a game whose names all end with a word of their own, each of them
// the first of its table.
func namedGame(word string) *model.Database {
	db := oneGame("White " + word)
	g, t := db.List[0].Game, &db.Tables
	g.Black = t.Players.Intern(model.Player{LastName: "Black " + word})
	g.Tournament = t.Tournaments.Intern(model.Tournament{Title: "Event " + word})
	g.Annotator = t.Annotators.Intern(model.Annotator{Name: "Annotator " + word})
	g.Source = t.Sources.Intern(model.Publication{Title: "Source " + word})
	g.WhiteTeam = t.Teams.Intern(model.Team{Title: "Team " + word})
	g.BlackTeam = t.Teams.Intern(model.Team{Title: "Guests " + word})
	g.GameTitle = t.GameTitles.Intern(model.GameTitle{Titles: [8]string{"Title " + word}})
	return db
}

// createNamed makes a database of games with names of their own.
func createNamed(t *testing.T, words ...string) string {
	t.Helper()
	path := create(t, namedGame(words[0]), write.Options{})
	ed := edit(t, path)
	for _, word := range words[1:] {
		must.Do(t, appendAll(ed, namedGame(word)))
	}
	commit(t, ed)
	return path
}

// Records of one transaction, each with names of a table of its own in which they
// have the same numbers, keep their own names. (Editing cases 21)
func TestEditEachRecordHasItsOwnNames(t *testing.T) {
	for name, change := range map[string]func(ed *write.Editor, id model.RecordID, db *model.Database) error{
		"header": func(ed *write.Editor, id model.RecordID, db *model.Database) error {
			return ed.SetHeader(id, db.List[0].Game.Header, db.Entities())
		},
		"replace": func(ed *write.Editor, id model.RecordID, db *model.Database) error {
			return ed.Replace(id, db.List[0], db.Entities())
		},
		"append and replace": func(ed *write.Editor, id model.RecordID, db *model.Database) error {
			other := namedGame("other")
			if err := ed.Append(t.Context(), other, model.CopyOptions{}); err != nil {
				return err
			}
			return ed.Replace(id, db.List[0], db.Entities())
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := create(t, games(4, 4), write.Options{})
			ed := edit(t, path)
			first, second := namedGame("first"), namedGame("second")
			must.Do(t, change(ed, 1, first), change(ed, 2, second))
			commit(t, ed)
			sound(t, path)
			got := load(t, path)
			for i, want := range []*model.Database{first, second} {
				a, b := want.List[0], got.List[i].Clone()
				b.ID, b.Game.Moves = a.ID, a.Game.Moves
				if !model.EqualRecords(a, &want.Tables, b, &got.Tables) {
					g := b.Game
					t.Errorf("game %d: team %q, title %q, by %q", i+1, got.Tables.Teams.Value(g.WhiteTeam).Title,
						got.Tables.GameTitles.Value(g.GameTitle), got.Tables.Players.Value(g.White))
				}
			}
		})
	}
}

// damageFile changes the bytes of one file of a database.
func damageFile(t *testing.T, path, ext string, change func(b []byte) []byte) {
	t.Helper()
	name := strings.TrimSuffix(path, ".cbh") + ext
	b, err := os.ReadFile(name)
	must.Do(t, err)
	must.Do(t, os.WriteFile(name, change(b), 0o644))
}

// No new name gets the number of one that is missing at the end of its file, and to
// which a record refers; where the file is sound free numbers are used again. Lists of
// search boosters that fit do not vouch for a file that has lost its end.
// (Editing cases 26)
func TestEditNewNamesAreNobodysOld(t *testing.T) {
	for _, kind := range cbh.EntityFiles {
		for name, change := range map[string]func(b []byte) []byte{
			"cut": func(b []byte) []byte { return b[:len(b)-3] },
			"cut, and the header made to fit": func(b []byte) []byte {
				binary.LittleEndian.PutUint32(b, binary.LittleEndian.Uint32(b)-1)
				return b[:len(b)-kind.RecordSize()]
			},
		} {
			for _, boosters := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %s boosters %v", kind.Ext, name, boosters), func(t *testing.T) {
					path := createNamed(t, "1", "2", "3")
					if boosters {
						_, err := write.Boosters(t.Context(), path, write.BoosterOptions{})
						must.Do(t, err)
					}
					damageFile(t, path, kind.Ext, change)
					refusesNewName(t, path, kind.Ext)
					// What brings no new name goes on.
					ed := edit(t, path)
					must.Do(t, ed.Delete(1))
					commit(t, ed)
				})
			}
		}
	}
}

// refusesNewName tests that a database takes no new names, and stays as it is.
func refusesNewName(t *testing.T, path, ext string) {
	t.Helper()
	before := filesOf(t, path)
	ed := edit(t, path)
	err := ed.Append(t.Context(), namedGame("new"), model.CopyOptions{})
	if err == nil || !strings.Contains(err.Error(), "check --repair") || !strings.Contains(err.Error(), "cbkit salvage") || !strings.Contains(err.Error(), ext) {
		t.Errorf("a new name: %v", err)
	}
	if err := ed.Commit(); err == nil {
		t.Error("what was begun is committed")
	}
	must.Do(t, ed.Close())
	if !maps.Equal(before, filesOf(t, path)) {
		t.Error("files have changed")
	}
}

// What the refusal of a new name advises works: a repair where nothing is missing, else
// a salvage, which keeps all other names. A repair takes no name away either.
func TestEditRefusalNamesWhatWorks(t *testing.T) {
	for _, kind := range cbh.EntityFiles {
		t.Run(kind.Ext, func(t *testing.T) {
			path := createNamed(t, "1", "2", "3")
			damageFile(t, path, kind.Ext, func(b []byte) []byte { return b[:len(b)-kind.RecordSize()] })
			refusesNewName(t, path, kind.Ext)
			damaged := load(t, path)
			_, err := write.Repair(t.Context(), path, write.RepairOptions{})
			must.Do(t, err)
			sameHeaders(t, "repaired", damaged, load(t, path))
			refusesNewName(t, path, kind.Ext) // whose end is still missing
			saved := filepath.Join(gen.Folder(t), "saved.cbh")
			_, err = write.Salvage(t.Context(), path, saved, write.SalvageOptions{})
			must.Do(t, err)
			sameHeaders(t, "saved", damaged, load(t, saved))
			ed := edit(t, saved)
			must.Do(t, appendAll(ed, namedGame("new")))
			commit(t, ed)
			sound(t, saved)

			// Nothing is missing.
			path = createNamed(t, "1", "2", "3")
			damageFile(t, path, kind.Ext, func(b []byte) []byte {
				binary.LittleEndian.PutUint32(b, binary.LittleEndian.Uint32(b)+1)
				return b
			})
			refusesNewName(t, path, kind.Ext)
			_, err = write.Repair(t.Context(), path, write.RepairOptions{})
			must.Do(t, err)
			ed = edit(t, path)
			must.Do(t, appendAll(ed, namedGame("new")))
			commit(t, ed)
			sound(t, path)
		})
	}
}

// sameHeaders tests that the records of two databases have the same names.
func sameHeaders(t *testing.T, what string, want, got *model.Database) {
	t.Helper()
	if len(want.List) != len(got.List) {
		t.Fatalf("%s: %d records, want %d", what, len(got.List), len(want.List))
	}
	for i := range want.List {
		a, b := want.List[i].Game, got.List[i].Game.Clone()
		b.Moves, b.Annotations, b.AnnotationsErr, b.MovesErr = a.Moves, a.Annotations, a.AnnotationsErr, a.MovesErr
		if !model.EqualRecords(model.Record{ID: 1, Game: a}, &want.Tables, model.Record{ID: 1, Game: b}, &got.Tables) {
			t.Errorf("%s: record %d: %+v, was %+v", what, i+1, b.Header, a.Header)
		}
	}
}

// An entity that counts references and names no record that has one is proven when it
// gets one more, as when it loses one. (Editing cases 27)
func TestEditProvesAnEntityWithoutFirstRecord(t *testing.T) {
	for _, first := range []int32{-1, 0, 99} {
		path := create(t, games(4, 4), write.Options{})
		damageFile(t, path, ".cbp", func(b []byte) []byte {
			const black = 1
			end := cbh.EntityHeaderSize + int(binary.LittleEndian.Uint32(b[24:])) + (black+1)*cbh.Players.RecordSize()
			cbh.EntityUse{Count: 5, First: first}.Put(b[:end])
			return b
		})
		ed := edit(t, path)
		more, _ := shuffle("White 1", "Black", 3)
		must.Do(t, ed.Append(t.Context(), more, model.CopyOptions{}))
		commit(t, ed)
		sound(t, path)
	}
}

// A table that loses its last name becomes the empty one of real databases, at the end
// of the transaction and not before; the lists follow. (Editing cases 23)
func TestEditLastNameGoes(t *testing.T) {
	for _, boosters := range []bool{false, true} {
		path := create(t, namedGame("only"), write.Options{})
		if boosters {
			_, err := write.Boosters(t.Context(), path, write.BoosterOptions{})
			must.Do(t, err)
		}
		without := func(ed *write.Editor) {
			h, err := ed.Header(1)
			must.Do(t, err)
			h.WhiteTeam, h.BlackTeam = model.NoEntity, model.NoEntity
			must.Do(t, ed.SetHeader(1, h, nil))
		}
		ed := edit(t, path)
		without(ed)
		commit(t, ed)
		sound(t, path)
		head := cbh.NewEntityHeader(&cbh.Teams.EntityFile)
		if got, want := filesOf(t, path)[".cbe"], string(head.Append(nil)); got != want {
			t.Errorf("boosters %v: the empty file is % x, want % x", boosters, got, want)
		}
		// Gone and back in one transaction, the table has not been empty.
		ed = edit(t, path)
		back := namedGame("back")
		must.Do(t, ed.SetHeader(1, back.List[0].Game.Header, back.Entities()))
		commit(t, ed)
		sound(t, path)
		ed = edit(t, path)
		without(ed)
		other := namedGame("other")
		must.Do(t, ed.SetHeader(1, other.List[0].Game.Header, other.Entities()))
		commit(t, ed)
		sound(t, path)
		if f := entitiesOf(t, path, ".cbe", cbh.Teams.Size); f.Live != 2 || f.Capacity != 4 {
			t.Errorf("boosters %v: %+v", boosters, f.EntityHeader)
		}
	}
}

// Block 0 of the lists, which cannot be marked as free, is given to another list when
// its own goes. (Editing cases 24)
func TestEditKeepsTheFirstBlock(t *testing.T) {
	path := create(t, games(4, 4), write.Options{})
	_, err := write.Boosters(t.Context(), path, write.BoosterOptions{})
	must.Do(t, err)
	// White of game 1 has the first list of all.
	ed := edit(t, path)
	h, err := ed.Header(1)
	must.Do(t, err)
	h.White = 2
	must.Do(t, ed.SetHeader(1, h, nil))
	commit(t, ed)
	sound(t, path)
	ed = edit(t, path)
	must.Do(t, rename(ed, "White 2", "Someone"), ed.Append(t.Context(), games(3), model.CopyOptions{}))
	commit(t, ed)
	sound(t, path)
}

// An edit that completes a .cbj file makes true the counts of teams that are proven wrong
// by that. (Editing cases 25)
func TestEditCompletesExtendedHeaders(t *testing.T) {
	three := namedGame("first")
	for _, word := range []string{"second", "third"} {
		g := three.List[0].Game.Clone()
		g.WhiteTeam = three.Tables.Teams.Intern(model.Team{Title: "Team " + word})
		three.AddGame(g)
	}
	path := create(t, three, write.Options{})
	damageFile(t, path, ".cbj", func(b []byte) []byte {
		binary.LittleEndian.PutUint32(b[8:], 1)
		return b[:cbh.ExtHeaderSize+cbh.ExtRecordSize]
	})
	before := findings(t, path)
	ed := edit(t, path)
	must.Do(t, ed.Append(t.Context(), oneGame("fourth"), model.CopyOptions{}))
	commit(t, ed)
	sound(t, path, before...)
	if db := load(t, path); db.Tables.Teams.Value(db.List[0].Game.WhiteTeam).Title != "Team first" {
		t.Error("the first game has lost its team")
	}
}

// A game title for which the .cbj file has no room is refused where it is asked for,
// and a loss where it comes with a game.
func TestEditTitleWithoutRoom(t *testing.T) {
	path := copyOf(t, "hedgehog")
	before := filesOf(t, path)
	ed := edit(t, path)
	id := model.RecordID(1) // of the first game
	for ; ; id++ {
		if _, err := ed.Text(id); err != nil {
			break
		}
	}
	named := namedGame("x")
	err := ed.SetHeader(id, named.List[0].Game.Header, named.Entities())
	if !errors.Is(err, model.ErrUnsupported) || !strings.Contains(err.Error(), ".cbj") {
		t.Errorf("%v", err)
	}
	commit(t, ed) // the refusal has changed nothing
	if !maps.Equal(before, filesOf(t, path)) {
		t.Error("files have changed")
	}
}
