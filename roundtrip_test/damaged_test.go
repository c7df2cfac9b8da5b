package roundtrip

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// One wrong size among the annotations of a game costs those behind it: the
// others are in PGN and in JSON Lines, and copies have the stored bytes.
func TestDamagedAnnotations(t *testing.T) {
	dir := gen.Folder(t)
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Moves.Append(model.NewMove(model.E7, model.E5))
	g.Annotate(0, model.Text{Text: "readable"})
	g.Annotate(1, model.Text{Text: "behind the damage"})
	sound := &model.Database{}
	sound.AddGame(g)
	throughChessBase(t, dir, sound)
	notes := filepath.Join(dir, "trip.cba")
	stored := must.Get(os.ReadFile(notes))(t)
	second := bytes.Index(stored, []byte("readable")) + len("readable")
	stored[second+5] = 3 // its size
	must.Do(t, os.WriteFile(notes, stored, 0o644))
	src := must.Get(read.Open(filepath.Join(dir, "trip.cbh"), read.Options{}))(t)
	defer src.Close()
	db := load(t, src)

	var text bytes.Buffer
	losses := transfer(t, db, func(report model.Report) (model.Sink, error) {
		return pgn.NewWriter(&text, pgn.WriterOptions{Report: report}), nil
	})
	if !strings.Contains(text.String(), "{readable}") {
		t.Errorf("PGN: %s", text.String())
	}
	if len(losses) != 1 || !strings.Contains(losses[0].What, "1 of 2 annotations could be read") {
		t.Errorf("losses: %v", losses)
	}
	there, _ := throughJSONL(t, dir, db)
	if d := difference(db, there); d != "" {
		t.Error(d)
	}
	if n := len(there.List[0].Game.Annotations); n != 1 || there.List[0].Game.AnnotationsErr == nil {
		t.Errorf("%d annotations", n)
	}
	for name, src := range map[string]model.Source{"copy": src, "again": there} {
		path := filepath.Join(dir, name+".cbh")
		losses := transfer(t, src, func(report model.Report) (model.Sink, error) {
			return write.Create(context.Background(), path, write.Options{Report: report})
		})
		if again, err := os.ReadFile(filepath.Join(dir, name+".cba")); err != nil || !bytes.Equal(again, stored) || len(losses) > 0 {
			t.Errorf("%s: %v, losses %v\nhave % x\nwant % x", name, err, losses, again, stored)
		}
	}
}
