package write_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"

	"github.com/google/go-cmp/cmp"
)

// create writes a source to a new database and returns the path.
func create(t *testing.T, src model.Source, opt write.Options) string {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "new.cbh")
	opt.Now = clock
	sink := must.Get(write.Create(context.Background(), path, opt))(t)
	must.Do(t, model.Copy(context.Background(), sink, src, model.CopyOptions{}))
	return path
}

// The files of an empty database are those that ChessBase wrote, but for what
// its version of the time did otherwise: no .cbl, an older .cbj and .cbtt, and
// remains of memory in header tails. (docs/formats/real-databases.md 1)
func TestEmptyDatabase(t *testing.T) {
	path := create(t, &model.Database{}, write.Options{})
	older := map[string]bool{".cbj": true, ".cbtt": true, ".cbl": true}
	for _, ext := range []string{".cbh", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbe", ".cbm", ".cbl", ".cbj", ".cbtt"} {
		got := readFile(t, strings.TrimSuffix(path, ".cbh")+ext)
		if older[ext] {
			continue
		}
		want := readFile(t, corpus.Path(t, "cbh/small/small"+ext))
		if ext == ".cbm" {
			clear(want[16:]) // garbage
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", ext, got, want)
		}
	}
}

func TestCreateRefusesAndReplaces(t *testing.T) {
	path := create(t, oneGame("first"), write.Options{})
	if _, err := write.Create(context.Background(), path, write.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing database: %v", err)
	}
	stale := strings.TrimSuffix(path, ".cbh") + ".cit"
	must.Do(t, os.WriteFile(stale, []byte("stale booster"), 0o644))
	sink := must.Get(write.Create(context.Background(), path, write.Options{Force: true}))(t)
	must.Do(t, sink.Begin(oneGame("second")))
	if name := whitePlayer(t, path); name != "first" {
		t.Errorf("before Commit the database has %q", name)
	}
	if err := sink.Abort(); err != nil {
		t.Error(err)
	}
	if name := whitePlayer(t, path); name != "first" {
		t.Errorf("after Abort the database has %q", name)
	}
	sink = must.Get(write.Create(context.Background(), path, write.Options{Force: true}))(t)
	must.Do(t, model.Copy(context.Background(), sink, oneGame("second"), model.CopyOptions{}))
	if name := whitePlayer(t, path); name != "second" {
		t.Errorf("after Commit the database has %q", name)
	}
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the booster of the old database is still there: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 12 {
		t.Errorf("%d files, want the 12 of a database", len(entries))
	}
}

// oneGame returns a database with one game.
func oneGame(white string) *model.Database {
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: white})
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	db.AddGame(g)
	return db
}

// whitePlayer opens a database and returns who plays White in game 1.
func whitePlayer(t *testing.T, path string) string {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	rec := must.Get(db.Record(context.Background(), 1, model.WantHeaders))(t)
	return db.Entities().Players.Value(rec.Game.White).LastName
}

// The first game numbers its entities as a new ChessBase database does, and
// the counts say who is mentioned how often.
func TestFirstGame(t *testing.T) {
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: "Z"})
	g.Black = g.White
	db.AddGame(g)
	db.AddGame(&model.Game{Header: model.NewHeader()})
	path := create(t, db, write.Options{})
	players := readFile(t, strings.TrimSuffix(path, ".cbh")+".cbp")
	// Header 32 bytes, records of 67; count and first game end a record.
	for id, want := range []struct {
		name         byte
		count, first byte
	}{{'Z', 2, 1}, {0, 2, 2}} {
		rec := players[32+67*id : 32+67*(id+1)]
		if rec[9] != want.name || rec[59] != want.count || rec[63] != want.first {
			t.Errorf("player %d: name %q, count %d, first %d", id, rec[9], rec[59], rec[63])
		}
	}
	if readFile(t, strings.TrimSuffix(path, ".cbh")+".cbe")[0] != 0 {
		t.Error("a game without teams made a team")
	}
}

