package pgn

import (
	"testing"

	"cbkit/internal/corpus"
	"cbkit/model"
)

// Writing a game allocates next to nothing, however many comments it has.
func TestWriteAllocations(t *testing.T) {
	db := readAll(t, corpus.Read(t, "pgn/lichess-big.pgn")[:400_000])
	for _, form := range []struct {
		name  string
		plain bool
		most  float64 // for each game
	}{{"lossless", false, 1}, {"plain", true, 1}} {
		var enc encoder
		enc.init(form.plain, nil)
		var buf []byte
		write := func() {
			for _, rec := range db.List {
				buf = enc.appendGame(buf[:0], rec.Game, &db.Tables)
			}
		}
		write() // the buffers grow
		if n := testing.AllocsPerRun(3, write) / float64(len(db.List)); n > form.most {
			t.Errorf("%s: %.1f allocations a game of %d annotations", form.name, n, annotations(db)/len(db.List))
		}
	}
}

// annotations counts those of all games.
func annotations(db *model.Database) (n int) {
	for _, rec := range db.List {
		n += len(rec.Game.Annotations)
	}
	return n
}
