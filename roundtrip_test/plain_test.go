package roundtrip

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// Real games in PGN for people have none of our commands, nothing that strict
// readers stumble over, and read back with equal moves, variations, symbols,
// squares and arrows.
func TestPlainPGN(t *testing.T) {
	for _, name := range []string{"cbh/hedgehog/Hedgehog.cbh", "cbh/twic1134/twic1134.cbh", "pgn/lichess-big.pgn", "cbh/mate2/Mate2.cbh"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if base := filepath.Base(name); testing.Short() && (base == "lichess-big.pgn" || base == "twic1134.cbh") {
				t.Skip("it is large")
			}
			src := openAny(t, corpus.Path(t, name))
			var out bytes.Buffer
			w := pgn.NewWriter(&out, pgn.WriterOptions{Plain: true, Deleted: true, AcceptLosses: true})
			must.Do(t, model.Copy(context.Background(), w, src, model.CopyOptions{}))
			checkStrict(t, out.Bytes())
			checkExtract(t, out.Bytes())
			back := load(t, pgn.NewReader(&out, pgn.ReaderOptions{}))
			for rec := range must.All(t, src.Records(context.Background(), 1, model.WantMoves|model.WantAnnotations)) {
				if rec.Game == nil {
					continue
				}
				got := back.List[0].Game
				back.List = back.List[1:]
				if a, b := marksOf(rec.Game), marksOf(got); !rec.Game.Moves.Equal(&got.Moves) || !slices.Equal(a, b) {
					t.Fatalf("record %d reads back otherwise: %v, %v", rec.ID, a, b)
				}
			}
		})
	}
}

// openAny opens a database or a PGN file.
func openAny(t *testing.T, path string) model.Source {
	t.Helper()
	if filepath.Ext(path) == ".pgn" {
		return must.Get(pgn.Open(pgn.ReaderOptions{}, path))(t)
	}
	db := must.Get(read.Open(path, read.Options{}))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// marksOf lists the symbols, squares and arrows of a game.
func marksOf(g *model.Game) (list []string) {
	for _, a := range g.Annotations {
		switch v := a.Value.(type) {
		case model.Symbols:
			list = append(list, fmt.Sprint(a.Node, v.NAGs()))
		case model.Squares, model.Arrows:
			list = append(list, fmt.Sprint(a.Node, v))
		}
	}
	slices.Sort(list)
	return list
}

// strictMoves is what chess.js does not read: a comment or symbols behind a
// comment, a comment behind a variation.
var strictMoves = regexp.MustCompile(`\}\s*[{$]|\)\s*[{$]|\{[^}]*\[%(cb|mdl|evp)|\[CbTag`)

func checkStrict(t *testing.T, text []byte) {
	t.Helper()
	// What looks so inside of comments is none of it.
	bare := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllFunc(text, func(comment []byte) []byte {
		if bytes.Contains(comment, []byte("[%")) {
			return comment
		}
		return []byte("{}")
	})
	if at := strictMoves.FindIndex(bare); at != nil {
		t.Errorf("%.200q", bare[max(0, at[0]-50):])
	}
}

// checkExtract has pgn-extract read the games, if it is there.
func checkExtract(t *testing.T, text []byte) {
	t.Helper()
	program, err := exec.LookPath("pgn-extract")
	if err != nil {
		program = "/usr/games/pgn-extract"
	}
	if _, err := os.Stat(program); err != nil {
		t.Log("pgn-extract is not installed")
		return
	}
	cmd := exec.Command(program, "-s", "-r")
	cmd.Stdin = bytes.NewReader(text)
	said, err := cmd.CombinedOutput()
	said = regexp.MustCompile(`Games: \d+\r?`).ReplaceAll(said, nil) // how far it is
	if err != nil || len(bytes.TrimSpace(said)) > 0 {
		t.Errorf("pgn-extract: %v: %.500s", err, said)
	}
}
