package roundtrip

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// goldenFolder holds what our encoders wrote, checked in.
const goldenFolder = "../testdata/golden"

// goldenDatabase is the source of all golden files: games with everything in
// them, and a guiding text.
func goldenDatabase(t *testing.T) *model.Database {
	t.Helper()
	games := must.Get(pgn.Open(pgn.ReaderOptions{}, filepath.Join(goldenFolder, "source.pgn")))(t)
	db := load(t, games)
	decorate(db.List[0].Game)
	db.List[1].Deleted = true
	text := model.NewGuidingText()
	text.Tournament = db.List[0].Game.Tournament
	text.Titles = []model.LocalText{{Language: model.English, Text: "Introduction"}, {Language: model.German, Text: "Einführung"}}
	text.Contents = []model.LocalText{{Language: model.English, Text: "Two lines\nof plain text"}}
	text.Media = []string{"1.bmp"}
	db.AddText(text)
	return db
}

// decorate adds an annotation of every kind.
func decorate(g *model.Game) {
	for node, v := range []model.Value{
		model.TimeSpent{Minutes: 3, Seconds: 20}, model.CriticalOpening, model.PawnStructure(3),
		model.PiecePath{Mode: 3, Square: model.E4}, model.VariationColor{Red: 128, Blue: 128},
		model.Training{Seconds: 60, Points: 5, Question: []model.TrainingText{{Language: model.English, Text: "Your move?"}},
			Solutions: []model.Solution{{From: model.G1, To: model.F3, Points: 5}}},
		model.Quotation{White: "Tal,M", Black: "Aronin,L", Event: "URS-ch24", Site: "Moscow", Result: model.WhiteWins,
			Date: model.Date{Year: 1957}, WithMoves: true, Moves: []model.Move{model.NewMove(model.E2, model.E4)}},
		model.Engine{Value: 81, Depth: 28}, model.VideoTime(53914), model.WebLink{URL: "https://example.org/", Caption: "an example"},
		model.Opaque{Format: "cbh", Type: 8, Data: []byte{1, 2, 3, 4}},
	} {
		g.Annotate(node, v)
	}
	g.Annotate(model.NoNode, model.Medals(1<<6))
	g.Annotate(model.NoNode, model.TimeControl{{Start: 720000, Increment: 3000, Moves: 40, Kind: 1}})
	g.Annotate(model.NoNode, model.Evaluations{{Value: 20, Depth: 18}, {Kind: model.MateInPlies, Value: -15, Depth: 9}})
	g.Annotate(model.NoNode, model.Clock{Player: model.Black, Centiseconds: 5400})
}

// goldenFiles encodes the database in every format.
func goldenFiles(t *testing.T) map[string][]byte {
	t.Helper()
	db, files := goldenDatabase(t), map[string][]byte{}
	put := func(sink model.Sink) {
		t.Helper()
		must.Do(t, model.Copy(context.Background(), sink, db, model.CopyOptions{}))
	}
	dir := gen.Folder(t)
	sink, err := write.Create(context.Background(), filepath.Join(dir, "golden.cbh"), write.Options{AcceptLosses: true,
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	put(sink)
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		files[e.Name()] = must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
	}
	var text, lines bytes.Buffer
	put(pgn.NewWriter(&text, pgn.WriterOptions{Deleted: true, AcceptLosses: true}))
	put(jsonl.NewWriter(&lines, jsonl.WriterOptions{AcceptLosses: true}))
	files["golden.pgn"], files["golden.jsonl"] = text.Bytes(), lines.Bytes()
	return files
}

// Bytes that our encoders must not change by accident. When they change on
// purpose, run go test ./roundtrip_test -update and look at the difference.
func TestGoldenFiles(t *testing.T) {
	for name, got := range goldenFiles(t) {
		path := filepath.Join(goldenFolder, name)
		if *update {
			must.Do(t, os.WriteFile(path, got, 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, not the %d that are checked in", name, len(got), len(want))
		}
	}
}

// The golden files of every format say the same.
func TestGoldenFilesAgree(t *testing.T) {
	db := goldenDatabase(t)
	for _, f := range formats[:2] { // those that hold everything
		there, losses := f.trip(t, gen.Folder(t), db)
		for _, l := range losses {
			t.Errorf("%s: lost: %v", f.name, l)
		}
		if d := difference(db, there); d != "" {
			t.Errorf("%s:\n%s", f.name, d)
		}
	}
}
