package write_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"cbkit/board"
	"cbkit/internal/dcdb"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var layouts = []write.SimpleLayout{write.SimpleV0, write.SimpleV1}

// fataler is what testing.T, testing.B and rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// writeSimple writes a source and returns what was lost.
func writeSimple(t fataler, path string, src model.Source, opt write.Options) []model.Loss {
	t.Helper()
	var losses []model.Loss
	opt.Force, opt.Report = true, func(l model.Loss) { losses = append(losses, l) }
	sink, err := write.CreateSimple(context.Background(), path, opt)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := model.Copy(context.Background(), sink, src, model.CopyOptions{}); err != nil {
		t.Fatalf("%v", err)
	}
	return losses
}

// openSimple opens a database in which nothing is wrong.
func openSimple(t fataler, path string) read.Database {
	t.Helper()
	db, err := read.Open(path, read.Options{Warn: func(err error) {
		t.Helper()
		t.Fatalf("warning: %v", err)
	}})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return db
}

func loadSimple(t fataler, path string) *model.Database {
	t.Helper()
	db := openSimple(t, path)
	defer db.Close()
	return loadSource(t, db)
}

func loadSource(t fataler, src model.Source) *model.Database {
	t.Helper()
	db, err := model.Load(context.Background(), src)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return db
}

// recordDifference explains where two games differ, "" if they do not.
func recordDifference(a model.Record, ea *model.Entities, b model.Record, eb *model.Entities) string {
	if model.EqualRecords(a, ea, b, eb) {
		return ""
	}
	return cmp.Diff(a.Game.Resolve(ea), b.Game.Resolve(eb))
}

// compareUnlessLost compares the records of two databases, where what was
// reported as lost is about one of them.
func compareUnlessLost(t fataler, want, got *model.Database, losses []model.Loss) (same int) {
	t.Helper()
	lost := map[model.RecordID]bool{}
	for _, l := range losses {
		lost[l.Record] = true
	}
	for i, r := range want.List {
		if lost[r.ID] {
			continue
		}
		same++
		if d := recordDifference(r, &want.Tables, got.List[i], &got.Tables); d != "" {
			t.Fatalf("record %d:\n%s", r.ID, d)
		}
	}
	return same
}

// What can be held comes back, in both layouts, and goes through again
// without a loss or a change.
func TestSimpleThereAndBack(t *testing.T) {
	for _, layout := range layouts {
		t.Run(layout.String(), func(t *testing.T) {
			path := filepath.Join(gen.Folder(t), "trip.dci")
			lossless := 0
			rapid.Check(t, func(t *rapid.T) {
				c := gen.Config{NoTexts: true, Kinds: []model.Kind{model.KindText, model.KindSymbols, model.KindSquares, model.KindArrows}}
				if rapid.Bool().Draw(t, "simple") {
					c.NameBytes, c.NoTags, c.Records = 10, true, 2
				}
				db := gen.Database(c).Draw(t, "database")
				losses := writeSimple(t, path, db, write.Options{Layout: layout, Chess960: true})
				once := loadSimple(t, path)
				if len(losses) == 0 {
					lossless++
				}
				if len(once.List) != len(db.List) {
					t.Fatalf("%d games became %d", len(db.List), len(once.List))
				}
				if len(losses) == 0 {
					compareUnlessLost(t, db, once, nil)
				}
				if losses := writeSimple(t, path, once, write.Options{Layout: layout, Chess960: true}); len(losses) > 0 {
					t.Fatalf("second trip: %v", losses)
				}
				compareUnlessLost(t, once, loadSimple(t, path), nil)
			})
			if lossless == 0 {
				t.Error("no database went through without a loss")
			}
		})
	}
}

// simpleFiles reads the files of a database.
func simpleFiles(t *testing.T, path string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, ext := range []string{".dci", ".dcn", ".dcs", ".dce", ".dcg"} {
		b := must.Get(os.ReadFile(strings.TrimSuffix(path, ".dci") + ext))(t)
		files[ext] = b
	}
	return files
}

// A copy of a database that the reference encoder wrote has its bytes.
func TestSimpleCopyOfReferenceFiles(t *testing.T) {
	for _, name := range []string{"edge", "ber83"} {
		from := corpus.Path(t, "dc-sample/"+name+".dci")
		src := openSimple(t, from)
		defer src.Close()
		path := filepath.Join(gen.Folder(t), name+".dci")
		if losses := writeSimple(t, path, src, write.Options{}); len(losses) > 0 {
			t.Errorf("%s: %v", name, losses)
		}
		want, got := simpleFiles(t, from), simpleFiles(t, path)
		for ext := range want {
			if !bytes.Equal(want[ext], got[ext]) {
				t.Errorf("%s%s differs", name, ext)
			}
		}
	}
}

