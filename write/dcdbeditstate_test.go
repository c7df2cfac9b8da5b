package write_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"

	"pgregory.net/rapid"
)

// simplePool returns games that a Simple Chess Database holds as they are.
func simplePool(t *rapid.T, path, label string) *model.Database {
	c := gen.Config{NoTexts: true, NameBytes: 12, Records: 4, Plies: 40,
		Kinds: []model.Kind{model.KindText, model.KindSymbols, model.KindSquares, model.KindArrows}}
	writeSimple(t, path, gen.Database(c).Draw(t, label), write.Options{})
	once := loadSimple(t, path)
	for i, rec := range once.List {
		once.List[i] = bare(rec)
	}
	return once
}

// simpleState is a Simple Chess Database under change, and what it must hold.
type simpleState struct {
	t              *rapid.T
	path           string
	ed             *write.SimpleEditor
	now, committed []simpleGame
	pool           *model.Database
}

// simpleGame is a record with the tables that it refers to.
type simpleGame struct {
	rec  model.Record
	from *model.Entities
}

func (s *simpleState) must(what string, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
}

// any returns the id of a record, 0 if there is none.
func (s *simpleState) any(label string) model.RecordID {
	if len(s.now) == 0 {
		return 0
	}
	return model.RecordID(rapid.IntRange(1, len(s.now)).Draw(s.t, label))
}

func (s *simpleState) append() {
	s.must("append", s.ed.Append(context.Background(), s.pool, model.CopyOptions{}))
	for _, rec := range s.pool.List {
		s.now = append(s.now, simpleGame{rec, &s.pool.Tables})
	}
}

// change makes one change of one game.
func (s *simpleState) change(step int) {
	id := s.any("record")
	if id == 0 || len(s.pool.List) == 0 {
		return
	}
	it := &s.now[id-1]
	by := s.pool.List[rapid.IntRange(0, len(s.pool.List)-1).Draw(s.t, "by")]
	switch step {
	case 1:
		s.must("delete", s.ed.Delete(id))
		it.rec.Deleted = true
	case 2:
		s.must("undelete", s.ed.Undelete(id))
		it.rec.Deleted = false
	case 3:
		s.must("replace", s.ed.Replace(id, by, &s.pool.Tables))
		*it = simpleGame{model.Record{Game: by.Game, Deleted: it.rec.Deleted}, &s.pool.Tables}
	case 4:
		s.must("header", s.ed.SetHeader(id, by.Game.Header, &s.pool.Tables))
		g := *it.rec.Game
		g.Header = by.Game.Header
		*it = simpleGame{model.Record{Game: &g, Deleted: it.rec.Deleted}, &s.pool.Tables}
	case 5:
		s.must("annotations", s.ed.SetAnnotations(id, nil))
		g := *it.rec.Game
		g.Annotations = nil
		it.rec.Game = &g
	case 6:
		h, err := s.ed.Header(id)
		s.must("reading a header", err)
		s.must("the same header", s.ed.SetHeader(id, h, nil))
	}
}

// compare compares the database with what it must hold.
func (s *simpleState) compare() {
	got := loadSimple(s.t, s.path)
	if len(got.List) != len(s.now) {
		s.t.Fatalf("%d games, want %d", len(got.List), len(s.now))
	}
	for i, rec := range got.List {
		want := s.now[i].rec
		want.ID = rec.ID
		if d := recordDifference(want, s.now[i].from, rec, &got.Tables); d != "" || want.Deleted != rec.Deleted {
			s.t.Fatalf("record %d: deleted %v, want %v\n%s", rec.ID, rec.Deleted, want.Deleted, d)
		}
	}
	made := check.Simple(context.Background(), s.path, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if f.Severity == check.Error {
			s.t.Errorf("check: %v", f)
		}
	}
	_, err := made.Summary()
	s.must("check", err)
	report, err := check.VerifySimple(context.Background(), s.path, check.Options{})
	s.must("verify", err)
	if report.Failed() {
		s.t.Errorf("verify: %+v", report)
	}
}

// Whatever is done to a Simple Chess Database, in any order and in any number of
// transactions, it holds what it should, and check and verify find nothing.
func TestSimpleEditAnyScript(t *testing.T) {
	dir := gen.Folder(t)
	path, scratch := filepath.Join(dir, "db.dci"), filepath.Join(dir, "pool.dci")
	neighbours.Beside(t, path)
	rapid.Check(t, func(t *rapid.T) {
		first := simplePool(t, scratch, "database")
		writeSimple(t, path, first, write.Options{Layout: rapid.SampledFrom(layouts).Draw(t, "layout")})
		s := &simpleState{t: t, path: path, pool: simplePool(t, scratch, "records to add")}
		for _, rec := range first.List {
			s.now = append(s.now, simpleGame{rec, &first.Tables})
		}
		s.committed = slices.Clone(s.now)
		var err error
		s.ed, err = write.EditSimple(context.Background(), path, write.EditOptions{Memory: rapid.IntRange(0, 1).Draw(t, "memory")})
		s.must("open", err)
		defer func() { s.must("close", s.ed.Close()) }()
		s.play(rapid.IntRange(1, 12).Draw(t, "steps"))
		s.must("commit", s.ed.Commit())
		s.compare()
		s.must("close", s.ed.Close())
		if rapid.IntRange(0, 3).Draw(t, "compact") == 0 {
			s.compact(t)
		}
	})
}

