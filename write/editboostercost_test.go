package write

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/check"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
)

// boosterEdits are changes that move first games too.
var boosterEdits = append(slices.Clone(smallEdits), []smallEdit{
	{"replace the first game of players and a tournament", false, func(ed *Editor, db *largeDatabase) error {
		old, err := ed.Game(5)
		if err != nil {
			return err
		}
		g := &model.Game{Header: old.Header, Annotations: old.Annotations}
		appendShuffle(g, old.Moves.Len(), model.B1, model.C3, model.B8, model.C6)
		g.White, g.Black, g.Tournament, g.Source, g.Annotator = g.White+9, g.Black+9, g.Tournament+9, g.Source+9, g.Annotator+9
		return ed.Replace(5, model.Record{Game: g}, nil)
	}},
	{"a header that moves first games", false, func(ed *Editor, _ *largeDatabase) error {
		h, err := ed.Header(7)
		if err != nil {
			return err
		}
		h.White, h.Tournament = h.White+20, h.Tournament+20
		return ed.SetHeader(7, h, nil)
	}},
	{"append ten", false, func(ed *Editor, db *largeDatabase) error {
		return ed.Append(context.Background(), db.part(30, 40), model.CopyOptions{})
	}},
	{"merge two players", false, func(ed *Editor, _ *largeDatabase) error { return ed.Players().Merge(11, 12) }},
}...)

// part returns some games of the database as a source of their own.
func (db *largeDatabase) part(from, to int) *model.Database {
	some := &model.Database{Tables: db.Tables.Clone()}
	for i := from; i < to; i++ {
		some.AddGame(db.game(i))
	}
	return some
}

// TestEditCostWithBoosters shows that edits of a database with all boosters, those
// that move first games too, read and write less than 4 MiB from opening to closing,
// however large it is, and that the boosters fit afterwards. A new name takes no pass over
// the headers there: the lists say to what records refer.
func TestEditCostWithBoosters(t *testing.T) {
	games, players := 200_000, 20_000
	if testing.Short() || !seeds.InCI {
		games, players = 30_000, 2_000
	}
	dir, err := os.MkdirTemp("/dev/shm", "cbkit")
	if err != nil {
		dir = gen.Folder(t)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	db := newLargeDatabase(games, players)
	sink := must.Get(Create(context.Background(), path, Options{Now: crashClock}))(t)
	must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	must.Get(Boosters(context.Background(), path, BoosterOptions{}))(t)
	const most = 4 << 20
	for _, e := range boosterEdits {
		m := &meter{FS: fsys.OS{}, pages: map[meteredPage]bool{}}
		ed, err := Edit(context.Background(), path, EditOptions{Now: crashClock, files: m})
		if err != nil {
			t.Fatal(err)
		}
		if err = e.change(ed, db); err == nil {
			err = ed.Commit()
		}
		if err = errors.Join(err, ed.Close()); err != nil {
			t.Fatal(e.name, err)
		}
		t.Logf("%s: %d bytes read, %d written, %d pages, %d syncs", e.name, m.read, m.written, len(m.pages), m.syncs)
		if m.read+m.written >= most || len(ed.Result().DroppedBoosters) > 0 || len(ed.Result().Once) > 0 {
			t.Errorf("%s costs too much, or %+v", e.name, ed.Result())
		}
	}
	list := must.Get(check.Boosters(context.Background(), path, check.Options{}))(t)
	for _, b := range list {
		if b.State != check.BoosterValid || len(b.Findings) > 0 {
			t.Errorf("%s: %s, %v", b.File, b.State, b.Findings)
		}
	}
}