// cut returns a name as 36 bytes hold it.
func cut(s string) string {
	for len(s) > 36 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return strings.TrimSpace(s)
}

func cutPlayer(p model.Player) model.Player { return model.ParsePlayer(cut(p.String())) }

// asSimple returns what the format holds of a game's header.
func asSimple(g model.ResolvedGame) model.ResolvedGame {
	g.White, g.Black = cutPlayer(g.White), cutPlayer(g.Black)
	g.Tournament = model.Tournament{Title: cut(g.Tournament.Title), Place: cut(g.Tournament.Place)}
	g.Annotator, g.Source, g.GameTitle = model.Annotator{}, model.Publication{}, model.GameTitle{}
	g.WhiteTeam, g.BlackTeam = model.Team{}, model.Team{}
	g.Subround, g.LineEvaluation, g.Tags = 0, 0, nil
	if g.Result.IsForfeit() {
		g.Result = map[model.Result]model.Result{model.WhiteWinsByForfeit: model.WhiteWins,
			model.BlackWinsByForfeit: model.BlackWins, model.DrawByForfeit: model.Draw}[g.Result]
	}
	if g.ECO != 0 {
		g.ECO = model.NewECO(g.ECO.Index(), 0)
	}
	return g
}

// count counts losses by kind and field.
func count(losses []model.Loss) map[string]int {
	counts := map[string]int{}
	for _, l := range losses {
		counts[string(l.Kind)+" "+l.Field]++
	}
	return counts
}

// PGN through both layouts is the same, moves and annotations, but for the
// header fields that the format does not have. All of these are reported.
func TestSimpleFromPGN(t *testing.T) {
	for _, f := range []struct {
		name   string
		losses map[string]int
	}{
		{"pgn/lichess-big.pgn", map[string]int{
			"cut event": 9, "field annotator": 1000, "field tournament": 25,
			"tag BlackRatingDiff": 521, "tag BlackTitle": 503, "tag Opening": 1000, "tag Site": 1000,
			"tag Termination": 1000, "tag TimeControl": 1000, "tag UTCDate": 1000, "tag UTCTime": 1000,
			"tag Variant": 1000, "tag WhiteRatingDiff": 521, "tag WhiteTitle": 736,
		}},
		{"dc-sample/edge.pgn", map[string]int{
			"cut event": 1, "cut player": 3, "cut site": 1, "field subround": 1,
			"field tournament": 6, "tag Date": 1, "tag Round": 2,
		}},
		{"dc-sample/ber83.pgn", map[string]int{}},
	} {
		for i, layout := range layouts {
			if testing.Short() && i > 0 && f.name == "pgn/lichess-big.pgn" {
				continue // it is large
			}
			t.Run(filepath.Base(f.name)+" "+layout.String(), func(t *testing.T) {
				games := must.Get(pgn.Open(pgn.ReaderOptions{}, corpus.Path(t, f.name)))(t)
				want := loadSource(t, games)
				path := filepath.Join(gen.Folder(t), "games.dci")
				losses := writeSimple(t, path, want, write.Options{Layout: layout})
				if d := cmp.Diff(f.losses, count(losses)); d != "" {
					t.Errorf("losses:\n%s", d)
				}
				compareAsSimple(t, want, loadSimple(t, path))
			})
		}
	}
}

// compareAsSimple compares all that the format holds.
func compareAsSimple(t *testing.T, want, got *model.Database) {
	t.Helper()
	if len(want.List) != len(got.List) {
		t.Fatalf("%d games became %d", len(want.List), len(got.List))
	}
	for i, r := range want.List {
		a, b := asSimple(r.Game.Resolve(&want.Tables)), got.List[i].Game.Resolve(&got.Tables)
		if !a.Equal(b) || r.Deleted != got.List[i].Deleted {
			t.Fatalf("record %d:\n%s", r.ID, cmp.Diff(a, b))
		}
	}
}

