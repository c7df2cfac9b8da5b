package write

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

// crashGame returns a game of so many plies.
func crashGame(db *model.Database, white string, plies int) *model.Game {
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: white})
	g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Match", Start: model.Date{Year: 1990}})
	moves := [4]model.Move{
		model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6),
		model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8),
	}
	for i := range plies {
		g.Moves.Append(moves[i%4])
	}
	return g
}

// crashDatabase returns a database with games, one of them deleted, with
// annotations, and with a text.
func crashDatabase() *model.Database {
	db := &model.Database{}
	for i := range 6 {
		g := crashGame(db, fmt.Sprint("Player ", i%4), 10+i)
		if i%2 == 0 {
			g.Annotate(0, model.Text{Text: fmt.Sprint("comment ", i)})
		}
		db.AddGame(g)
	}
	db.List[2].Deleted = true
	text := model.NewGuidingText()
	text.Contents = []model.LocalText{{Text: "content"}}
	db.AddText(text)
	return db
}

// crashDisk returns a disk with a database on it, with boosters and, if it is to
// be, the large one that has the places of all games.
func crashDisk(t testing.TB, places bool) *crashfs.FS {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "games.cbh")
	sink := must.Get(Create(context.Background(), path, Options{Now: crashClock}))(t)
	must.Do(t, model.Copy(context.Background(), sink, crashDatabase(), model.CopyOptions{}))
	must.Get(Boosters(context.Background(), path, BoosterOptions{}))(t)
	must.Get(Boosters(context.Background(), path, BoosterOptions{Positions: 8}))(t)
	list := must.Get(filepath.Glob(filepath.Join(filepath.Dir(path), "*")))(t)
	disk := crashfs.New()
	for _, name := range list {
		if !places && filepath.Ext(name) == ".cbgi" {
			continue
		}
		b := must.Get(os.ReadFile(name))(t)
		disk.WriteFile(filepath.Base(name), b)
	}
	disk.WriteFile("games.ini", []byte("[DescrCBG]\n"))
	disk.WriteFile("games.cko", []byte("key"))
	neighbours.On(disk, "games.cbh")
	return disk
}

func crashClock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// everything makes all kinds of changes.
func everything(ed *Editor) error {
	return errors.Join(replaceGameBy(ed, 4, 500), annotateGame(ed, 5, "x"), ed.Delete(1),
		ed.Players().Change(1, model.Player{LastName: "Anderssen"}), ed.Players().Merge(3, 0),
		ed.Append(context.Background(), crashDatabase(), model.CopyOptions{}), replaceGameBy(ed, 9, 1))
}

// makeHoles leaves unused bytes in both files with records.
func makeHoles(t *testing.T, disk *crashfs.FS) {
	t.Helper()
	must.Do(t, editOn(disk, func(ed *Editor) error { return errors.Join(replaceGameBy(ed, 2, 3), ed.SetAnnotations(3, nil)) }, 0))
}

func replaceGameBy(ed *Editor, id model.RecordID, plies int) error {
	old, err := ed.Game(id)
	if err != nil {
		return err
	}
	g := crashGame(&model.Database{}, "", plies)
	g.Header = old.Header
	return ed.Replace(id, model.Record{Game: g}, nil)
}

func annotateGame(ed *Editor, id model.RecordID, text string) error {
	return ed.SetAnnotations(id, []model.Annotation{{Node: 0, Value: model.Text{Text: text}}, {Node: 2, Value: model.Text{Text: text}}})
}

// editOn makes one kind of change on a disk.
func editOn(disk *crashfs.FS, change func(*Editor) error, memory int) error {
	ed, err := Edit(context.Background(), "games.cbh", EditOptions{Now: crashClock, Memory: memory, files: disk, changed: crashClock})
	if err != nil {
		return err
	}
	if err = change(ed); err == nil {
		err = ed.Commit()
	}
	if closing := ed.Close(); err == nil && closing != nil {
		return fmt.Errorf("%w: %w", errClosing, closing)
	}
	return err
}

// errClosing is an error of an editor that has done its work.
var errClosing = errors.New("closing")

// isInPlace reports whether a commit was done, whether it stays so or not.
func isInPlace(err error) bool {
	return err == nil || errors.Is(err, model.ErrCommitted) || errors.Is(err, model.ErrUncertain)
}
