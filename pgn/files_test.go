package pgn

import (
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/model"
)

// TestCorpus reads real files, writes them and reads them again: there is no
// error, no loss, and no difference.
func TestCorpus(t *testing.T) {
	for _, file := range []struct {
		name  string
		games int
	}{
		{"pgn/lichess-big.pgn", 1000},
		{"pgn/eco.pgn", 2014},
		{"dc-sample/edge.pgn", 15},
	} {
		t.Run(file.name, func(t *testing.T) {
			text := corpus.Read(t, file.name)
			db := readAll(t, text)
			if len(db.List) != file.games {
				t.Errorf("%d games, want %d", len(db.List), file.games)
			}
			written, losses := writeAll(t, db, WriterOptions{})
			if len(losses) != 0 {
				t.Errorf("%d losses, the first: %v", len(losses), losses[0])
			}
			again := readAll(t, written)
			if !model.Equal(db, again) {
				t.Error("the games read back otherwise")
			}
			if twice, _ := writeAll(t, again, WriterOptions{}); string(twice) != string(written) {
				t.Error("the second trip changed something")
			}
		})
	}
}

// TestCorpusLichess counts what is in the games of lichess.
func TestCorpusLichess(t *testing.T) {
	text := corpus.Read(t, "pgn/lichess-big.pgn")
	texts, symbols, starts, urls := 0, 0, 0, 0
	for _, rec := range readAll(t, text).List {
		for _, a := range rec.Game.Annotations {
			switch a.Value.(type) {
			case model.Text:
				texts++
			case model.Symbols:
				symbols++
			default:
				t.Fatalf("game %d: %v", rec.ID, a)
			}
		}
		if rec.Game.Start != nil {
			starts++
		}
		if rec.Game.Tag("Site") != "" {
			urls++
		}
	}
	// Counted by a script that only knows braces, brackets and words.
	if texts != 74_721 || symbols != 7443 || starts != 22 || urls != 1000 {
		t.Errorf("%d texts, %d symbols, %d starts, %d URLs", texts, symbols, starts, urls)
	}
}