// Real ChessBase databases keep every line, in both layouts.
func TestSimpleFromChessBase(t *testing.T) {
	for _, name := range []string{"hedgehog/Hedgehog", "twic1134/twic1134"} {
		if testing.Short() && name == "twic1134/twic1134" {
			continue // it is large
		}
		for _, layout := range layouts {
			t.Run(filepath.Base(name)+" "+layout.String(), func(t *testing.T) {
				db := must.Get(read.Open(corpus.Path(t, "cbh/"+name+".cbh"), read.Options{}))(t)
				defer db.Close()
				dir := gen.Folder(t)
				there := filepath.Join(dir, "there.dci")
				losses := writeSimple(t, there, db, write.Options{Layout: layout})
				t.Log(count(losses))
				back := filepath.Join(dir, "back.cbh")
				simple := openSimple(t, there)
				defer simple.Close()
				sink := must.Get(write.Create(context.Background(), back, write.Options{}))(t)
				must.Do(t, model.Copy(context.Background(), sink, simple, model.CopyOptions{}))
				compareLines(t, loadSource(t, db), loadSimple(t, back))
			})
		}
	}
}

// compareLines compares starting positions and moves, with all variations.
func compareLines(t *testing.T, want, got *model.Database) {
	t.Helper()
	i, plies := 0, 0
	for _, r := range want.List {
		if r.Game == nil {
			continue
		}
		there := got.List[i]
		i++
		if r.Deleted != there.Deleted || r.Game.StartPosition() != there.Game.StartPosition() || !r.Game.Moves.Equal(&there.Game.Moves) {
			t.Errorf("record %d: other moves, or deleted where it was not", r.ID)
		}
		plies += r.Game.Moves.Len()
	}
	if i != len(got.List) || plies == 0 {
		t.Errorf("%d games with %d plies became %d", i, plies, len(got.List))
	}
}

// The files of the reference encoder hold the games of the PGN they were made
// from, but for what it lost: names longer than 36 bytes (their references are
// 0), rounds that are no number of 16 bits, years from 2100 on.
func TestSimpleReferenceFilesAndTheirPGN(t *testing.T) {
	for _, name := range []string{"edge", "ber83"} {
		games := must.Get(pgn.Open(pgn.ReaderOptions{}, corpus.Path(t, "dc-sample/"+name+".pgn")))(t)
		want, got := loadSource(t, games), loadSimple(t, corpus.Path(t, "dc-sample/"+name+".dci"))
		if len(want.List) != len(got.List) {
			t.Fatalf("%d games, the PGN has %d", len(got.List), len(want.List))
		}
		for i, r := range want.List {
			a := asReference(r.Game.Resolve(&want.Tables))
			b := got.List[i].Game.Resolve(&got.Tables)
			if !a.Equal(b) {
				t.Errorf("%s, game %d:\n%s", name, r.ID, cmp.Diff(a, b))
			}
		}
	}
}

// A copy has the bytes of the original, whatever the fields of entries and the
// bytes inside games are.
func TestSimpleCopyOfOddFiles(t *testing.T) {
	dir := gen.Folder(t)
	from, to := filepath.Join(dir, "from.dci"), filepath.Join(dir, "to.dci")
	rapid.Check(t, func(rt *rapid.T) {
		layout := rapid.SampledFrom(layouts).Draw(rt, "layout")
		c := gen.Config{NoTexts: true, NameBytes: 30}
		writeSimple(rt, from, gen.Database(c).Draw(rt, "database"), write.Options{Layout: layout, Chess960: true})
		files := simpleFiles(t, from)
		index, games := files[".dci"], files[".dcg"]
		sizes := dcdb.Layout(layout)
		for at := sizes.HeaderSize(); at < len(index); at += sizes.EntrySize() {
			// Status; round; results, ECO and what follows.
			for _, field := range []int{at, at + 17, at + 27 + rapid.IntRange(0, sizes.EntrySize()-28).Draw(rt, "field")} {
				if rapid.Bool().Draw(rt, "change") {
					index[field] = rapid.Byte().Draw(rt, "byte")
				}
			}
			if last := at + sizes.EntrySize(); last == len(index) && rapid.Bool().Draw(rt, "change game") {
				games[len(games)-1] = rapid.Byte().Draw(rt, "byte")
			}
		}
		for ext, b := range map[string][]byte{".dci": index, ".dcg": games} {
			if err := os.WriteFile(strings.TrimSuffix(from, ".dci")+ext, b, 0o600); err != nil {
				rt.Fatalf("%v", err)
			}
		}
		db, err := read.Open(from, read.Options{})
		if err != nil {
			rt.Fatalf("%v", err)
		}
		defer db.Close()
		if db.Count() > 0 && db.(*read.SimpleDB).Layout() != layout.String() {
			rt.Skip("so odd that it looks like another layout")
		}
		writeSimple(rt, to, db, write.Options{Chess960: true})
		for ext, got := range simpleFiles(t, to) {
			if !bytes.Equal(files[ext], got) {
				rt.Fatalf("%s differs:\n%x\n%x", ext, files[ext], got)
			}
		}
	})
}

