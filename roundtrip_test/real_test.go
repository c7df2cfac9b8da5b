package roundtrip

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// loadReal reads a database of the corpus.
func loadReal(t *testing.T, name, codePage string) *model.Database {
	t.Helper()
	db := must.Get(read.Open(corpus.Path(t, "cbh/"+name+".cbh"), read.Options{CodePage: codePage}))(t)
	defer db.Close()
	return load(t, db)
}

// gamesOnly returns the games of a database without its guiding texts.
func gamesOnly(db *model.Database) *model.Database {
	games := &model.Database{Tables: db.Tables}
	for _, r := range db.List {
		if r.Game != nil {
			games.AddGame(r.Game)
		}
	}
	return games
}

// Real databases come back from every format. PGN has no guiding texts, and no
// words for some details of tournaments and teams: those are reported.
func TestRealDatabasesThereAndBack(t *testing.T) {
	for _, name := range []string{"hedgehog/Hedgehog", "mate2/Mate2", "twic1134/twic1134"} {
		if testing.Short() && !strings.HasPrefix(name, "mate2") {
			continue // they are larger
		}
		for _, f := range formats {
			t.Run(filepath.Base(name)+" "+f.name, func(t *testing.T) {
				db := loadReal(t, name, "")
				there, losses := f.trip(t, gen.Folder(t), db)
				if strings.HasPrefix(f.name, "dci") {
					compareMoves(t, gamesOnly(db), there)
					return
				}
				var fields []string
				for _, l := range losses {
					if f.name != "pgn" && l.Kind != model.LostEntity {
						t.Errorf("lost: %v", l)
					}
					if l.Kind == model.LostField {
						fields = append(fields, l.Field)
					}
				}
				if f.name == "pgn" {
					compareGames(t, gamesOnly(db), there, fields)
					return
				}
				if d := difference(db, there); d != "" {
					t.Error(d)
				}
			})
		}
	}
}

// compareMoves compares starts and trees alone: the Simple Chess Database has
// no place for most of what annotates them, and says so.
func compareMoves(t *testing.T, want, got *model.Database) {
	t.Helper()
	if len(want.List) != len(got.List) {
		t.Fatalf("%d games became %d", len(want.List), len(got.List))
	}
	for i := range want.List {
		a, b := want.List[i].Game, got.List[i].Game
		if a.StartPosition() != b.StartPosition() || !a.Moves.Equal(&b.Moves) {
			t.Errorf("the moves of game %d differ", i+1)
		}
	}
}

// compareGames compares start, tree, annotations and the fields that PGN has
// tags for.
func compareGames(t *testing.T, want, got *model.Database, lostFields []string) {
	t.Helper()
	if len(want.List) != len(got.List) {
		t.Fatalf("%d games became %d", len(want.List), len(got.List))
	}
	lost := strings.Join(lostFields, " ")
	for i := range want.List {
		a := want.List[i].Game.Resolve(&want.Tables)
		b := got.List[i].Game.Resolve(&got.Tables)
		if strings.Contains(lost, "tournament") {
			a.Tournament, b.Tournament = asInPGN(a.Tournament), asInPGN(b.Tournament)
		}
		if strings.Contains(lost, "team") {
			a.WhiteTeam, b.WhiteTeam = teamAsInPGN(a.WhiteTeam), teamAsInPGN(b.WhiteTeam)
			a.BlackTeam, b.BlackTeam = teamAsInPGN(a.BlackTeam), teamAsInPGN(b.BlackTeam)
		}
		if strings.Contains(lost, "line evaluation") {
			a.LineEvaluation, b.LineEvaluation = 0, 0
		}
		if strings.Contains(lost, "source") {
			a.Source, b.Source = model.Publication{}, model.Publication{}
		}
		if !a.Equal(b) {
			a.Moves, b.Moves = nil, nil
			t.Errorf("game %d differs:\n%+v\n%+v", want.List[i].ID, a, b)
		}
	}
}

// asInPGN drops what the tags of a tournament do not say (docs/formats/pgn.md 1).
func asInPGN(t model.Tournament) model.Tournament {
	return model.Tournament{Title: t.Title, Place: t.Place, Start: t.Start, Type: t.Type,
		Nation: t.Nation, Category: t.Category, Rounds: t.Rounds}
}

// teamAsInPGN does the same for teams.
func teamAsInPGN(t model.Team) model.Team { return model.Team{Title: t.Title, Nation: t.Nation} }

// titleBytes is the longest tournament title of a ChessBase database.
const titleBytes = 39

// Games imported from PGN are the games of the PGN, but for the tags that a
// ChessBase database has no place for, which are all but links, and tournament titles longer than their
// field. All of these, and nothing else, are reported.
func TestImportOfRealPGN(t *testing.T) {
	if testing.Short() {
		t.Skip("imports a large file")
	}
	path := corpus.Path(t, "pgn/lichess-big.pgn")
	src := must.Get(pgn.Open(pgn.ReaderOptions{}, path))(t)
	original := load(t, src)
	if len(original.List) != 1000 {
		t.Fatalf("%d games, the file has 1000", len(original.List))
	}
	imported, losses := throughChessBase(t, gen.Folder(t), original)
	tags, cut := 0, map[string]bool{}
	for i := range original.List {
		g := original.List[i].Game
		a, b := g.Resolve(&original.Tables), imported.List[i].Game.Resolve(&imported.Tables)
		a.Tags = slices.DeleteFunc(a.Tags, func(t model.Tag) bool {
			_, isLink := t.Link()
			if !isLink {
				tags++
			}
			return !isLink
		})
		if title := a.Tournament.Title; len(title) > titleBytes {
			cut[title] = true
			a.Tournament.Title = title[:titleBytes]
		}
		if !a.Equal(b) {
			t.Errorf("game %d differs", i+1)
		}
	}
	for _, l := range losses {
		switch {
		case l.Kind == model.LostTag:
			tags--
		case l.Kind == model.LostTextEnd && l.Field == "tournament title":
		default:
			t.Errorf("lost: %v", l)
		}
	}
	if tags != 0 {
		t.Errorf("%d tags were lost without a word", tags)
	}
	again, losses := throughChessBase(t, gen.Folder(t), imported)
	if len(losses) > 0 || !model.Identical(imported, again) {
		t.Errorf("a second trip changes something: %v", losses)
	}
	for _, f := range formats[:3] {
		there, losses := f.trip(t, gen.Folder(t), imported)
		if len(losses) > 0 {
			t.Errorf("%s: %v", f.name, losses)
		}
		if d := difference(imported, there); d != "" {
			t.Errorf("%s:\n%s", f.name, d)
		}
	}
}