func TestPutWantsAscendingIDs(t *testing.T) {
	sink := must.Get(write.Create(context.Background(), filepath.Join(gen.Folder(t), "x"), write.Options{}))(t)
	defer sink.Abort()
	db := oneGame("x")
	must.Do(t, sink.Begin(db))
	for _, c := range []struct {
		id model.RecordID
		ok bool
	}{{1, true}, {1, false}, {7, true}, {3, false}} {
		rec := db.List[0]
		rec.ID = c.id
		if err := sink.Put(rec); (err == nil) != c.ok {
			t.Errorf("id %d: %v", c.id, err)
		}
	}
}

func TestLossesAreReported(t *testing.T) {
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: strings.Repeat("x", 31)})
	g.Round, g.Date = 300, model.Date{Year: 5000}
	g.LineEvaluation, g.Result = 14, model.Draw
	g.Tags = []model.Tag{{Name: "Opening", Value: "Sokolsky"}}
	start := model.StartPosition()
	start.HalfMoves, start.FullMove = 7, 300
	g.Start = &start
	db.AddGame(g)
	_, losses := trip(t, gen.Folder(t), db, write.Options{})
	fields := map[string]int{}
	for _, l := range losses {
		fields[l.Field]++
		if l.Record != 1 {
			t.Errorf("%v names record %d", l, l.Record)
		}
	}
	for _, want := range []string{"player last name", "round", "date", "line evaluation", "Opening"} {
		if fields[want] != 1 {
			t.Errorf("%q was reported %d times: %v", want, fields[want], losses)
		}
	}
	if len(losses) != 7 {
		t.Errorf("%d losses, want 7: %v", len(losses), losses)
	}
}

// played is a source that claims to have played its moves.
type played struct{ model.Source }

func (played) LegalMoves() bool { return true }

// A game that the format cannot hold is written without its moves and
// reported; the others are not touched by it.
func TestImpossibleMovesAreReported(t *testing.T) {
	db := oneGame("sound")
	illegal := &model.Game{Header: model.NewHeader()}
	illegal.Moves.Append(model.NewMove(model.E2, model.E5))
	db.AddGame(illegal)
	kings := model.StartPosition()
	kings.Board[model.E5] = model.WhiteKing
	db.AddGame(&model.Game{Header: model.NewHeader(), Start: &kings})
	stale := &model.Game{Header: model.NewHeader()}
	stale.Moves.Append(model.NewMove(model.D2, model.D4))
	stale.Leftovers.Moves = &model.Leftover{Format: "cbh", Data: []byte("the form of another game")}
	db.AddGame(stale)

	again, losses := trip(t, gen.Folder(t), played{db}, write.Options{})
	if len(losses) != 2 || losses[0].Kind != model.LostMoves || losses[0].Record != 2 || losses[1].Record != 3 {
		t.Errorf("losses: %v", losses)
	}
	for i, want := range []int{1, 0, 0, 1} {
		if n := again.List[i].Game.Moves.Len(); n != want {
			t.Errorf("game %d has %d moves, want %d", i+1, n, want)
		}
	}
}