// From the PGN that the reference encoder was given, the same games come out,
// byte for byte.
func TestSimpleGamesAreThoseOfTheReference(t *testing.T) {
	for _, name := range []string{"edge", "ber83"} {
		games := must.Get(pgn.Open(pgn.ReaderOptions{}, corpus.Path(t, "dc-sample/"+name+".pgn")))(t)
		path := filepath.Join(gen.Folder(t), name+".dci")
		writeSimple(t, path, games, write.Options{Layout: write.SimpleV0})
		want := simpleFiles(t, corpus.Path(t, "dc-sample/"+name+".dci"))
		if !bytes.Equal(simpleFiles(t, path)[".dcg"], want[".dcg"]) {
			t.Errorf("%s.dcg differs", name)
		}
	}
}

// asReference returns what the reference encoder holds of a game's header.
func asReference(g model.ResolvedGame) model.ResolvedGame {
	kept := func(s string) string {
		if len(s) > 36 {
			return ""
		}
		return s
	}
	if g.Subround != 0 {
		g.Round = 0
	}
	for _, tag := range g.Tags {
		if n, err := strconv.Atoi(tag.Value); err == nil && tag.Name == "Round" {
			g.Round = uint16(n)
		}
	}
	if g.Date.Year >= 2100 {
		g.Date.Year = 0
	}
	g.White, g.Black = model.ParsePlayer(kept(g.White.String())), model.ParsePlayer(kept(g.Black.String()))
	g.Tournament.Title, g.Tournament.Place = kept(g.Tournament.Title), kept(g.Tournament.Place)
	return asSimple(g)
}

// gameOf returns a game with the given moves.
func gameOf(start *model.Position, moves ...model.Move) *model.Game {
	g := &model.Game{Header: model.NewHeader(), Start: start}
	for _, m := range moves {
		g.Moves.Append(m)
	}
	return g
}

// Chess960 is left out unless asked for; then castling is the king taking its
// rook, also where the position is the standard one.
func TestSimpleChess960(t *testing.T) {
	for number, moves := range map[int][]model.Move{
		518: {model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6), model.NewMove(model.G2, model.G3),
			model.NewMove(model.G7, model.G6), model.NewMove(model.F1, model.G2), model.NewMove(model.F8, model.G7), model.NewCastling(model.E1, model.H1)},
		959: {},
	} {
		start := board.Chess960Start(number)
		start.Chess960 = true
		db := &model.Database{}
		db.AddGame(gameOf(nil))
		db.AddGame(gameOf(&start, moves...))
		for _, asked := range []bool{false, true} {
			path := filepath.Join(gen.Folder(t), "fischer.dci")
			losses := writeSimple(t, path, db, write.Options{Chess960: asked})
			got := loadSimple(t, path)
			if !asked {
				if len(got.List) != 1 || len(losses) != 1 || losses[0].Kind != model.LostRecord {
					t.Errorf("%d: %d games, %v", number, len(got.List), losses)
				}
				continue
			}
			if len(losses) != 0 {
				t.Errorf("%d: %v", number, losses)
			}
			compareAsSimple(t, db, got)
		}
	}
}

// Lengths around the limits of their forms, of comments and of whole games.
func TestSimpleLengths(t *testing.T) {
	db := &model.Database{}
	for _, middle := range []int{128, 256, 65536} {
		for n := middle - 12; n <= middle+3; n++ {
			g := gameOf(nil, model.NewMove(model.E2, model.E4))
			g.Annotate(0, model.Text{Text: strings.Repeat("x", n)})
			db.AddGame(g)
		}
	}
	for _, layout := range layouts {
		path := filepath.Join(gen.Folder(t), "lengths.dci")
		if losses := writeSimple(t, path, db, write.Options{Layout: layout}); len(losses) > 0 {
			t.Error(losses)
		}
		compareAsSimple(t, db, loadSimple(t, path))
	}
}

