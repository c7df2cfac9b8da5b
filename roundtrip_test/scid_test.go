package roundtrip

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// What a database of Scid gives back is what PGN for people gives back, without what it
// has no place for.
func TestScidIsPlain(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		db := gen.Database(gen.Config{NoChess960: true, TextBytes: 60}).Draw(t, "db")
		path := filepath.Join(dir, "Games.si4")
		var lost []model.RecordID
		sink, err := write.CreateScid(ctx, path, write.Options{Force: true, Report: func(l model.Loss) {
			if l.Kind == model.LostRecord {
				lost = append(lost, l.Record)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := model.Copy(ctx, sink, db, model.CopyOptions{}); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		keep := func(rec model.Record) bool { return !slices.Contains(lost, rec.ID) }
		w := pgn.NewWriter(&text, pgn.WriterOptions{Plain: true, Deleted: true, AcceptLosses: true})
		if err := model.Copy(ctx, w, db, model.CopyOptions{Keep: keep}); err != nil {
			t.Fatal(err)
		}
		src, err := read.Open(path, read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		got, want := plainGames(t, src), plainGames(t, pgn.NewReader(&text, pgn.ReaderOptions{}))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(model.Symbols{})); diff != "" {
			var lines []byte
			for rec := range db.Records(ctx, 1, model.WantAll) {
				lines = append(jsonl.AppendRecord(lines, rec, db.Entities()), '\n')
			}
			t.Fatalf("%s\n%s", diff, lines)
		}
	})
}

// plainGames are the games of a source by value.
func plainGames(t *rapid.T, src model.Source) (list []model.ResolvedGame) {
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves|model.WantAnnotations) {
		if err != nil || len(rec.Faults()) > 0 {
			t.Fatal(rec.ID, err, rec.Faults())
		}
		g := rec.Clone().Game
		g.Leftovers = model.GameLeftovers{}
		if g.Result == model.BothLose { // which Scid has not
			g.Result = model.NoResult
		}
		if g.Date.Year > 2047 {
			g.Date.Year = 0
		}
		for i, a := range g.Annotations {
			if s, is := a.Value.(model.Symbols); is {
				g.Annotations[i].Value = asScid(s)
			}
		}
		list = append(list, g.Resolve(src.Entities()))
	}
	return list
}

// asScid returns the symbols that Scid has: one that judges the move, in front, and one
// that judges the position.
func asScid(s model.Symbols) model.Value {
	var move, position, rest []model.NAG
	for _, n := range s.NAGs() {
		switch {
		case n >= 1 && n <= 6:
			move = append(move, n)
		case n >= 10 && n <= 21:
			if len(position) == 0 {
				rest = append(rest, n)
			}
			position = append(position, n)
		default:
			rest = append(rest, n)
		}
	}
	var out model.Symbols
	for _, n := range append(move[:min(1, len(move))], rest...) {
		out.Add(n)
	}
	return out.Value()
}