// A move that the format cannot hold costs what comes after it, and nothing
// else: neither the start nor the other lines with their annotations.
func TestImpossibleMovesAreCut(t *testing.T) {
	start := must.Get(board.ParseModel960("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1"))(t)
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader(), Start: &start}
	g.Moves.Append(model.NewCastling(model.E1, model.B1)) // the record names the other rook
	db.AddGame(g)

	// 1.e4 e5 (1...c5 2.Nf3 d6) 2.Ra5 with an alternative 2.d4, and 2...d6
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	e5 := b.Add(e4, model.NewMove(model.E7, model.E5))
	ra5 := b.Add(e5, model.NewMove(model.A1, model.A5))
	b.Add(ra5, model.NewMove(model.D7, model.D6))
	d4 := b.Add(e5, model.NewMove(model.D2, model.D4))
	c5 := b.Add(e4, model.NewMove(model.C7, model.C5))
	g = &model.Game{Header: model.NewHeader()}
	order := b.Build(&g.Moves)
	g.Annotate(model.NoNode, model.Medals(1))
	for _, n := range []int{e4, ra5, d4, c5} {
		g.Annotate(int(order[n]), model.PawnStructure(uint8(n)))
	}
	db.AddGame(g)

	again, losses := trip(t, gen.Folder(t), played{db}, write.Options{})
	var told []string
	for _, l := range losses {
		told = append(told, l.String())
	}
	want := []string{
		"record 1: moves: e1c1 at ply 1 is left out: move 1: castling with another rook than the start position names: unsupported",
		"record 2: moves: a1a5 at ply 3 is left out with 1 after it; the alternative d2d4 takes its place: move 3: illegal move a1a5 in " +
			"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2: corrupt",
		"record 2: pawn-structure: its move is lost",
	}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
	if got := again.List[0].Game; got.Moves.Len() != 0 || got.StartPosition() != start {
		t.Errorf("%d moves from %v", got.Moves.Len(), got.Start)
	}
	var tree model.Tree
	at := tree.AddStored(model.NoNode, model.NewMove(model.E2, model.E4))
	next := tree.AddStored(at, model.NewMove(model.E7, model.E5))
	tree.AddStored(next, model.NewMove(model.D2, model.D4))
	tree.AddStored(at, model.NewMove(model.C7, model.C5))
	got := again.List[1].Game
	if !got.Moves.Equal(&tree) {
		t.Errorf("the moves are %v", got.Moves.Nodes())
	}
	var notes []string
	for _, a := range got.Annotations {
		notes = append(notes, fmt.Sprint(a.Node, a.Value))
	}
	if d := cmp.Diff([]string{"-1 1", fmt.Sprint(0, model.PawnStructure(e4)), fmt.Sprint(2, model.PawnStructure(d4)), fmt.Sprint(3, model.PawnStructure(c5))}, notes); d != "" {
		t.Error(d)
	}
}

// A text that is too large is written without content, and the records behind
// it are written.
func TestOversizedTextIsReported(t *testing.T) {
	db := &model.Database{}
	text := model.NewGuidingText()
	text.Titles = []model.LocalText{{Language: model.English, Text: "Title"}}
	text.Contents = []model.LocalText{{Language: model.English, Text: strings.Repeat("x", 1<<24)}}
	db.AddText(text)
	db.AddGame(&model.Game{Header: model.NewHeader()})
	again, losses := trip(t, gen.Folder(t), db, write.Options{})
	if len(losses) != 1 || losses[0].Record != 1 || losses[0].Field != "content" {
		t.Errorf("losses: %v", losses)
	}
	if len(again.List) != 2 || len(again.List[0].Text.Titles) != 1 || len(again.List[0].Text.Contents) != 0 {
		t.Errorf("%+v", again.List)
	}
}

// What was stored of a record that could not be decoded is not written any more
// once the reason is taken away.
func TestStoredBytesOfDamageThatIsGone(t *testing.T) {
	db := &model.Database{}
	text := model.NewGuidingText()
	text.Leftovers.Content = &model.Leftover{Format: "cbh", Data: []byte{1, 0x80, 0, 0, 6, 9, 9}}
	db.AddText(text)
	g := &model.Game{Header: model.NewHeader()}
	damaged := []byte{0, 0, 0, 2, 0, 0, 2, 1, 0, 0xE, 0xE, 0, 0, 2, 0, 0, 0, 20, 0, 0, 0, 3, 0, 1}
	g.Leftovers.Annotations = &model.Leftover{Format: "cbh", Data: damaged}
	db.AddGame(g)
	again, losses := trip(t, gen.Folder(t), db, write.Options{})
	if len(losses) != 0 || again.List[0].Text.ContentErr != nil || again.List[1].Game.AnnotationsErr != nil {
		t.Errorf("losses %v, %v, %v", losses, again.List[0].Text.ContentErr, again.List[1].Game.AnnotationsErr)
	}
}