// What the format has no place for is said, once for each game or entity.
func TestSimpleLosses(t *testing.T) {
	db := &model.Database{}
	g := gameOf(nil, model.NewMove(model.E2, model.E5))
	e := &db.Tables
	g.White = e.Players.Intern(model.Player{LastName: strings.Repeat("x", 40)})
	g.Black = e.Players.Intern(model.Player{LastName: " blank"})
	g.Tournament = e.Tournaments.Intern(model.Tournament{Title: "?", Rounds: 9})
	g.Annotator = e.Annotators.Intern(model.Annotator{Name: "A"})
	g.Source = e.Sources.Intern(model.Publication{Title: "B"})
	g.BlackTeam = e.Teams.Intern(model.Team{Title: "C"})
	g.GameTitle = e.GameTitles.Intern(model.GameTitle{Titles: [8]string{"D"}})
	g.Date, g.Result, g.LineEvaluation = model.Date{Year: 2000, Month: 13}, model.BothLose, 10
	g.Round, g.Subround, g.ECO = 700, 3, model.NewECO(0, 5)
	g.Tags = []model.Tag{{Name: "Mode", Value: "OTB"}}
	g.Annotate(model.NoNode, model.Symbols{Move: 1})
	g.Annotate(model.NoNode, model.Medals(1))
	g.Annotate(model.NoNode, model.Text{Language: model.German, Text: "x"})
	db.AddGame(g)
	db.AddText(model.NewGuidingText())
	losses := writeSimple(t, filepath.Join(gen.Folder(t), "losses.dci"), played{db}, write.Options{})
	want := map[string]int{
		"cut player": 1, "changed player": 1, "field tournament": 1, "changed event": 1,
		"field annotator": 1, "field source": 1, "field black team": 1, "field game title": 1,
		"field date": 1, "field result": 1, "field line evaluation": 1, "field subround": 1, "field ECO": 1,
		"tag Mode": 1, "moves moves": 1, "record text": 1,
		"annotation symbols": 1, "annotation medals": 1, "changed annotations": 1,
	}
	if d := cmp.Diff(want, count(losses)); d != "" {
		t.Error(d)
	}
}

// Without the deleted games, names that nobody has any more go too.
func TestSimplePurge(t *testing.T) {
	dir := gen.Folder(t)
	db := &model.Database{}
	for _, name := range []string{"A", "B"} {
		g := gameOf(nil)
		g.White = db.Tables.Players.Intern(model.Player{LastName: name})
		db.AddGame(g)
	}
	db.List[0].Deleted = true
	path := filepath.Join(dir, "all.dci")
	writeSimple(t, path, db, write.Options{})
	src := openSimple(t, path)
	defer src.Close()
	sink := must.Get(write.CreateSimple(context.Background(), filepath.Join(dir, "purged.dci"), write.Options{Fresh: true}))(t)
	keep := func(r model.Record) bool { return !r.Deleted }
	must.Do(t, model.Copy(context.Background(), sink, src, model.CopyOptions{Keep: keep}))
	got := loadSimple(t, filepath.Join(dir, "purged.dci"))
	if len(got.List) != 1 || got.Tables.Players.Len() != 1 || got.Tables.Players.Value(got.List[0].Game.White).LastName != "B" {
		t.Errorf("%d games, %d players", len(got.List), got.Tables.Players.Len())
	}
	all := loadSimple(t, path)
	if !all.List[0].Deleted || all.List[1].Deleted {
		t.Error("the mark of deleted games is lost")
	}
}

// A database that is there is not replaced unless that is wanted, and nothing
// is left of one that was given up.
func TestSimpleCreate(t *testing.T) {
	dir := gen.Folder(t)
	path := filepath.Join(dir, "new.dci")
	db := &model.Database{}
	db.AddGame(gameOf(nil))
	writeSimple(t, path, db, write.Options{})
	if _, err := write.CreateSimple(context.Background(), filepath.Join(dir, "new"), write.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	sink := must.Get(write.CreateSimple(context.Background(), path, write.Options{Force: true}))(t)
	must.Do(t, sink.Begin(db), sink.Put(db.List[0]))
	if err := sink.Put(db.List[0]); err == nil {
		t.Error("the same record again")
	}
	must.Do(t, sink.Abort())
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 5 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	if len(loadSimple(t, path).List) != 1 {
		t.Error("the old database is gone")
	}
}
