package moveenc_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/moveenc"
)

// stored is a game record of a real database.
type stored struct {
	id  int
	rec []byte
}

// databases are the real databases that have a .cbg file, with the number of
// their games (docs/formats/real-databases.md).
var databases = []struct {
	name  string
	games int
}{
	{"hedgehog", 204},
	{"mate2", 7},
	{"twic1134", 6117},
	{"cbh_test", 4},
	{"cbh_cbj_test", 4},
}

// corpusGames returns the game records of a real database, or skips the test.
func corpusGames(tb testing.TB, name string) []stored {
	tb.Helper()
	root := filepath.Dir(corpus.Path(tb, "cbh"))
	headers, moves := readFile(tb, root, name, "cbh"), readFile(tb, root, name, "cbg")
	games, err := splitGames(headers, moves)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return games
}

func readFile(tb testing.TB, root, name, ext string) []byte {
	tb.Helper()
	entries := must.Get(os.ReadDir(filepath.Join(root, "cbh", name)))(tb)
	for _, e := range entries {
		if strings.EqualFold(e.Name(), name+"."+ext) {
			return must.Get(os.ReadFile(filepath.Join(root, "cbh", name, e.Name())))(tb)
		}
	}
	tb.Fatalf("no .%s file of %s", ext, name)
	return nil
}

// splitGames cuts the game records out of a .cbg file. A .cbh file is one
// header and one record per game of 46 bytes each; bit 1 of a record's first
// byte marks a guiding text, the next four are the offset in the .cbg file.
func splitGames(headers, moves []byte) ([]stored, error) {
	const size = 46
	if len(headers)%size != 0 {
		return nil, fmt.Errorf(".cbh has %d bytes", len(headers))
	}
	var games []stored
	for id := 1; id < len(headers)/size; id++ {
		h := headers[id*size:]
		if h[0]&2 != 0 {
			continue
		}
		offset := int(binary.BigEndian.Uint32(h[1:]))
		if offset+moveenc.HeadSize > len(moves) {
			return nil, fmt.Errorf("game %d at %#x, .cbg has %d bytes", id, offset, len(moves))
		}
		head, err := moveenc.DecodeHead(moves[offset:])
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", id, err)
		}
		if offset+head.Size > len(moves) {
			return nil, fmt.Errorf("game %d of %d bytes at %#x", id, head.Size, offset)
		}
		games = append(games, stored{id, bytes.Clone(moves[offset : offset+head.Size])})
	}
	return games, nil
}

// eachDatabase runs a test on every real database.
func eachDatabase(t *testing.T, f func(t *testing.T, games []stored)) {
	for _, db := range databases {
		t.Run(db.name, func(t *testing.T) {
			games := corpusGames(t, db.name)
			if len(games) != db.games {
				t.Fatalf("%d games, want %d", len(games), db.games)
			}
			f(t, games)
		})
	}
}

// Every real game decodes and gives back its bytes, all but one of them
// without a form.
func TestCorpusByteRoundTrip(t *testing.T) {
	eachDatabase(t, func(t *testing.T, games []stored) {
		plies, forms := 0, 0
		var g moveenc.Game
		for _, s := range games {
			if err := moveenc.Decode(s.rec, &g); err != nil {
				t.Fatalf("game %d: %v", s.id, err)
			}
			plies += g.Moves.Len()
			got, err := moveenc.Append(nil, g.SetUp(), &g.Moves, &g.Form)
			if err != nil || !bytes.Equal(got, s.rec) {
				t.Errorf("game %d: %v\n got %x\nwant %x", s.id, err, got, s.rec)
			}
			if g.Form.IsZero() {
				continue
			}
			forms++
			if want := (moveenc.Form{Dummies: []uint32{3}}); !bytes.Equal(moveenc.AppendForm(nil, &g.Form), moveenc.AppendForm(nil, &want)) {
				t.Errorf("game %d: form %+v", s.id, g.Form)
			}
		}
		if want := strings.HasSuffix(t.Name(), "/mate2"); (forms == 1) != want || forms > 1 {
			t.Errorf("%d games with a form", forms)
		}
		t.Logf("%d games, %d plies", len(games), plies)
	})
}

// Every move of every real game is legal.
func TestCorpusIsLegal(t *testing.T) {
	eachDatabase(t, func(t *testing.T, games []stored) {
		var g moveenc.Game
		for _, s := range games {
			if err := moveenc.Decode(s.rec, &g); err != nil {
				t.Fatalf("game %d: %v", s.id, err)
			}
			if err := board.Validate(g.SetUp(), &g.Moves); err != nil {
				t.Errorf("game %d: %v", s.id, err)
			}
		}
	})
}
