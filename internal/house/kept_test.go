package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cbkit"
	"cbkit/internal/stale"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

// manyGames are more games than any reader holds at a time, of which no two are
// equal.
func manyGames(n int) *model.Database {
	db := &model.Database{}
	for i := range n {
		g := model.NewGame()
		g.White = db.Tables.Players.Intern(model.Player{LastName: fmt.Sprint("Player ", i)})
		g.Black = db.Tables.Players.Intern(model.Player{LastName: "Somebody"})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Anywhere"})
		g.Date, g.WhiteElo, g.Result = model.Date{Year: uint16(2000 + i%20)}, uint16(1000+i), model.WhiteWins
		g.Moves.Append(model.NewMove(model.Square(8+i%8), model.Square(16+i%8)))
		db.AddGame(g)
	}
	return db
}

// Records of every format can be kept by model.Kept and model.Games. Kept without a
// copy they are others later: where the race detector watches, at once.
func TestKeptRecords(t *testing.T) {
	dir, want := gen.Folder(t), manyGames(700)
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.jsonl"} {
		path := filepath.Join(dir, name)
		must.Do(t, cbkit.Save(t.Context(), path, want, cbkit.SaveOptions{Report: func(model.Loss) {}}))
		src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
		defer src.Close()
		var kept, bare []model.Record
		for rec := range must.All(t, model.Games(t.Context(), src, model.WantAll)) {
			kept = append(kept, rec)
		}
		for rec := range must.All(t, src.Records(t.Context(), 1, model.WantAll)) {
			bare = append(bare, rec)
		}
		spoiled := 0
		for i, rec := range kept {
			elo := uint16(1000 + i)
			if rec.Game.WhiteElo != elo || rec.Game.Moves.Move(0) != want.List[i].Game.Moves.Move(0) || src.Entities().Players.Value(rec.Game.White).LastName != fmt.Sprint("Player ", i) {
				t.Fatalf("%s: game %d is %v", name, i+1, rec.Game)
			}
			if bare[i].Game.WhiteElo != elo {
				spoiled++
			}
		}
		if len(kept) != 700 || stale.Overwrites && spoiled < 699 {
			t.Errorf("%s: %d games; %d records kept without a copy are others", name, len(kept), spoiled)
		}
	}
}