// play makes so many changes.
func (s *simpleState) play(steps int) {
	for range steps {
		switch step := rapid.IntRange(0, 8).Draw(s.t, "step"); step {
		case 0:
			s.append()
		case 7:
			s.must("commit", s.ed.Commit())
			s.committed = slices.Clone(s.now)
			s.compare()
		case 8:
			s.must("rollback", s.ed.Rollback())
			s.now = slices.Clone(s.committed)
		default:
			s.change(step)
		}
	}
}

// compact removes the holes, and with the second step the deleted games.
func (s *simpleState) compact(t *rapid.T) {
	for range 2 {
		r, err := write.Compact(context.Background(), s.path, write.CompactOptions{})
		s.must("compact", err)
		if r.Records != len(s.now) || r.After > r.Before {
			t.Fatalf("%+v", r)
		}
		s.compare()
	}
	r, err := write.Compact(context.Background(), s.path, write.CompactOptions{DryRun: true, Purge: true})
	s.must("compact", err)
	s.now = slices.DeleteFunc(s.now, func(g simpleGame) bool { return g.rec.Deleted })
	if r.Holes != 0 || r.Records != len(s.now) {
		t.Fatalf("a compact database has %d bytes of holes; %d records would stay of %d", r.Holes, r.Records, len(s.now))
	}
	r, err = write.Compact(context.Background(), s.path, write.CompactOptions{Purge: true})
	s.must("purge", err)
	if r.Records != len(s.now) {
		t.Fatalf("%+v", r)
	}
	s.compare()
}

// What cannot be is refused, and the database is what it was.
func TestSimpleEditRefuses(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "db.dci")
	db := &model.Database{}
	db.AddGame(gameOf(nil, model.NewMove(model.E2, model.E4)))
	writeSimple(t, path, db, write.Options{})
	was := simpleFiles(t, path)
	ed := must.Get(write.EditSimple(context.Background(), path, write.EditOptions{}))(t)
	defer ed.Close()
	if _, err := write.EditSimple(context.Background(), path, write.EditOptions{}); err == nil || !strings.Contains(err.Error(), "writing") {
		t.Errorf("a second editor: %v", err)
	}
	text := model.NewGuidingText()
	bad := gameOf(nil)
	bad.Moves.Append(model.NewMove(model.E2, model.E6))
	other := gameOf(nil, model.NewMove(model.D2, model.D4))
	for what, err := range map[string]error{
		"deleting nothing":     ed.Delete(2),
		"undeleting nothing":   ed.Undelete(0),
		"a text":               ed.Replace(1, model.Record{Text: text}, nil),
		"an illegal move":      ed.Replace(1, model.Record{Game: bad}, nil),
		"another main line":    ed.Annotate(1, other),
		"a player out of them": ed.SetHeader(1, model.Header{White: 99}, nil),
	} {
		if err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	must.Do(t, ed.Commit())
	for name, content := range simpleFiles(t, path) {
		if string(content) != string(was[name]) {
			t.Errorf("%s has changed", name)
		}
	}
}

// simpleOf writes a database of some games and returns its path.
func simpleOf(t *testing.T, games int, opt write.Options) string {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "db.dci")
	db := &model.Database{}
	for i := range games {
		g := gameOf(nil, model.NewMove(model.E2, model.E4))
		g.White = db.Tables.Players.Intern(model.Player{LastName: string(rune('A' + i))})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Event", Place: "Site"})
		db.AddGame(g)
	}
	writeSimple(t, path, db, opt)
	return path
}

// appendOne appends a game by a new player to a database.
func appendOne(path string, report model.Report) error {
	db := &model.Database{}
	g := gameOf(nil, model.NewMove(model.D2, model.D4))
	g.White = db.Tables.Players.Intern(model.Player{LastName: "Appended"})
	g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Another", Place: "Place"})
	db.AddGame(g)
	ed, err := write.EditSimple(context.Background(), path, write.EditOptions{Report: report})
	if err == nil {
		err = ed.Append(context.Background(), db, model.CopyOptions{})
	}
	if err == nil {
		err = ed.Commit()
	}
	if ed != nil {
		err = errors.Join(err, ed.Close())
	}
	return err
}

