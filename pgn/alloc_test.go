package pgn

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
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

// A Writer writes tags of entities that it knows, and moves that need no judge,
// without allocating.
func TestWriterAllocations(t *testing.T) {
	db := readAll(t, corpus.Read(t, "pgn/lichess-big.pgn")[:400_000])
	for _, plain := range []bool{false, true} {
		w := NewWriter(io.Discard, WriterOptions{Plain: plain, AcceptLosses: true})
		must.Do(t, w.Begin(played{db}))
		write := func() {
			w.last = 0
			for _, rec := range db.List {
				must.Do(t, w.Put(rec))
			}
		}
		write() // the buffers grow
		if n := testing.AllocsPerRun(3, write) / float64(len(db.List)); n > 1 {
			t.Errorf("plain %v: %.1f allocations a game", plain, n)
		}
	}
}

// Reading takes one allocation for each comment, which is a value of its own, and
// a few for each game, whether or not the comments go over several lines.
func TestReadAllocations(t *testing.T) {
	const games, comments = 200, 30
	var text bytes.Buffer
	for range games {
		text.WriteString("[White \"Alekhine\"]\n[Black \"Bogoljubow\"]\n\n")
		for n := range comments {
			fmt.Fprintf(&text, "%d. N%s $1 $14 {words over\nseveral\nlines} %d... N%s ", n+1,
				[]string{"f3", "g1"}[n%2], n+1, []string{"f6", "g8"}[n%2])
		}
		text.WriteString("*\n\n")
	}
	read := func() {
		r := NewReader(bytes.NewReader(text.Bytes()), ReaderOptions{Jobs: 1})
		for rec, err := range r.Records(t.Context(), 1, model.WantAll) {
			if err != nil || len(rec.Game.Annotations) != 2*comments {
				t.Fatal(rec.ID, err)
			}
		}
	}
	const few = 12 // the text of the game, that of its comments; lists that grow
	if n := testing.AllocsPerRun(3, read) / games; n > comments+few {
		t.Errorf("%.1f allocations for a game of %d comments and %d symbols", n, comments, comments)
	}
}

// annotations counts those of all games.
func annotations(db *model.Database) (n int) {
	for _, rec := range db.List {
		n += len(rec.Game.Annotations)
	}
	return n
}
