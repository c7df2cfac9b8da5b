package write_test

import (
	"testing"

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
			must(t, change(ed, 1, first), change(ed, 2, second))
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
