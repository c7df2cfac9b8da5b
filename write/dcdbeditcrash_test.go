package write

import (
	"context"
	"errors"
	"fmt"

	"cbkit/model"
)

// simpleCrashDatabase returns games for a Simple Chess Database.
func simpleCrashDatabase(games int) *model.Database {
	db := &model.Database{}
	for i := range games {
		g := crashGame(db, fmt.Sprint("Player ", games, i), 10+i)
		g.Annotate(0, model.Text{Text: fmt.Sprint("comment ", i)})
		db.AddGame(g)
	}
	return db
}

// simpleKinds are all kinds of changes.
var simpleKinds = map[string]func(ed *SimpleEditor) error{
	"append": func(ed *SimpleEditor) error {
		return ed.Append(context.Background(), simpleCrashDatabase(4), model.CopyOptions{})
	},
	"replace": func(ed *SimpleEditor) error {
		db := simpleCrashDatabase(3)
		return ed.Replace(2, db.List[2], &db.Tables)
	},
	"delete": func(ed *SimpleEditor) error { return errors.Join(ed.Delete(1), ed.Undelete(3)) },
	"header": func(ed *SimpleEditor) error {
		h, err := ed.Header(1)
		if err != nil {
			return err
		}
		h.WhiteElo, h.Black = 2700, ed.Entities().Players.Intern(model.Player{LastName: "New"})
		return ed.SetHeader(1, h, nil)
	},
	"annotations": func(ed *SimpleEditor) error { return ed.SetAnnotations(2, nil) },
	"all of it": func(ed *SimpleEditor) error {
		db := simpleCrashDatabase(3)
		return errors.Join(ed.Delete(4), ed.Append(context.Background(), db, model.CopyOptions{}),
			ed.Replace(1, db.List[0], &db.Tables), ed.SetAnnotations(6, nil), ed.Undelete(3))
	},
}