// A game that NewGame has not made is refused wherever it comes in, and one whose
// names all have the number 0 is not.
func TestGamesNotMade(t *testing.T) {
	db := &model.Database{}
	first := model.NewGame()
	first.White = db.Tables.Players.Intern(model.Player{LastName: "Only"})
	first.Black, first.Tournament = first.White, db.Tables.Tournaments.Intern(model.Tournament{Title: "One"})
	first.Annotator, first.Source = db.Tables.Annotators.Intern(model.Annotator{Name: "A"}), db.Tables.Sources.Intern(model.Publication{Title: "S"})
	first.WhiteTeam = db.Tables.Teams.Intern(model.Team{Title: "T"})
	first.BlackTeam, first.GameTitle = first.WhiteTeam, db.Tables.GameTitles.Intern(model.GameTitle{Titles: [8]string{"t"}})
	db.AddGame(first)
	accepted := cbkit.SaveOptions{Report: func(model.Loss) {}}
	dir := gen.Folder(t)
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.jsonl"} {
		if err := cbkit.Save(t.Context(), filepath.Join(dir, name), db, accepted); err != nil {
			t.Errorf("%s: a game whose ids are 0: %v", name, err)
		}
	}
	wrong := []model.Record{{ID: 2, Game: &model.Game{}}, {ID: 2, Text: &model.GuidingText{}}}
	for _, rec := range wrong {
		bad := &model.Database{Tables: db.Tables.Clone(), List: []model.Record{db.List[0], rec}}
		for _, name := range []string{"e.cbh", "f.dci", "g.pgn", "h.jsonl"} {
			if err := cbkit.Save(t.Context(), filepath.Join(dir, name), bad, accepted); !errors.Is(err, model.ErrNotMade) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	ed := must.Get(write.Edit(context.Background(), filepath.Join(dir, "a.cbh"), write.EditOptions{}))(t)
	defer ed.Close()
	simple := must.Get(write.EditSimple(context.Background(), filepath.Join(dir, "b.dci"), write.EditOptions{}))(t)
	defer simple.Close()
	for what, err := range map[string]error{
		"Replace":            ed.Replace(1, wrong[0], nil),
		"SetHeader":          ed.SetHeader(1, model.Header{}, nil),
		"SetTextHeader":      ed.SetTextHeader(1, wrong[1].Text, nil),
		"simple Replace":     simple.Replace(1, wrong[0], nil),
		"simple SetHeader":   simple.SetHeader(1, model.Header{}, nil),
		"Append":             ed.Append(t.Context(), &model.Database{List: wrong[:1]}, model.CopyOptions{}),
		"simple Append":      simple.Append(t.Context(), &model.Database{List: wrong[:1]}, model.CopyOptions{}),
		"Append of one text": ed.Append(t.Context(), &model.Database{List: wrong[1:]}, model.CopyOptions{}),
	} {
		if !errors.Is(err, model.ErrNotMade) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if h, err := ed.Header(1); err != nil || ed.SetHeader(1, h, nil) != nil {
		t.Errorf("a header that was read is not taken back: %v", err)
	}
}

// A copy from Open refuses what a copy from the package of the format refuses: a
// database that was cut. And Open finds single records.
func TestSourcePassesOn(t *testing.T) {
	dir := gen.Folder(t)
	path := filepath.Join(dir, "Cut.cbh")
	must.Do(t, cbkit.Save(t.Context(), path, manyGames(40), cbkit.SaveOptions{}))
	info := must.Get(os.Stat(path))(t)
	must.Do(t, os.Truncate(path, info.Size()-5*46))
	src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
	defer src.Close()
	sink := pgn.NewWriter(io.Discard, pgn.WriterOptions{})
	if err := model.Copy(t.Context(), sink, src, model.CopyOptions{}); !errors.Is(err, model.ErrTruncated) {
		t.Errorf("a cut database is copied: %v", err)
	}
	if !src.LegalMoves() {
		t.Error("the moves of a database were looked at, and are not said to be legal")
	}
	text := filepath.Join(dir, "a.pgn")
	must.Do(t, cbkit.Save(t.Context(), text, manyGames(40), cbkit.SaveOptions{}))
	games := must.Get(cbkit.Open(text, cbkit.Options{}))(t)
	defer games.Close()
	for _, s := range []*cbkit.Source{src, games} {
		if rec, err := s.Record(t.Context(), 17, model.WantHeaders); err != nil || rec.ID != 17 || rec.Game.WhiteElo != 1016 {
			t.Errorf("record 17 of %s: %v, %v", s.Format(), rec, err)
		}
		for _, id := range []model.RecordID{0, -1, 41, 1 << 30} {
			if _, err := s.Record(t.Context(), id, model.WantHeaders); !errors.Is(err, model.ErrNoRecord) {
				t.Errorf("record %d of %s: %v", id, s.Format(), err)
			}
		}
	}
}

// A writer that was forgotten, without Commit or Abort, still has the name: whoever
// asks next is told that, also after its memory was given back.
func TestForgottenWriter(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "a.cbh")
	must.Get(write.Create(context.Background(), path, write.Options{}))(t)
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	_, err := write.Create(context.Background(), path, write.Options{})
	if !errors.Is(err, model.ErrLocked) || !strings.Contains(err.Error(), "this process") {
		t.Errorf("%v", err)
	}
}

// What is not there is named: an empty name, and a folder.
func TestMissingIsNamed(t *testing.T) {
	if _, err := cbkit.Open("", cbkit.Options{}); !errors.Is(err, model.ErrOption) || !strings.Contains(err.Error(), "empty") {
		t.Errorf("%v", err)
	}
	nowhere := filepath.Join(gen.Folder(t), "nowhere")
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.jsonl"} {
		err := cbkit.Save(t.Context(), filepath.Join(nowhere, name), manyGames(1), cbkit.SaveOptions{})
		if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "lock") || !strings.Contains(err.Error(), nowhere+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
