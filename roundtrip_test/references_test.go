package roundtrip

import (
	"errors"
	"slices"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// A reference to a deleted entity keeps its name in every format, and is one to
// a live entity where the tables are made anew; one that leads nowhere in the
// files of a source is reported.
func TestDeletedAndMissingEntities(t *testing.T) {
	db := &model.Database{}
	e := &db.Tables
	g := &model.Game{Header: model.NewHeader()}
	g.White = e.Players.Intern(model.Player{LastName: "Deleted", FirstName: "D."})
	g.Black = 65535
	e.Players.Delete(g.White)
	g.Tournament = e.Tournaments.Intern(model.Tournament{Title: "Event", Place: "Site"})
	e.Tournaments.Delete(g.Tournament)
	db.AddGame(g)
	db.List[0].Damage = []error{errors.New("black: there is no player 65535")} // as a reader of a damaged file says
	// The same name is there as a live entity too.
	twin := &model.Game{Header: model.NewHeader()}
	twin.White, twin.Tournament = e.Players.Intern(model.Player{LastName: "Deleted", FirstName: "D."}), g.Tournament
	db.AddGame(twin)

	for _, f := range formats {
		again, losses := f.trip(t, gen.Folder(t), db)
		want := model.Loss{Kind: model.LostField, Record: 1, Field: "black", What: "there is no player 65535"}
		if !slices.Equal(losses, []model.Loss{want}) {
			t.Errorf("%s: losses %v", f.name, losses)
		}
		if d := difference(db, again); d != "" {
			t.Errorf("%s: %s", f.name, d)
		}
		first, second := again.List[0].Game, again.List[1].Game
		if slot := again.Tables.Players.Slot(first.White); slot.Deleted || first.White != second.White {
			t.Errorf("%s: players %d (deleted %v) and %d", f.name, first.White, slot.Deleted, second.White)
		}
	}
}
