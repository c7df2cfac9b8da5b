package roundtrip

import (
	"bytes"
	"context"
	"io"
	"iter"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// withoutSigns is a database that does not know the signs of its moves.
type withoutSigns struct{ *read.ChessBase }

func (db withoutSigns) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return db.ChessBase.Records(ctx, from, want&^model.WantSigns)
}

// PGN is the same whether the signs of the moves come from their decoder or are
// found on a board.
func TestPGNOfSigns(t *testing.T) {
	for _, name := range []string{"hedgehog/Hedgehog", "mate2/Mate2", "twic1134/twic1134"} {
		if testing.Short() && filepath.Base(name) == "twic1134" {
			continue // it is large
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			opened := must.Get(read.Open(corpus.Path(t, "cbh/"+name+".cbh"), read.Options{}))(t)
			defer opened.Close()
			db := opened.(*read.ChessBase)
			signs := 0
			for rec := range must.All(t, db.Records(t.Context(), 1, model.WantMoves|model.WantSigns)) {
				if g := rec.Game; g != nil && len(g.Signs) != g.Moves.Len() {
					t.Fatalf("record %d has %d signs of %d moves", rec.ID, len(g.Signs), g.Moves.Len())
				} else if g != nil {
					signs += len(g.Signs)
				}
			}
			if signs == 0 {
				t.Fatal("no signs")
			}
			for _, plain := range []bool{false, true} {
				if !bytes.Equal(written(t, db, plain), written(t, withoutSigns{db}, plain)) {
					t.Errorf("plain %v: not the same", plain)
				}
			}
		})
	}
}

// written returns a database as PGN.
func written(t *testing.T, src model.Source, plain bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w := pgn.NewWriter(&out, pgn.WriterOptions{Plain: plain, Deleted: true, AcceptLosses: true})
	must.Do(t, model.Copy(t.Context(), w, src, model.CopyOptions{}))
	return out.Bytes()
}

// An export takes one allocation for each text, which is a value of its own, and one
// for the texts of a game together; moves, signs and lists take none.
func TestExportAllocations(t *testing.T) {
	const games, texts = 3000, 20
	shuffle := []model.Move{model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6),
		model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8)}
	made := &model.Database{}
	for range games {
		g := model.NewGame()
		for node := range texts {
			g.Moves.Append(shuffle[node%len(shuffle)])
			g.Annotate(node, model.Text{Text: "[%eval 0.17] [%clk 0:03:00]"})
		}
		made.AddGame(g)
	}
	path := filepath.Join(gen.Folder(t), "made.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{}))(t)
	must.Do(t, model.Copy(t.Context(), sink, made, model.CopyOptions{}))
	db := must.Get(read.Open(path, read.Options{Jobs: 1}))(t)
	defer db.Close()
	for _, plain := range []bool{false, true} {
		n := testing.AllocsPerRun(3, func() {
			w := pgn.NewWriter(io.Discard, pgn.WriterOptions{Plain: plain, AcceptLosses: true})
			if err := model.Copy(t.Context(), w, db, model.CopyOptions{}); err != nil {
				t.Fatal(err)
			}
		})
		if n > games*(texts+2) {
			t.Errorf("plain %v: %.1f allocations a game of %d texts", plain, n/games, texts)
		}
	}
}