// Odd files grow without changing what is in them.
func TestSimpleEditOddFiles(t *testing.T) {
	cutBy := func(ext string, n int64) func(t *testing.T, base string) {
		return func(t *testing.T, base string) {
			info := must.Get(os.Stat(base + ext))(t)
			must.Do(t, os.Truncate(base+ext, info.Size()-n))
		}
	}
	for name, c := range map[string]struct {
		spoil  func(t *testing.T, base string)
		games  int // afterwards, 0 if it is refused
		events bool
	}{
		"a short last name":  {cutBy(".dcn", 30), 4, true},
		"half an entry":      {cutBy(".dci", 20), 3, true},
		"no events":          {func(t *testing.T, base string) { must.Do(t, os.Remove(base+".dce")) }, 4, false},
		"a cut last game":    {cutBy(".dcg", 1), 0, true},
		"an unknown version": {func(t *testing.T, base string) { patch(t, base+".dci", 10, 7) }, 4, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := simpleOf(t, 3, write.Options{})
			c.spoil(t, strings.TrimSuffix(path, ".dci"))
			was := must.Get(read.Open(path, read.Options{}))(t)
			before := loadSource(t, was)
			was.Close()
			var losses []model.Loss
			err := appendOne(path, func(l model.Loss) { losses = append(losses, l) })
			if (err == nil) != (c.games > 0) || c.games == 0 && !errors.Is(err, model.ErrTruncated) {
				t.Fatal(err)
			}
			if c.games == 0 {
				return
			}
			db := must.Get(read.Open(path, read.Options{}))(t)
			defer db.Close()
			now := loadSource(t, db)
			if len(now.List) != c.games {
				t.Fatalf("%d games, want %d", len(now.List), c.games)
			}
			for i, rec := range before.List {
				if d := recordDifference(rec, &before.Tables, now.List[i], &now.Tables); d != "" {
					t.Errorf("record %d: %s", rec.ID, d)
				}
			}
			last := now.List[c.games-1].Game.Resolve(&now.Tables)
			if last.White.LastName != "Appended" || (last.Tournament.Title == "Another") != c.events || (len(losses) == 0) != c.events {
				t.Errorf("%+v; losses %v", last, losses)
			}
		})
	}
}

// patch changes a byte of a file.
func patch(t *testing.T, name string, at int, to byte) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil {
		b[at] = to
		err = os.WriteFile(name, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A reader that it overtakes says so.
func TestSimpleReaderIsOvertaken(t *testing.T) {
	path := simpleOf(t, 3, write.Options{})
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	must.Do(t, appendOne(path, nil))
	if _, err := db.Record(context.Background(), 1, model.WantAll); !errors.Is(err, model.ErrChanged) {
		t.Errorf("Record: %v", err)
	}
	for rec, err := range db.Records(context.Background(), 1, model.WantAll) {
		if !errors.Is(err, model.ErrChanged) {
			t.Errorf("record %d: %v", rec.ID, err)
		}
	}
}

// In place, a game is added, one marked as deleted, and a header changed.
func ExampleEditSimple() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "db.dci")
	games := pgn.NewReader(strings.NewReader("[White \"Tal\"]\n\n1. e4 e5 *\n\n[White \"Fischer\"]\n\n1. d4 *\n"), pgn.ReaderOptions{})
	sink, err := write.CreateSimple(context.Background(), path, write.Options{})
	if err == nil {
		err = model.Copy(context.Background(), sink, games, model.CopyOptions{})
	}
	if err != nil {
		log.Fatal(err)
	}

	ed, err := write.EditSimple(context.Background(), path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	more := pgn.NewReader(strings.NewReader("[White \"Spassky\"]\n\n1. c4 *\n"), pgn.ReaderOptions{})
	if err := ed.Append(context.Background(), more, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	h, err := ed.Header(1)
	if err != nil {
		log.Fatal(err)
	}
	h.WhiteElo = 2700
	if err := errors.Join(ed.SetHeader(1, h, nil), ed.Delete(2), ed.Commit()); err != nil {
		log.Fatal(err)
	}
	r := ed.Result()
	fmt.Println(ed.Count(), "games;", r.Appended, "appended,", r.Set, "changed,", r.Deleted, "deleted")
	// Output: 3 games; 1 appended, 1 changed, 1 deleted
}

// Games of Chess960 are added when asked for, else they are losses.
func TestSimpleEditChess960(t *testing.T) {
	start := must.Get(board.ParseModel960("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"))(t)
	db := &model.Database{}
	db.AddGame(gameOf(&start, model.NewMove(model.E2, model.E4)))
	for _, asked := range []bool{false, true} {
		path := simpleOf(t, 1, write.Options{})
		lost := 0
		ed := must.Get(write.EditSimple(context.Background(), path, write.EditOptions{Chess960: asked, Report: func(model.Loss) { lost++ }}))(t)
		must.Do(t, ed.Append(context.Background(), db, model.CopyOptions{}), ed.Commit(), ed.Close())
		if got := len(loadSimple(t, path).List) == 2; got != asked || (lost == 0) != asked {
			t.Errorf("asked for: %v, added: %v, %d losses", asked, got, lost)
		}
	}
}
